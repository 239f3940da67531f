"""The plugin for pytest, run by a pytest of its own."""

import os
import subprocess
import sys

import pytest

from pyaichat.testing import GeminiEmulator

FAILING = """
import pytest

class Wire:
    def __getattribute__(self, name):
        open("ran", "w").close()
        return object.__getattribute__(self, name)
    def __repr__(self):
        open("ran", "w").close()
        return "ran"

def halve(rows, at):
    total = sum(rows)
    return rows[at] / (total - 6)

@pytest.mark.parametrize("kept", ["parameter-value"])
def test_halves(kept):
    wire = Wire()
    password = "very-secret-value"
    assert halve([1, 2, 3], 1) == 1

def test_passes():
    pass
"""


@pytest.fixture
def run(tmp_path):
    """Runs pytest over a file of tests, and returns what it prints."""

    def pytest_of(source, *options, **variables):
        (tmp_path / "test_shop.py").write_text(source)
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY") and not name.startswith("PYTEST")}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "pyaichat.pytest_plugin", *options, "test_shop.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env={**kept, **variables})
        return done.stdout + done.stderr

    return pytest_of


def explanation_in(out):
    """The text under the line of the explanation."""
    return out.split("explanation by pyaichat", 1)[1].split("====", 1)[0]


def test_a_failure_is_explained_under_its_traceback(run, tmp_path):
    out = run(FAILING, "--ai-explain")
    text = explanation_in(out)
    assert "(offline, 1 call, no code of the objects ran)" in text
    assert "ZeroDivisionError" in text and "`halve`" in text and "total = 6" in text
    assert out.index("rows[at] / (total - 6)") < out.index("explanation by pyaichat") < out.index("1 failed, 1 passed")
    assert out.count("explanation by pyaichat") == 1


def test_without_the_option_nothing_is_explained(run):
    assert "explanation" not in run(FAILING)


def test_no_code_of_the_locals_runs(run, tmp_path):
    run(FAILING, "--ai-explain", "--tb=short")
    assert not (tmp_path / "ran").exists()


def test_values_can_be_withheld_without_a_key(run):
    text = explanation_in(run(FAILING, "--ai-explain", "--ai-values=schema"))
    assert "total" in text and "total = 6" not in text and "very-secret-value" not in text


def sent_by(run, *options):
    """The text of the last request that a model gets."""
    calls = {"calls": [{"name": "get_last_exception", "args": {}}]}
    with GeminiEmulator(calls, {"text": "The sum of the rows is six."}) as gemini:
        out = run(FAILING, "--ai-explain", *options, GEMINI_API_KEY="test-key", GEMINI_BASE_URL=gemini.base_url)
        assert "The sum of the rows is six." in explanation_in(out), out
        return str(gemini.requests[-1]["body"])


def test_a_model_explains_and_sees_no_values(run):
    sent = sent_by(run)
    assert "halve" in sent and "total" in sent and "ZeroDivisionError" in sent and "test_shop.py::test_halves" in sent
    assert "parameter-value" not in sent
    for value in ("[1, 2, 3]", "very-secret-value", "division by zero", "sum(rows)"):
        assert value not in sent


def test_a_model_sees_values_only_on_demand(run):
    sent = sent_by(run, "--ai-values=full")
    assert "[1, 2, 3]" in sent and "division by zero" in sent and "very-secret-value" not in sent  # masked


@pytest.mark.parametrize("style", ["long", "short", "line", "native", "no"])
def test_every_style_of_tracebacks_works(run, style):
    out = run(FAILING, "--ai-explain", f"--tb={style}")
    assert "1 failed, 1 passed" in out and "INTERNALERROR" not in out
    assert ("ZeroDivisionError" in explanation_in(out)) if style in ("long", "short", "native") else True


def test_errors_of_fixtures_are_explained(run):
    source = "import pytest\n@pytest.fixture\ndef shop():\n    doors = 3\n    raise ValueError('closed')\ndef test_shop(shop): pass\n"
    text = explanation_in(run(source, "--ai-explain"))
    assert "ValueError" in text and "doors = 3" in text


def test_what_is_expected_or_skipped_is_not_explained(run):
    source = """
import pytest
@pytest.mark.xfail
def test_expected(): assert False
def test_skipped(): pytest.skip("not here")
"""
    assert "explanation" not in run(source, "--ai-explain")


def test_the_number_of_explanations_is_limited(run):
    source = "".join(f"def test_{number}(): assert not {number}\n" for number in range(1, 6))
    assert run(source, "--ai-explain", "--ai-max=2").count("explanation by pyaichat") == 2


def test_an_unknown_model_is_an_error_of_usage(run):
    out = run(FAILING, "--ai-explain", "--ai-model=gemni")
    assert "there is no provider 'gemni'" in out and "INTERNALERROR" not in out and "Traceback" not in out


def test_a_model_that_fails_leaves_the_report_as_it_is(run):
    out = run(FAILING, "--ai-explain", GEMINI_API_KEY="test-key", GEMINI_BASE_URL="http://127.0.0.1:9")
    assert "1 failed, 1 passed" in out and "ZeroDivisionError" in out and "explanation by pyaichat (gemini:" in out
