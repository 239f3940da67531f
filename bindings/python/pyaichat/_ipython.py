"""`%load_ext pyaichat`: questions in IPython and in notebooks.

    %ai which of my variables are data frames?

The magics are `%ai`, `%%ai`, `%ai_model`, `%ai_config` and `%ai_trace`. Everything runs on the thread of the cell.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from ._agent import Agent
from ._display import Notebook, Terminal
from ._errors import Error
from ._events import CallDenied, CallFinished, StepWithdrawn, TextDelta
from ._images import Image
from ._limits import Limits
from ._looks import describe_call
from ._pictures import picture_of
from ._provider import service_by_key
from ._run import Stream
from ._watch import Watch, variables_in

_OWN_NAMES = re.compile(r"In|Out|get_ipython|exit|quit|_dh|_oh|_ih|_i{1,3}|_{1,3}|_i?\d+")
_MAGIC_LINE = re.compile(r"^(\s*)%ai[ \t]+(.*\S)[ \t]*$")


def keep_questions(lines: list[str]) -> list[str]:
    """Turns lines such as `%ai what is x?` into calls. IPython would take the mark at the end for a request for help, which runs code."""
    out = []
    inside_text = False
    for line in lines:
        found = None if inside_text else _MAGIC_LINE.match(line.rstrip("\n"))
        if found:
            out.append(f"{found.group(1)}get_ipython().run_line_magic('ai', {found.group(2)!r})\n")
        else:
            inside_text ^= (line.count('"""') + line.count("'''")) % 2 == 1
            out.append(line)
    return out


def variables_of(shell: Any) -> dict[str, Any]:
    """The variables of the person: without those of IPython itself."""
    hidden = shell.user_ns_hidden
    names: dict[str, Any] = shell.user_ns
    return {
        name: value
        for name, value in names.items()
        if type(name) is str and not _OWN_NAMES.fullmatch(name) and not (name in hidden and hidden[name] is value)
    }


def _number(text: str) -> float | None:
    """A value of a limit, as a person types it."""
    if text.lower() == "none":
        return None
    return int(text) if text.lstrip("-").isdigit() else float(text)


