"""The cost of questions: `--max-cost`, `--prices`, and what `/cost` and `--json` say about it."""

import json

import pytest

from fake_gemini import FakeGemini, calls, text
from test_assistant import ask, at_assistant

# The stand-in counts 10 tokens in and 5 out, so a model call costs 10 * 0.01 + 5 * 0.02 dollars.
PRICES = {"as_of": "2030-01-02", "currency": "USD", "services": {"gemini": {"gemini-3.*": {"input": 10_000, "output": 20_000}}}}


@pytest.fixture
def prices(program):
    path = program.work / "prices.json"
    path.write_text(json.dumps(PRICES))
    return str(path)


def test_a_question_ends_when_it_has_cost_the_maximum(program, prices):
    with FakeGemini(calls(("get_type", {"expr": "x"})), text("never asked")) as service:
        reports, done = program.ask_json("--exec", "x = 1", "--prices", prices, "--max-cost", "0.20", "--ask", "what is x?", **service.environment())
    assert done.returncode == 3
    assert len(service.requests) == 1
    assert reports[0]["reason"] == "cost_budget" and reports[0]["degraded"]
    assert reports[0]["cost_dollars"] == 0.2
    assert reports[0]["answer"].startswith("There was no answer within the budget of $0.20 (max_cost).")


def test_a_question_below_the_maximum_is_answered(program, prices):
    with FakeGemini(calls(("get_type", {"expr": "x"})), text("An int.")) as service:
        reports, done = program.ask_json("--exec", "x = 1", "--prices", prices, "--max-cost", "0.21", "--ask", "what is x?", **service.environment())
    assert done.returncode == 0
    assert reports[0]["answer"] == "An int." and reports[0]["cost_dollars"] == 0.4


def test_cost_shows_money_and_the_date_of_the_prices(program, prices):
    with FakeGemini(text("Hello.")) as service:
        screen = at_assistant(program, service, "--prices", prices)
        assert "· $0.20" in ask(screen, "hello")
        shown = ask(screen, "/cost")
        assert "· $0.20" in shown and "by prices of 2030-01-02, which may have changed" in shown


def test_a_model_without_a_price_is_refused_with_a_maximum(program):
    with FakeGemini(text("never asked")) as service:
        done = program.run("--model", "gemini-unheard-of", "--max-cost", "1", "--ask", "hello", **service.environment())
        assert done.returncode == 2
        assert done.stderr.startswith("pyaichat: --max-cost cannot be kept: the price table of ")
        assert "has no price for the model 'gemini-unheard-of' of 'gemini'; add one with --prices FILE" in done.stderr
        assert not service.requests
        reports, _ = program.ask_json("--model", "gemini-unheard-of", "--ask", "hello", **service.environment())
        assert reports[0]["cost_dollars"] is None


def test_a_price_table_that_cannot_be_used_names_the_line_or_the_member(program):
    path = program.work / "mine.json"
    for content, sentence in [("{\n  'as_of'", "line 2 is not valid JSON"), ('{"as_of": 1}', "/as_of is not a date such as 2026-10-09")]:
        path.write_text(content)
        done = program.run("--prices", "mine.json", "--ask", "hello")
        assert done.returncode == 2
        assert done.stderr == f"pyaichat: mine.json: the price table cannot be used: {sentence}\n"


def test_the_offline_provider_costs_nothing(program):
    reports, done = program.ask_json("--exec", "x = 1", "--max-cost", "0.01", "--ask", "what type is x?")
    assert done.returncode == 0 and reports[0]["cost_dollars"] == 0
