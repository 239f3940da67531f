"""The doubles for tests of users: the scripted model, the emulator, the fixtures."""

import inspect
import subprocess
import sys

import pytest

import pyaichat as ai
from pyaichat.testing import GeminiEmulator, ScriptedModel, call, fail, say, wait


def price(item: str) -> float:
    """What an item costs."""
    return {"door": 3.5}[item]


def test_a_scripted_model_responds_in_order():
    model = ScriptedModel(call("price", item="door"), say("A door costs 3.5 EUR."))
    answer = ai.Agent(model, capabilities=[price], namespace=None).ask("how much is a door?")
    assert answer.text == "A door costs 3.5 EUR." and model.left == 0
    assert answer.calls[0].reply == {"ok": True, "result": 3.5}


def test_a_scripted_model_keeps_its_requests():
    model = ScriptedModel(call("price", item="door"), say("done"))
    ai.Agent(model, capabilities=[price], namespace=None, instructions="Sell.").ask("how much is a door?")
    first, second = model.requests
    assert first.instructions == "Sell." and first.messages[-1].text == "how much is a door?"
    assert [each["name"] for each in first.functions] == ["price"] and first.mode == "automatic" and 0 < first.time_left <= 8
    assert second.messages[-1].replies[0]["reply"] == {"ok": True, "result": 3.5}


def test_a_scripted_model_that_is_asked_too_often_fails():
    model = ScriptedModel(call("price", item="door"))
    answer = ai.Agent(model, capabilities=[price], namespace=None).ask("how much is a door?")
    assert answer.reason == "provider_failed" and "only 1 entries" in answer.error.message


def test_a_script_may_have_functions_texts_and_failures():
    model = ScriptedModel(fail(retry_after=0.01), lambda request: request.messages[-1].text.upper())
    agent = ai.Agent(model, namespace=None)
    assert agent.ask("hello").text == "HELLO"
    model.add("plain")
    assert agent.ask("hello").text == "plain" and repr(model) == "<ScriptedModel: 0 of 3 entries left>"


def test_a_slow_model_meets_the_timeout():
    agent = ai.Agent(ScriptedModel(wait(3, "late")), namespace=None, limits=ai.Limits(step_timeout=0.05, total_timeout=0.1))
    assert agent.ask("hello").reason in ("step_timeout", "total_timeout")


def test_a_call_without_a_name_is_corrected_once():
    model = ScriptedModel(ai.Response(calls=[ai.Call("")]), say("done"))
    answer = ai.Agent(model, namespace=None).ask("hello")
    assert answer.text == "done" and answer.steps == 2


def test_the_emulator_answers_over_http():
    doors = [1, 2, 3]
    with GeminiEmulator({"calls": [{"name": "get_repr", "args": {"expr": "doors"}}]}, {"text": "Three doors."}) as gemini:
        answer = ai.Agent(gemini.model()).ask("which doors are there?")
        assert answer.text == "Three doors." and gemini.left == 0 and doors
        first, second = gemini.requests
        assert first["path"].endswith("streamGenerateContent") and not first["refused"]
        assert "[1, 2, 3]" in str(second["body"])


def test_the_emulator_streams():
    with GeminiEmulator({"deltas": ["Hel", "lo."]}) as gemini:
        events = ai.Agent(gemini.model(), namespace=None).stream("hello?")
        assert [event.text for event in events if isinstance(event, ai.TextDelta)] == ["Hel", "lo."]


def test_the_emulator_can_fail_and_the_loop_retries():
    with GeminiEmulator({"overloaded": True}, {"text": "Hello."}) as gemini:
        answer = ai.Agent(gemini.model(), namespace=None).ask("hello?")
        assert answer.text == "Hello." and [event for event in answer.events if isinstance(event, ai.RetryScheduled)]


def test_a_wrong_key_is_named_without_being_shown():
    with GeminiEmulator({"text": "Hello."}) as gemini:
        model = ai.Model("gemini", "gemini-3.8-flash", api_key="wrong-key-1", base_url=gemini.base_url)
        answer = ai.Agent(model, namespace=None).ask("hello?")
        assert answer.reason == "provider_failed" and answer.error.code == "authentication"
        assert "wrong-key-1" not in repr(answer) + answer.text + repr(model)