class Assistant:
    """The magics of pyaichat, as methods."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._model = ""
        self._values: str | int = "full"
        self._limits = Limits()
        self._eval_policy = "snapshot"
        self._calls: list[CallFinished | CallDenied] = []
        self._watches: list[Watch] = []

    def ai(self, line: str) -> None:
        """Asks a question about the variables: `%ai what is x?`"""
        if not line.strip():
            print("Ask something: %ai which variables are there?")
            return
        self._ask(line.strip(), self._model, self._values)

    def ai_cell(self, line: str, cell: str) -> None:
        """Asks the question of the cell. Options: `--model gemini:gemini-3.8-flash`, `--with plot` (a variable: its picture goes with the
        question, or else what a look at it shows), `--no-values` (names, types and sizes only)."""
        model, values = self._model, self._values
        names: list[str] = []
        words = line.split()
        while words:
            option = words.pop(0)
            if option == "--model" and words:
                model = words.pop(0)
            elif option == "--with" and words:
                names.append(words.pop(0))
            elif option == "--no-values":
                values = "schema"
            else:
                print(f"%%ai does not know the option {option!r}: it takes --model NAME, --with VARIABLE and --no-values")
                return
        if not cell.strip():
            print("Ask something: the question is the text of the cell")
            return
        self._ask(cell.strip(), model, values, names)

    def ai_model(self, line: str) -> None:
        """Shows the model, or chooses another one: `%ai_model anthropic`"""
        if line.strip():
            try:
                Agent(line.strip(), namespace=None)
            except Error as error:
                print(error)
                return
            self._model = line.strip()
        print(Agent(self._model or service_by_key(), namespace=None).model)

    def ai_config(self, line: str) -> None:
        """Shows the settings, or changes them: `%ai_config max_steps=3 max_cost=0.05 values=schema eval_policy=structural`"""
        members: dict[str, Any] = self._limits._members()
        values, eval_policy = self._values, self._eval_policy
        try:
            for word in line.split():
                name, _, text = word.partition("=")
                if name == "values":
                    values = int(text) if text.isdigit() else text
                elif name == "eval_policy":
                    eval_policy = text
                elif name in members:
                    members[name] = _number(text)
                else:
                    raise ValueError(f"there is no setting {name!r}")
            limits = Limits(**members)
            Agent("offline", namespace=None, values=values, eval_policy=eval_policy)
        except (Error, ValueError, TypeError) as error:
            print(error)
            return
        self._limits, self._values, self._eval_policy = limits, values, eval_policy
        print(" ".join(f"{name}={value}" for name, value in [*members.items(), ("values", values), ("eval_policy", eval_policy)]))

    def ai_trace(self, line: str) -> None:
        """Shows what the last question has called, with times, tiers, and whether code of the objects ran."""
        print("\n".join(map(describe_call, self._calls)) or "The last question has called nothing.")

    def _ask(self, question: str, model: str, values: str | int, names: Iterable[str] = ()) -> None:
        images: list[Image] = []
        context: list[str] = []
        try:
            agent = self._agent(model, values)
            for name in names:
                self._add(name, agent, values, images, context)
        except Error as error:
            print(error)
            return
        with agent.stream(question, images=images, context="\n".join(context)) as stream:
            self._show(stream)

    def _add(self, name: str, agent: Agent, values: str | int, images: list[Image], context: list[str]) -> None:
        """Adds a variable to a question: its picture, or else what a look at it shows."""
        variables = variables_of(self._shell)
        if name not in variables:
            raise Error(f"there is no variable {name!r}")
        picture = picture_of(variables[name])
        if picture is not None:
            if values != "full":
                raise Error(f"{name} is a picture, which would show values", hint="Leave out --no-values or `values=`.")
            images.append(picture)
        elif agent.model != "offline":  # which finds the names in the question itself
            context.append(f"The question is about the variable {name}: {json.dumps(agent._look(name))}")

    def _agent(self, model: str, values: str | int) -> Agent:
        return Agent(
            model or service_by_key(),
            namespace=variables_of(self._shell),
            values=values,
            limits=self._limits,
            eval_policy=self._eval_policy,
        )

    def watch(self, question: str, agent: Agent | None, namespace: object, max_answers: int) -> Watch:
        """Makes a watch that is checked after each cell."""

        def chosen() -> Agent:
            return agent if agent is not None else self._agent(self._model, self._values)

        def check(*_: object) -> None:
            self._check(made)

        def forget() -> None:
            if made in self._watches:
                self._watches.remove(made)
                self._shell.events.unregister("post_run_cell", check)

        made = Watch(question, chosen, variables_in(namespace, lambda: variables_of(self._shell)), max_answers, forget)
        chosen()  # a missing key is an error here, not after the next cell
        self._watches.append(made)
        self._shell.events.register("post_run_cell", check)
        return made

    def _check(self, watched: Watch) -> None:
        try:
            if not watched.is_due():
                return
            with watched._prepared().stream(watched.question, history=watched._history) as stream:
                self._show(stream)
        except Error as error:
            watched.cancel()
            print(f"The watch {watched.question!r} has ended: {error}")
        except KeyboardInterrupt:
            watched.cancel()
            print(f"The watch {watched.question!r} was cancelled.")
        else:
            watched._settle(stream.answer)
            if not watched.active:
                print(f"The watch {watched.question!r} has given its last answer.")

    def close(self) -> None:
        """Ends the watches."""
        for each in list(self._watches):
            each.cancel()

    def _show(self, stream: Stream) -> None:
        view: Notebook | Terminal = Notebook() if hasattr(self._shell, "kernel") else Terminal()
        self._calls = []
        step = 0
        for event in stream:
            if isinstance(event, TextDelta):
                if event.step != step and step:
                    view.add("\n\n")
                step = event.step
                view.add(event.text)
            elif isinstance(event, StepWithdrawn):
                view.withdraw()
                step = 0
            elif isinstance(event, (CallFinished, CallDenied)):
                self._calls.append(event)
        view.finish(stream.answer.text, self._calls)


_MAGICS = (("line", "ai"), ("cell", "ai"), ("line", "ai_model"), ("line", "ai_config"), ("line", "ai_trace"))


def _magic_of(method: Callable[..., None]) -> Callable[..., None]:
    """A magic function. IPython must not expand `{x}` in its text, which would run code of `x`."""

    @functools.wraps(method)
    def magic(*texts: str) -> None:
        method(*texts)

    importlib.import_module("IPython.core.magic").no_var_expand(magic)
    return magic


_assistants: dict[int, Assistant] = {}  # by the identity of their shell


def assistant_of(shell: Any) -> Assistant:
    """The assistant of a shell."""
    return _assistants.setdefault(id(shell), Assistant(shell))


def watch(shell: Any, question: str, agent: Agent | None, namespace: object, max_answers: int) -> Watch:
    """A watch with the model and the settings of `%ai`, about the variables of the person."""
    return assistant_of(shell).watch(question, agent, namespace, max_answers)


def load(shell: Any) -> None:
    """Registers the magics."""
    assistant = assistant_of(shell)
    for kind, name in _MAGICS:
        method = assistant.ai_cell if kind == "cell" else getattr(assistant, name)
        shell.register_magic_function(_magic_of(method), kind, name)
    if keep_questions not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.insert(0, keep_questions)


def unload(shell: Any) -> None:
    """Removes what `load` has added, and ends the watches."""
    if id(shell) in _assistants:
        _assistants.pop(id(shell)).close()
    if keep_questions in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(keep_questions)
    for kind, name in _MAGICS:
        shell.magics_manager.magics[kind].pop(name, None)
