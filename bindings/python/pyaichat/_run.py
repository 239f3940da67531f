"""Runs: how a question is pumped until it is answered."""

from __future__ import annotations

import os
from collections import deque

from . import _native
from ._answer import Answer, answer_of
from ._errors import ConfigurationError, Error, Refuse
from ._events import Event, event_of
from ._hooks import Hooks
from ._images import images_in, reply_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from types import TracebackType
    from typing import Any, TypeVar

    from ._capabilities import Capability
    from ._namespace import View
    from ._schema import Returned

    T = TypeVar("T")
    Decide = Callable[[dict[str, Any]], tuple[str, Any]]

# How long a wait may take before Python looks for signals: Ctrl-C must end a run within 100 ms.
_SLICE = 0.04

_first_process = 0


def check_process() -> None:
    """Raises Error in a child process that was forked after a run: the threads of the SDK exist only in the parent."""
    global _first_process
    if _first_process == 0:
        _first_process = os.getpid()
    elif _first_process != os.getpid():
        raise Error(
            "this process was forked after pyaichat was used, and the threads of pyaichat are only in its parent",
            hint="Start processes by 'spawn' or 'forkserver', or use pyaichat only in the child.",
        )


def error_reply(code: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """The reply of a call that has failed, as the model reads it."""
    return {"ok": False, "error": {"code": code, "message": message, "details": details}}


def _reply_to_exception(error: BaseException) -> dict[str, Any]:
    if isinstance(error, Refuse):
        return error_reply("not_allowed", str(error))
    if isinstance(error, TimeoutError):
        return error_reply("timeout", str(error) or "the capability did not reply in time")
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    own = os.path.dirname(__file__)
    lines = [f"{os.path.basename(each.filename)}:{each.lineno} {each.name}" for each in frames if os.path.dirname(each.filename) != own]
    details = {"exc_type": type(error).__name__, "message": str(error)[:500], "traceback": lines[-5:]}
    return error_reply("python_exception", f"{type(error).__name__}: {str(error)[:500]}", details)


def _result_reply(value: Any) -> dict[str, Any]:
    from ._schema import encode

    images = images_in(value)
    if images:
        return reply_with(images)
    try:
        return {"ok": True, "result": encode(value)}
    except TypeError as error:
        return error_reply("internal", f"the capability returned something else than JSON: {error}")
    except RecursionError:
        return error_reply("internal", "the capability returned a value that contains itself, or nests too deep")


class RunContext:
    """Runs the capabilities of one run, where the run is pumped."""

    def __init__(self, capabilities: Mapping[str, Capability], loop: asyncio.AbstractEventLoop | None) -> None:
        self._capabilities = capabilities
        self._loop = loop  # of the caller; None: the calls run inline
        self._own_loop: asyncio.AbstractEventLoop | None = None  # for coroutines of a run that is not asynchronous
        self._tasks: set[asyncio.Future[Any]] = set()
        self.run: _native.Run | None = None
        self.interrupt: BaseException | None = None

    def guarded(self, function: Callable[..., T], *arguments: Any) -> T:
        """Calls a function of the person while the run is pumped. If it is interrupted, the run ends and the caller of `ask` gets that."""
        try:
            return function(*arguments)
        except Exception:
            raise
        except BaseException as error:  # KeyboardInterrupt, for example at a prompt of an approval function; SystemExit
            self._interrupt(error)
            raise

    def deciding(self, decide: Decide | None) -> Decide | None:
        """An approval function for this run."""
        if decide is None:
            return None
        known = decide
        return lambda call: self.guarded(known, call)

    def _interrupt(self, error: BaseException) -> None:
        self.interrupt = error
        if self.run is not None:
            self.run.cancel()

    def invoke(self, call: dict[str, Any], responder: _native.Responder) -> None:
        """Starts a call of a function."""
        capability = self._capabilities[call["name"]]
        self._start(lambda: capability(call["arguments"]), capability.is_async, call, responder)

    def invoke_object(self, source: Any, call: dict[str, Any], responder: _native.Responder) -> None:
        """Starts a call of an object with `specs` and `invoke`."""
        import inspect

        self._start(lambda: source.invoke(call["name"], call["arguments"]), inspect.iscoroutinefunction(source.invoke), call, responder)

    def _start(self, body: Callable[[], Any], is_async: bool, call: dict[str, Any], responder: _native.Responder) -> None:
        try:
            if self._loop is None:
                value = body()
                if is_async:
                    value = self._run_here(value, call["time_left"])
                self._reply(responder, _result_reply(value))
            elif is_async:
                self._watch(self._loop.create_task(body()), responder)
            else:
                import contextvars

                context = contextvars.copy_context()
                self._watch(self._loop.run_in_executor(None, lambda: context.run(body)), responder)
        except Exception as error:
            self._reply(responder, _reply_to_exception(error))
        except BaseException as error:  # KeyboardInterrupt, SystemExit: the caller of `ask` gets it
            if is_async:
                import asyncio

                if isinstance(error, asyncio.CancelledError):
                    self._reply(responder, error_reply("cancelled", "the call was cancelled"))
                    return
            self._reply(responder, error_reply("cancelled", "the person has stopped the run"))
            self._interrupt(error)

    @staticmethod
    def _reply(responder: _native.Responder, envelope: dict[str, Any]) -> None:
        try:
            responder.reply(envelope)
        except (TypeError, ValueError) as error:
            responder.reply(error_reply("internal", f"the capability returned something else than JSON: {error}"))

    def _run_here(self, coroutine: Awaitable[Any], time_left: float) -> Any:
        """Runs a coroutine in a run that is not asynchronous, at most until the deadline of its call."""
        import asyncio

        if self._own_loop is None:
            self._own_loop = asyncio.new_event_loop()
        return self._own_loop.run_until_complete(asyncio.wait_for(coroutine, time_left))

    def _watch(self, task: asyncio.Future[Any], responder: _native.Responder) -> None:
        def done(ended: asyncio.Future[Any]) -> None:
            self._tasks.discard(ended)
            if ended.cancelled():
                self._reply(responder, error_reply("cancelled", "the call was cancelled"))
                return
            error = ended.exception()
            self._reply(responder, _result_reply(ended.result()) if error is None else _reply_to_exception(error))

        self._tasks.add(task)
        task.add_done_callback(done)

    def close(self) -> None:
        """Cancels what still runs, and lets go of the run, which refers to this object."""
        self.run = None
        for task in list(self._tasks):
            task.cancel()
        if self._own_loop is not None:
            self._own_loop.close()
            self._own_loop = None


class InterruptedExpressions(Hooks):
    """Ends a run in which Ctrl-C has ended an expression of the model: its exception would be a reply otherwise."""

    def __init__(self, context: RunContext) -> None:
        self._context = context

    def after_call(self, call: dict[str, Any], reply: dict[str, Any]) -> None:
        details = (reply.get("error") or {}).get("details") or {}
        if call["name"] == "eval_expr" and details.get("exc_type") == "KeyboardInterrupt":
            self._context._interrupt(KeyboardInterrupt())


class Running:
    """A run and what it needs until its end."""

    def __init__(
        self,
        native: _native.Run,
        context: RunContext,
        view: View | None,
        decide: Decide | None,
        returned: Returned | None,
    ) -> None:
        self.native = native
        self.context = context
        self._view = view
        self._decide = decide
        self._returned = returned
        context.run = native

    def settle(self) -> bool:
        """Passes the calls that wait for a person to the approval function. Returns False if there is none, or if it leaves one open."""
        if self._decide is None:
            return False
        for call in self.native.pending():
            kind, value = self._decide(call)
            if kind not in ("allow", "change", "deny"):
                return False
            self.native.resume(call["number"], (kind, value))
        return True

    def step(self, state: str) -> bool:
        """Returns whether the run has ended. Raises what a capability was interrupted by."""
        if self.context.interrupt is not None:
            raise self.context.interrupt
        return state == "done" or (state == "awaiting_approval" and not self.settle())

    def answer(self) -> Answer:
        """The answer of the run, which has ended."""
        return answer_of(self.native.answer(), self._returned)

    def wait(self) -> Answer:
        """Pumps the run to its end on this thread."""
        try:
            while not self.step(self.native.wait(_SLICE)):
                pass
            return self.answer()
        except BaseException:
            self.native.cancel()
            raise
        finally:
            self.close()

    async def wait_async(self) -> Answer:
        """Pumps the run to its end in the event loop of the caller."""
        import asyncio

        loop = asyncio.get_running_loop()
        news = asyncio.Event()
        descriptor = self.native.descriptor
        watched = descriptor >= 0
        if watched:
            try:
                loop.add_reader(descriptor, news.set)
            except NotImplementedError:  # the loop of Windows that watches no descriptors
                watched = False
        try:
            while True:
                news.clear()
                state = self.native.pump()
                if self.step(state):
                    return self.answer()
                if state == "waiting":
                    # Deadlines and delays have no descriptor.
                    timer = loop.call_later(_SLICE if watched else 0.005, news.set)
                    await news.wait()
                    timer.cancel()
                else:
                    await asyncio.sleep(0)
        except BaseException:
            self.native.cancel()
            raise
        finally:
            if watched:
                loop.remove_reader(descriptor)
            self.close()

    def close(self) -> None:
        """Releases what the run needs."""
        self.context.close()
        if self._view is not None:
            self._view.close()
            self._view = None


class Stream:
    """The events of one run, as they happen. Leaving the loop or the `with` block early cancels the run.

    After the last event, `answer` is the answer.
    """

    def __init__(self, running: Running) -> None:
        self._running: Running | None = running
        self._waiting: deque[Event] = deque()
        self._answer: Answer | None = None

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        while not self._waiting:
            if self._running is None:
                raise StopIteration
            self._advance(self._running)
        return self._waiting.popleft()

    def _advance(self, running: Running) -> None:
        try:
            ended = running.step(running.native.wait_for_events(_SLICE))
        except BaseException:
            self.close()
            raise
        self._waiting.extend(map(event_of, running.native.take_events()))
        if ended:
            self._answer = running.answer()
            self._running = None
            running.close()

    @property
    def answer(self) -> Answer:
        """The answer. Raises Error while the run has not ended."""
        if self._answer is None:
            raise Error("this stream has no answer: its run has not ended, or was cancelled", hint="Iterate to the last event first.")
        return self._answer

    def close(self) -> None:
        """Cancels the run if it has not ended."""
        running, self._running = self._running, None
        if running is not None:
            running.native.cancel()
            running.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_running", None) is not None:
            self.close()

    def __repr__(self) -> str:
        state = "running" if self._running is not None else "ended" if self._answer is not None else "cancelled"
        return f"<Stream: {state}>"


def refuse_in_event_loop(names: list[str]) -> None:
    """Raises ConfigurationError if this thread runs an event loop: coroutines cannot run inside of it while `ask` blocks it."""
    import sys

    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and names and asyncio._get_running_loop() is not None:
        raise ConfigurationError(
            f"the capability {names[0]!r} is a coroutine, and this thread runs an event loop that ask() would block",
            hint="Use `await agent.ask_async(...)`.",
        )
