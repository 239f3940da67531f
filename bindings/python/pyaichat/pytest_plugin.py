"""The plugin for pytest: `pytest --ai-explain` puts a short explanation under the traceback of each test that fails.

The explanation is made from the exception and the local variables of its frames, whose code does not run.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from ._agent import Agent
from ._errors import Error
from ._limits import Limits
from ._looks import summarize
from ._provider import service_by_key

_QUESTION = (
    "The test {test} has failed: see the last exception. Say in at most three sentences why, from the exception and the local variables of its "
    "frames, and where to look first."
)
_OFFLINE_QUESTION = "why did it fail?"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("pyaichat", "explanations of failures")
    group.addoption("--ai-explain", action="store_true", help="explain each failure below its traceback")
    group.addoption(
        "--ai-values",
        choices=("schema", "full"),
        help="what a model may see of the local variables: names, types and sizes (schema, the default), or also their values (full)",
    )
    group.addoption(
        "--ai-model",
        metavar="NAME",
        default="",
        help="the model, such as gemini or ollama:qwen3; by default the first key in the environment decides, and without one 'offline'",
    )
    group.addoption("--ai-max", type=int, metavar="N", default=10, help="explain the first N failures only (default: 10)")


def pytest_configure(config: pytest.Config) -> None:
    """Prepares the explanations if they are wanted."""
    if config.getoption("--ai-explain"):
        config.pluginmanager.register(_Explainer(config), "pyaichat-explainer")


class _Explainer:
    """Adds the explanations to the reports."""

    def __init__(self, config: pytest.Config) -> None:
        model = config.getoption("--ai-model") or service_by_key()
        values = config.getoption("--ai-values") or ("full" if model == "offline" else "schema")  # the offline provider sends nothing
        self._left: int = config.getoption("--ai-max")
        try:
            self._agent = Agent(model, namespace={}, values=values, eval_policy="structural", limits=Limits(max_steps=4))
        except Error as error:
            raise pytest.UsageError(str(error)) from None

    def _makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
        """Explains a failure."""
        outcome = yield
        report: pytest.TestReport = outcome.get_result()
        if not report.failed or call.excinfo is None or self._left <= 0:
            return
        self._left -= 1
        title, text = self._explain(item, call.excinfo.value)
        add = getattr(report.longrepr, "addsection", None)
        if add is not None:
            add(title, text, "-")
        else:  # a report without a traceback, such as that of --tb=native
            report.sections.append((title, text))

    pytest_runtest_makereport = pytest.hookimpl(hookwrapper=True)(_makereport)  # as a decorator, it would hide the types

    def _explain(self, item: pytest.Item, error: BaseException) -> tuple[str, str]:
        test = item.nodeid
        if item.name.endswith("]"):  # parameters are values, and belong to the variables of the test
            test = test.removesuffix(item.name) + item.name.partition("[")[0]
        question = _OFFLINE_QUESTION if self._agent.model == "offline" else _QUESTION.format(test=test)
        answer = self._agent._ask_about(error, question)
        looked = summarize(answer.calls)
        return f"explanation by pyaichat ({self._agent.model}{', ' if looked else ''}{looked})", answer.text
