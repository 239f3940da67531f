"""An LLM agent that looks at the variables of a Python program, without running their code.

    import pyaichat as ai

    agent = ai.Agent("gemini:gemini-3.8-flash")  # or "openai:...", "anthropic:...", "offline"
    print(agent.ask("which of my variables are data frames?"))
"""

import sys as _sys

if "free-threading" in _sys.version:
    raise ImportError("pyaichat does not support free-threaded builds of Python: use the standard build")


def _is_in_subinterpreter() -> bool:
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = __import__(name)
        except ImportError:
            continue
        return bool(interpreters.get_current() != interpreters.get_main())
    return False


# Before the compiled module is loaded: its start would wait for the main interpreter for ever.
if _is_in_subinterpreter():
    raise ImportError("pyaichat works in the main interpreter only, not in a sub-interpreter")
try:
    from ._native import version as __version__
except ModuleNotFoundError as _error:
    if _error.name != f"{__name__}._native":
        raise
    raise ImportError(
        f"pyaichat was not built for Python {_sys.version_info[0]}.{_sys.version_info[1]}: build it with this Python"
    ) from None

from . import lua
from ._agent import Agent
from ._answer import Answer, Failure
from ._errors import (
    Cancelled,
    ConfigurationError,
    Degraded,
    Error,
    LimitReached,
    ModelFailed,
    ProviderError,
    RateLimited,
    Refuse,
)
from ._events import (
    CallDenied,
    CallFinished,
    CallOutput,
    CallsProposed,
    CallStarted,
    Event,
    PartialValue,
    RetryScheduled,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    StepWithdrawn,
    TextDelta,
    ThoughtDelta,
    Usage,
    UsageUpdated,
)
from ._hooks import Hooks, ProposedCall
from ._images import Image
from ._limits import Limits
from ._messages import Message, Messages
from ._namespace import CALLER, AttachedProcess, attach
from ._provider import Call, Model, Price, Request, Response
from ._run import Stream
from ._shell import Source, shell
from ._watch import Watch, watch

__all__ = [
    "CALLER",
    "Agent",
    "Answer",
    "AttachedProcess",
    "Call",
    "CallDenied",
    "CallFinished",
    "CallOutput",
    "CallStarted",
    "CallsProposed",
    "Cancelled",
    "ConfigurationError",
    "Degraded",
    "Error",
    "Event",
    "Failure",
    "Hooks",
    "Image",
    "LimitReached",
    "Limits",
    "Message",
    "Messages",
    "Model",
    "ModelFailed",
    "PartialValue",
    "Price",
    "ProposedCall",
    "ProviderError",
    "RateLimited",
    "Refuse",
    "Request",
    "Response",
    "RetryScheduled",
    "RunFinished",
    "RunStarted",
    "Source",
    "StepFinished",
    "StepStarted",
    "StepWithdrawn",
    "Stream",
    "TextDelta",
    "ThoughtDelta",
    "Usage",
    "UsageUpdated",
    "Watch",
    "attach",
    "lua",
    "shell",
    "watch",
]


def load_ipython_extension(shell: object) -> None:
    """Called by `%load_ext pyaichat`."""
    from . import _ipython

    _ipython.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Called by `%unload_ext pyaichat`."""
    from . import _ipython

    _ipython.unload(shell)


for _each in __all__:
    if isinstance(globals()[_each], type):
        globals()[_each].__module__ = __name__
del _each
