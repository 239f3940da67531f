"""Pictures that belong to a question or to a reply."""

from __future__ import annotations

import os

from . import _native
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Union

    Picture = Union["Image", bytes, str, os.PathLike[str]]


class Image(Record):
    """A picture: the content of an image file. A capability may return one, or a list of them.

    data: the bytes of a PNG, JPEG, GIF or WebP file; for other kinds, pass mime_type
    mime_type: such as "image/png"; by default as the first bytes say

    >>> Image(b"\\x89PNG\\r\\n\\x1a\\n")
    <Image image/png, 8 bytes>
    """

    __slots__ = ("data", "mime_type")
    data: bytes
    mime_type: str

    def __init__(self, data: bytes, mime_type: str = "") -> None:
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"the data of an image are bytes, not {type(data).__name__}")
        kind = mime_type or _native.image_type(bytes(data))
        if not kind:
            raise ValueError("these bytes are not a PNG, JPEG, GIF or WebP file: pass mime_type='image/...'")
        super().__init__(data=bytes(data), mime_type=kind)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Image:
        """Reads an image file."""
        with open(path, "rb") as file:
            return cls(file.read())

    def __repr__(self) -> str:
        return f"<Image {self.mime_type}, {len(self.data)} bytes>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """For notebooks."""
        return {self.mime_type: self.data, "text/plain": repr(self)}

    def __hash__(self) -> int:
        return hash((self.mime_type, self.data))


def image_of(picture: Picture) -> Image:
    """The image that a person gives: an `Image`, bytes, or the path of a file."""
    if isinstance(picture, Image):
        return picture
    if isinstance(picture, (bytes, bytearray)):
        return Image(picture)
    if isinstance(picture, (str, os.PathLike)):
        return Image.open(picture)
    raise TypeError(f"an image is an Image, bytes or the path of a file, not {type(picture).__name__}")


def native_images(pictures: Iterable[Picture]) -> list[tuple[str, bytes]]:
    """Images as the compiled module takes them."""
    if isinstance(pictures, (str, bytes, Image)):
        raise TypeError("images is a list: images=[...]")
    return [(each.mime_type, each.data) for each in map(image_of, pictures)]


def images_of(native: Iterable[tuple[str, bytes]]) -> list[Image]:
    """Images as the compiled module gives them."""
    return [Image(data, mime_type) for mime_type, data in native]


def images_in(value: Any) -> list[Image]:
    """The images that a capability has returned: one, or a list of nothing else. Otherwise an empty list."""
    if isinstance(value, Image):
        return [value]
    if isinstance(value, (list, tuple)) and all(isinstance(each, Image) for each in value):
        return list(value)
    return []


def reply_with(images: list[Image]) -> dict[str, Any]:
    """The reply of a call that has returned images."""
    described: list[dict[str, Any]] = [{"image": each.mime_type, "bytes": len(each.data)} for each in images]
    return {"ok": True, "result": described[0] if len(described) == 1 else described, "images": native_images(images)}
