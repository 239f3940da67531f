"""Conversations: what was asked, called, replied and answered."""

from __future__ import annotations

from . import _native
from ._images import Image, images_of
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Message(Record):
    """One turn of a conversation.

    role: "user" (questions and replies to calls) or "model"
    calls: dicts with `id`, `name` and `arguments`
    replies: dicts with `id`, `name`, `reply` and `images`
    images: those of the question
    synthetic: written by the loop, for example to close a turn that the model did not finish
    """

    __slots__ = ("role", "text", "calls", "replies", "images", "synthetic")
    role: str
    text: str
    calls: list[dict[str, Any]]
    replies: list[dict[str, Any]]
    images: list[Image]
    synthetic: bool


class Messages:
    """A conversation: an immutable sequence of `Message`, oldest first. Pass it as `history=` to continue it. It can be pickled.

    It keeps each message of a model exactly as its service has sent it, and that form goes back to the service.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Conversation | None = None) -> None:
        self._native = native if native is not None else _native.Conversation()

    @classmethod
    def of(cls, *turns: tuple[str, str]) -> Messages:
        """Makes a conversation of pairs of a role and a text.

        >>> Messages.of(("user", "my name is Ada"), ("model", "Hello Ada."))
        <Messages: 2 messages>
        """
        native = _native.Conversation()
        for role, text in turns:
            if role not in ("user", "model"):
                raise ValueError(f"the role of a message is 'user' or 'model', not {role!r}")
            native._append_text(role, text)
        return cls(native)

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, index: int) -> Message:
        size = len(self)
        at = index + size if index < 0 else index
        if not 0 <= at < size:
            raise IndexError("there is no such message")
        members = self._native._message(at)
        members["images"] = images_of(members["images"])
        for reply in members["replies"]:
            reply["images"] = images_of(reply["images"])
        return Message(**members)

    def __iter__(self) -> Iterator[Message]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<Messages: {len(self)} message{'' if len(self) == 1 else 's'}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Messages) and self._native._stored() == other._native._stored()

    def __hash__(self) -> int:
        return hash(self._native._stored())

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (self._native._stored(),))


def _restored(document: str) -> Messages:
    return Messages(_native.Conversation._restored(document))
