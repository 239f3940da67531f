"""Commands of the system, as a capability."""

from __future__ import annotations

from . import _native
from ._check import check_count, check_seconds, check_texts
from ._errors import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Source:
    """Capabilities that are not written in Python. Pass it in `capabilities=` or to `Agent.add`."""

    __slots__ = ("native", "_text")

    def __init__(self, native: _native.HostSource, text: str) -> None:
        self.native = native
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self) -> str:
        raise Error("a source of capabilities cannot be pickled", hint="Make it where it is needed.")


def shell(
    *,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    folder: str = "",
    roots: Iterable[str] = (),
    timeout: float = 30.0,
    pty: bool = True,
    max_output: int = 12 * 1024,
    variables: Mapping[str, str] | None = None,
    pass_variables: Iterable[str] = (),
    name: str = "exec",
) -> Source:
    """A capability that runs commands: `Agent(model, capabilities=[ai.shell(allow=["ls", "git status"], deny=["rm"])])`.

    A rule is a program and its first words: "git status" allows `git status -s`, and not `git push`. What no rule decides is asked: the
    `approval` function of the agent gets the call, and without one the run pauses, so nothing runs that you have not allowed.

    folder: where commands start; by default the working folder
    roots: folders that the model may choose instead; by default those below `folder`
    timeout: of one command, in seconds; `Limits.call_timeout` does not apply
    pty: whether commands write to a terminal; otherwise the model gets `stdout` and `stderr` apart
    max_output: bytes of the output that the model gets: its begin and its end
    variables: environment variables for the commands
    pass_variables: names of variables of this process that they get too; keys do not reach them otherwise
    name: of the capability

    Raises ConfigurationError if a rule is not one command of plain words, and Error if this build has no shell.
    """
    if not hasattr(_native, "Shell"):
        raise Error("this build of pyaichat runs no commands", hint="Build it with -DPYAICHAT_SHELL=ON, on a POSIX system.")
    allowed = check_texts("allow", allow)
    native = _native.Shell(
        {
            "allow": allowed,
            "deny": check_texts("deny", deny),
            "folder": folder,
            "roots": check_texts("roots", roots),
            "timeout": check_seconds("timeout", timeout),
            "pty": bool(pty),
            "max_output": check_count("max_output", max_output),
            "variables": dict(variables or {}),
            "pass_variables": check_texts("pass_variables", pass_variables),
            "name": name,
        }
    )
    return Source(native, f"<shell {name}, allow={allowed!r}>")