def test_a_conversation_keeps_the_signatures_of_the_service():
    calls = {"calls": [{"name": "price", "args": {"item": "door"}}], "signature": "c2lnbmVk"}
    with GeminiEmulator(calls, {"text": "3.5"}, {"text": "again"}) as gemini:
        agent = ai.Agent(gemini.model(), capabilities=[price], namespace=None)
        answer = agent.ask("how much is a door?")
        agent.ask("really?", history=answer.messages)
        assert "c2lnbmVk" in str(gemini.requests[-1]["body"])


def test_the_schema_of_a_function_is_what_the_service_takes():
    with GeminiEmulator({"text": "done"}) as gemini:
        ai.Agent(gemini.model(), capabilities=[price], namespace=None).ask("hello?")
        (tools,) = gemini.requests[0]["body"]["tools"]
        assert tools["functionDeclarations"][0]["parametersJsonSchema"]["properties"] == {"item": {"type": "string"}}


def test_a_script_with_a_mistake_is_refused():
    with pytest.raises(ai.ConfigurationError, match="replies"):
        GeminiEmulator({"texd": "Hello."})


def test_an_emulator_that_was_stopped_says_so():
    gemini = GeminiEmulator({"text": "Hello."})
    gemini.stop()
    with pytest.raises(ai.Error, match="stopped"):
        gemini.requests


def test_the_fixture_of_the_scripted_model(scripted_model):
    scripted_model.add("hello")
    assert ai.Agent(scripted_model, namespace=None).ask("hello?").text == "hello"


def test_the_fixture_of_the_emulator(gemini_emulator):
    gemini_emulator.add({"text": "hello"})
    assert ai.Agent(gemini_emulator.model(), namespace=None).ask("hello?").text == "hello"


def test_the_fixture_fails_a_test_that_leaves_entries(tmp_path):
    (tmp_path / "conftest.py").write_text("pytest_plugins = ['pyaichat.fixtures']\n")
    (tmp_path / "test_it.py").write_text("def test_it(scripted_model):\n    scripted_model.add('never')\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "1 entries of the script were not used" in done.stdout


# models by name


@pytest.mark.parametrize(
    ("service", "variable"),
    [
        ("gemini", "GEMINI_API_KEY"),
        ("gemini:gemini-3.8-flash", "GEMINI_API_KEY"),
        ("openai", "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-5-5", "ANTHROPIC_API_KEY"),
        ("mistral:small", "MISTRAL_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(service, variable, monkeypatch):
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ai.ConfigurationError, match=f"needs a key: set {variable} in the environment$"):
        ai.Agent(service)


def test_a_key_in_the_environment_is_used(monkeypatch):
    with GeminiEmulator({"text": "Hello."}) as gemini:
        monkeypatch.setenv("GEMINI_API_KEY", "test-key")
        monkeypatch.setenv("GEMINI_BASE_URL", gemini.base_url)
        agent = ai.Agent("gemini:gemini-3.8-flash", namespace=None)
        assert agent.model == "gemini:gemini-3.8-flash" and agent.ask("hello?").text == "Hello."


def test_a_server_on_the_own_machine_needs_a_model(monkeypatch):
    monkeypatch.delenv("OPENAI_MODEL", raising=False)
    with pytest.raises(ai.ConfigurationError, match="ollama needs a model: name one, or set OPENAI_MODEL in the environment"):
        ai.Agent("ollama")
    assert repr(ai.Agent("ollama:qwen3")) == "<Agent ollama:qwen3, 0 capabilities>"


def test_an_unknown_service_gets_the_list():
    with pytest.raises(ai.ConfigurationError, match="there is no provider 'gemni' .*offline, gemini, anthropic"):
        ai.Agent("gemni")


def test_http_to_another_machine_is_refused():
    with pytest.raises(ai.ConfigurationError, match="use https://"):
        ai.Model("gemini", api_key="k", base_url="http://example.com")


def test_a_model_of_another_type_is_refused():
    with pytest.raises(ai.ConfigurationError, match="a model is a string, a Model or a function, not int"):
        ai.Agent(3)


def test_two_agents_share_a_model():
    model = ai.Model("offline")
    gate = 17
    assert ai.Agent(model).ask("what is gate?").text == ai.Agent(model).ask("what is gate?").text and gate


def test_every_double_has_a_docstring():
    for name in ("GeminiEmulator", "ScriptedModel", "call", "fail", "say", "wait"):
        assert inspect.getdoc(getattr(sys.modules["pyaichat.testing"], name))
