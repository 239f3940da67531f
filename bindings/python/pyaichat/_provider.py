"""Models: the services that the SDK knows, and providers in Python."""

from __future__ import annotations

from . import _native
from ._check import check_text
from ._errors import ConfigurationError, ProviderError
from ._messages import Messages
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Union

    Pieces = Union[str, "Response", Iterable[Union[str, "Response"]]]
    PythonProvider = Callable[["Request"], Pieces]


class Request(Record):
    """What a provider in Python gets.

    instructions: the system instruction
    messages: the conversation; it ends with a user message
    functions: dicts with `name`, `description` and `parameters` (JSON Schema, or None)
    mode: "automatic", "required", "none" or "validated": whether the model may, must or must not call
    time_left: seconds until the loop gives the attempt up
    """

    __slots__ = ("instructions", "messages", "functions", "mode", "time_left")
    instructions: str
    messages: Messages
    functions: list[dict[str, Any]]
    mode: str
    time_left: float


class Call(Record):
    """A call that a model asks for.

    >>> Call("price", {"item": "door"})
    Call(name='price', arguments={'item': 'door'}, id='')
    """

    __slots__ = ("name", "arguments", "id")
    name: str
    arguments: dict[str, Any]
    id: str

    def __init__(self, name: str, arguments: dict[str, Any] | None = None, id: str = "") -> None:
        super().__init__(name=name, arguments={} if arguments is None else arguments, id=id)


class Price(Record):
    """The price of a model: US dollars for a million tokens. `Agent(model, price=Price(0.3, 2.5))` makes `Answer.cost` and
    `Limits.max_cost` work for a model that the built-in table does not have.

    cached_input: of input that the service has kept; by default as `input`

    >>> Price(0.3, 2.5)
    Price(input=0.3, output=2.5, cached_input=None)
    """

    __slots__ = ("input", "output", "cached_input")
    input: float
    output: float
    cached_input: float | None

    def __init__(self, input: float, output: float, cached_input: float | None = None) -> None:
        for name, value in (("input", input), ("output", output), ("cached_input", cached_input)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0):
                raise ValueError(f"the price {name} is a number of dollars from 0 on, not {value!r}")
        super().__init__(input=input, output=output, cached_input=cached_input)


class Response(Record):
    """What a model has responded: a text, calls, or both.

    finish: "stop", "length" (cut), "blocked", "malformed" or "unanswered"
    usage: input and output tokens
    cost: in US dollars, instead of the cost by the price of the model
    """

    __slots__ = ("text", "calls", "thoughts", "finish", "usage", "cost")
    text: str
    calls: list[Call]
    thoughts: str
    finish: str
    usage: tuple[int, int]
    cost: float | None

    def __init__(
        self,
        text: str = "",
        calls: Sequence[Call] = (),
        *,
        thoughts: str = "",
        finish: str = "stop",
        usage: tuple[int, int] = (0, 0),
        cost: float | None = None,
    ) -> None:
        super().__init__(text=text, calls=list(calls), thoughts=thoughts, finish=finish, usage=usage, cost=cost)


class Model:
    """A model that answers: pass it to several agents to share its connections. Strings such as "gemini:gemini-3.8-flash" make one.

    service: "offline", "gemini", "openai", "anthropic", "ollama" and others: an unknown name gets the list
    model: the model; by default that of the service's variable, such as GEMINI_MODEL, or the default of the service
    api_key, base_url: instead of the service's variables, such as GEMINI_API_KEY and GEMINI_BASE_URL

    >>> Model("offline")
    <Model offline>
    """

    __slots__ = ("native",)

    def __init__(self, service: str, model: str = "", *, api_key: str = "", base_url: str = "") -> None:
        for name, value in (("service", service), ("model", model), ("api_key", api_key), ("base_url", base_url)):
            check_text(name, value, shows=name != "api_key")
        self.native = _native.Provider.named(service, model, api_key, base_url)

    @property
    def name(self) -> str:
        """The service and its model, such as "gemini:gemini-3.8-flash"."""
        return str(self.native.name)

    def __repr__(self) -> str:
        return f"<Model {self.name}>"

    def __reduce__(self) -> str:
        from ._errors import Error

        raise Error("a Model cannot be pickled: it may hold a key and connections", hint="Make it where it is needed.")


_SERVICES = (("GEMINI_API_KEY", "gemini"), ("OPENAI_API_KEY", "openai"), ("ANTHROPIC_API_KEY", "anthropic"))


def service_by_key() -> str:
    """The first service whose key is in the environment, or the offline provider."""
    import os

    return next((service for variable, service in _SERVICES if os.environ.get(variable)), "offline")


def native_model(model: str | Model | PythonProvider, price: Price | None) -> _native.Provider:
    """The compiled provider of what a person gives as a model, and its price."""
    provider = _unpriced(model)
    if price is None:
        return provider
    if not isinstance(price, Price):
        raise TypeError(f"price is of type Price, not {type(price).__name__}")
    return provider.with_price(price.input, price.output, price.cached_input)


def _unpriced(model: str | Model | PythonProvider) -> _native.Provider:
    if isinstance(model, Model):
        return model.native
    if isinstance(model, str):
        check_text("model", model)
        service, _, name = model.partition(":")
        return _native.Provider.named(service, name, "", "")
    if callable(model):
        provider = model
        name = getattr(model, "__name__", type(model).__name__)
        return _native.Provider.in_python(lambda request, attempt: _begin(provider, request, attempt), f"Python, {name}")
    raise ConfigurationError(
        f"a model is a string, a Model or a function, not {type(model).__name__}", hint="For example Agent('gemini:gemini-3.8-flash')."
    )


def _begin(provider: PythonProvider, request: dict[str, Any], attempt: _native.Attempt) -> None:
    """Runs a provider in Python on a thread of its own: it may block, and the loop may give it up."""
    import threading

    request["messages"] = Messages(request["messages"])
    threading.Thread(target=_complete, args=(provider, Request(**request), attempt), name="pyaichat provider", daemon=True).start()


def _complete(provider: PythonProvider, request: Request, attempt: _native.Attempt) -> None:
    try:
        attempt.reply(_join(provider(request), attempt))
    except ProviderError as error:
        attempt.fail(error.code, str(error.args[0]), error.hint, error.retry_after)
    except BaseException as error:  # the run must get an outcome, whatever ends the provider
        attempt.fail("internal", f"the provider raised {type(error).__name__}: {error}", "", None)


def _join(pieces: Pieces, attempt: _native.Attempt) -> dict[str, Any]:
    """Shows pieces of text as they come, and joins them to one response."""
    if isinstance(pieces, str):
        return _encode(Response(pieces))
    if isinstance(pieces, Response):
        return _encode(pieces)
    if not hasattr(pieces, "__iter__"):
        raise TypeError(f"a provider returns a str, a Response or an iterator of these, not {type(pieces).__name__}")
    joined = _encode(Response())
    for piece in pieces:
        if attempt.cancelled:
            break
        each = Response(piece) if isinstance(piece, str) else piece
        if not isinstance(each, Response):
            raise TypeError(f"a provider streams str and Response, not {type(each).__name__}")
        if each.thoughts:
            attempt.thought(each.thoughts)
        if each.text:
            attempt.text(each.text)
        encoded = _encode(each)
        for member in ("text", "thoughts", "calls"):
            joined[member] += encoded[member]
        for member in ("finish", "usage", "cost"):
            joined[member] = encoded[member]
    return joined


def _encode(response: Response) -> dict[str, Any]:
    return {**response._members(), "calls": [each._members() for each in response.calls]}
