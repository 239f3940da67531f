"""Asking: the answer, the variables that it is about, and the ways in which a run ends."""

import pickle
import re
import subprocess
import sys
import threading
import time
import types

import pytest

import pyaichat as ai
from models import calling

doors = [1, 2, 3]


@pytest.fixture
def agent():
    return ai.Agent("offline")


def test_an_answer_is_about_the_variables_of_the_module_that_asks(agent):
    answer = agent.ask("what is doors?")
    assert str(answer) == "`doors` is a list of 3 items: [1, 2, 3]"
    assert answer.reason == "complete" and not answer.degraded and answer.steps == 2


def test_an_answer_is_about_the_variables_of_the_function_that_asks(agent):
    windows = {"a": 1}
    assert "dict of 1 item" in agent.ask("what is windows?").text
    assert windows


def test_a_variable_of_the_function_hides_one_of_the_module(agent):
    doors = "closed"
    assert "closed" in agent.ask("what is doors?").text
    assert doors


def test_an_answer_is_about_a_module_that_was_given():
    module = types.ModuleType("a_module")
    module.gate = 17
    assert "17" in ai.Agent("offline", namespace=module).ask("what is gate?").text


def test_an_answer_is_about_a_dict_that_was_given():
    assert "17" in ai.Agent("offline", namespace={"gate": 17}).ask("what is gate?").text


def test_a_view_of_variables_leaves_no_module_behind():
    before = set(sys.modules)
    ai.Agent("offline", namespace={"gate": 17}).ask("what is gate?")
    assert not [name for name in set(sys.modules) - before if name.startswith("pyaichat_caller")]


def test_an_agent_without_a_namespace_has_only_its_own_capabilities():
    seen = []

    def model(request):
        seen.extend(each["name"] for each in request.functions)
        return "done"

    ai.Agent(model, namespace=None).ask("what is there?")
    assert seen == []


def test_another_namespace_is_refused():
    with pytest.raises(ai.ConfigurationError, match="module, a dict or None, not int"):
        ai.Agent("offline", namespace=3).ask("what is x?")


class Tripwire:
    ran = 0

    def __getattribute__(self, name):
        Tripwire.ran += 1
        return object.__getattribute__(self, name)

    def __repr__(self):
        Tripwire.ran += 1
        return "ran"

    def __len__(self):
        Tripwire.ran += 1
        return 0

    def __iter__(self):
        Tripwire.ran += 1
        return iter(())

    def __hash__(self):
        Tripwire.ran += 1
        return 0

    def __eq__(self, other):
        Tripwire.ran += 1
        return False

    @property
    def lazy(self):
        Tripwire.ran += 1
        return 0


def test_looking_at_an_object_runs_none_of_its_code(agent):
    wire = Tripwire()
    Tripwire.ran = 0
    for question in ("what is wire?", "which variables are there?", "what can wire do?", "what type is wire?", "how long is wire?"):
        answer = agent.ask(question)
        assert answer.calls
    assert Tripwire.ran == 0
    assert wire is not None


def test_calls_say_their_tier(agent):
    call = agent.ask("what is doors?").calls[0]
    assert call.name == "inspect" and call.ok and call.tier == 0 and not call.ran_user_code


def test_a_question_in_which_a_name_is_unknown_names_it(agent):
    assert "doorz" in agent.ask("what is doorz?").text


def test_a_question_is_a_str(agent):
    with pytest.raises(TypeError, match="a question is a str, not int"):
        agent.ask(3)


def test_a_blank_question_is_misconfigured(agent):
    assert agent.ask("  ").reason == "misconfigured"


def test_history_continues_a_conversation():
    def model(request):
        return " / ".join(message.text for message in request.messages)

    agent = ai.Agent(model, namespace=None)
    first = agent.ask("my name is Ada")
    second = agent.ask("and now?", history=first.messages)
    assert second.text == "my name is Ada / my name is Ada / and now?"


def test_history_of_another_type_is_refused(agent):
    with pytest.raises(TypeError, match="history is the `messages` of an answer"):
        agent.ask("what is doors?", history=["hello"])


def test_context_precedes_the_question():
    agent = ai.Agent(lambda request: request.messages[-1].text, namespace=None)
    assert agent.ask("and?", context="It rains.").text.startswith("It rains.")


def test_instructions_reach_the_model():
    agent = ai.Agent(lambda request: request.instructions, namespace=None, instructions="You are a gate.")
    assert agent.ask("who?").text == "You are a gate."


def test_the_limit_of_steps_ends_a_run():
    agent = ai.Agent(calling("list_globals"), limits=ai.Limits(max_steps=1))
    answer = agent.ask("what is there?")
    assert answer.reason == "max_steps" and answer.degraded and answer.steps == 1
    with pytest.raises(ai.LimitReached) as caught:
        answer.raise_if_degraded()
    assert caught.value.answer is answer


def test_the_total_timeout_ends_a_run():
    agent = ai.Agent(lambda request: time.sleep(5) or "late", namespace=None, limits=ai.Limits(step_timeout=0.1, total_timeout=0.2))
    began = time.monotonic()
    answer = agent.ask("are you there?")
    assert answer.reason in ("step_timeout", "total_timeout")
    assert time.monotonic() - began < 2


def test_an_invalid_limit_is_refused_by_name():
    with pytest.raises(ai.ConfigurationError, match="max_steps"):
        ai.Limits(max_steps=0)
    with pytest.raises(TypeError, match="max_steps is a whole number, not 1.5"):
        ai.Limits(max_steps=1.5)
    with pytest.raises(TypeError, match="no argument 'max_step'"):
        ai.Limits(max_step=3)


@pytest.mark.parametrize("name, value, said", [
    ("max_steps", 2**80, "max_steps is at most 2147483647"),
    ("max_reply_bytes", -1, "max_reply_bytes is at least 0, not -1"),
    ("max_tokens_total", 2**80, "max_tokens_total is at most"),
    ("total_timeout", 10**400, "total_timeout is at most"),
    ("max_cost", 10**400, "max_cost is at most"),
])
def test_a_limit_that_no_number_of_the_compiled_module_holds_is_refused(name, value, said):
    with pytest.raises(ai.ConfigurationError, match=said):
        ai.Limits(**{name: value})


def test_limits_of_another_type_are_refused():
    with pytest.raises(ai.ConfigurationError, match="limits are of type Limits, not dict"):
        ai.Agent("offline", limits={"max_steps": 3})


def test_a_complete_answer_does_not_raise(agent):
    answer = agent.ask("what is doors?")
    assert answer.raise_if_degraded() is answer


def test_a_provider_that_raises_degrades_the_answer():
    def model(request):
        raise RuntimeError("broken pipe")

    answer = ai.Agent(model, namespace=None).ask("are you there?")
    assert answer.reason == "provider_failed"
    assert "RuntimeError: broken pipe" in answer.error.message
    with pytest.raises(ai.ModelFailed):
        answer.raise_if_degraded()


def test_a_provider_that_is_rate_limited_says_for_how_long():
    def model(request):
        raise ai.ProviderError("slow down", code="rate_limited", retry_after=60)

    answer = ai.Agent(model, namespace=None).ask("are you there?")
    assert answer.reason == "rate_limited" and answer.error.retry_after == 60
    with pytest.raises(ai.RateLimited):
        answer.raise_if_degraded()


def test_an_attempt_that_fails_for_a_moment_is_repeated():
    attempts = []

    def model(request):
        attempts.append(request)
        if len(attempts) == 1:
            raise ai.ProviderError("overloaded", retry_after=0.01)
        return "here"

    answer = ai.Agent(model, namespace=None).ask("are you there?")
    assert answer.text == "here" and len(attempts) == 2
    assert [event.why for event in answer.events if isinstance(event, ai.RetryScheduled)]


@pytest.mark.parametrize("returned", [3, object(), [3]])
def test_a_provider_that_returns_something_else_fails_with_the_type(returned):
    answer = ai.Agent(lambda request: returned, namespace=None).ask("are you there?")
    assert answer.reason == "provider_failed" and type(returned[0] if isinstance(returned, list) else returned).__name__ in answer.error.message


def test_usage_adds_up():
    agent = ai.Agent(lambda request: ai.Response("hello", usage=(12, 3)), namespace=None)
    assert agent.ask("hello?").usage == ai.Usage(input_tokens=12, output_tokens=3, cached_tokens=0, thought_tokens=0)


def test_thoughts_are_not_part_of_the_text():
    answer = ai.Agent(lambda request: iter([ai.Response(thoughts="hm"), "yes"]), namespace=None).ask("well?")
    assert answer.text == "yes"
    assert [event.text for event in answer.events if isinstance(event, ai.ThoughtDelta)] == ["hm"]


def test_a_text_that_was_cut_is_degraded():
    answer = ai.Agent(lambda request: ai.Response("It was", finish="length"), namespace=None).ask("well?")
    assert answer.reason == "truncated" and answer.text.startswith("It was")


def test_events_are_numbered_without_gaps(agent):
    events = agent.ask("what is doors?").events
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert isinstance(events[0], ai.RunStarted) and isinstance(events[-1], ai.RunFinished)


def test_an_answer_can_be_pickled(agent):
    answer = agent.ask("what is doors?")
    copy = pickle.loads(pickle.dumps(answer))
    assert copy == answer and repr(copy) == repr(answer) and copy.messages == answer.messages


def test_a_pickled_conversation_continues():
    agent = ai.Agent(lambda request: str(len(request.messages)), namespace=None)
    messages = pickle.loads(pickle.dumps(agent.ask("one").messages))
    assert agent.ask("two", history=messages).text == "3"


def test_an_agent_says_why_it_cannot_be_pickled(agent):
    with pytest.raises(ai.Error, match="an Agent cannot be pickled"):
        pickle.dumps(agent)


def test_an_exception_of_the_module_can_be_pickled(agent):
    error = ai.ProviderError("slow", code="rate_limited", retry_after=3, hint="wait")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "slow (wait)" and copy.code == "rate_limited" and copy.retry_after == 3
    answer = ai.Agent(calling("list_globals"), limits=ai.Limits(max_steps=1)).ask("what is there?")
    degraded = pickle.loads(pickle.dumps(ai.LimitReached(answer)))
    assert degraded.answer == answer and str(degraded) == str(ai.LimitReached(answer))


def test_messages_are_a_sequence(agent):
    messages = agent.ask("what is doors?").messages
    assert len(messages) == len(list(messages)) and messages[0].role == "user" and messages[-1].role == "model"
    assert messages[0].text == "what is doors?"
    assert any(message.calls for message in messages) and any(message.replies for message in messages)
    with pytest.raises(IndexError):
        messages[len(messages)]


def test_messages_can_be_made_of_texts():
    history = ai.Messages.of(("user", "my name is Ada"), ("model", "Hello Ada."))
    agent = ai.Agent(lambda request: request.messages[0].text, namespace=None)
    assert agent.ask("who am I?", history=history).text == "my name is Ada"
    with pytest.raises(ValueError, match="'user' or 'model', not 'system'"):
        ai.Messages.of(("system", "hello"))


def test_values_can_be_withheld():
    secretive = ai.Agent("offline", values="schema")
    plain = "a text that nobody may see"
    answer = secretive.ask("what is plain?")
    assert "nobody" not in answer.text and plain


def test_names_can_be_hidden():
    hidden_door = "a text that nobody may see"
    answer = ai.Agent("offline", hide=["hidden_*"]).ask("which variables are there?")
    assert "hidden_door" not in answer.text and hidden_door


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"eval_policy": "anything"}, "there is no eval_policy 'anything'"),
        ({"values": "some"}, "values are 'full', 'schema' or a number"),
        ({"values": 0}, "values are 'full', 'schema' or a number"),
        ({"journal": "/no/such/folder/journal"}, "journal"),
        ({"approval": 3}, "approval is a function"),
    ],
)
def test_options_that_do_not_exist_are_refused(arguments, text):
    with pytest.raises(ai.ConfigurationError, match=text):
        ai.Agent("offline", **arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"hide": "secret_*"}, "hide is a list of texts, not a text"),
        ({"hide": [1]}, "each text of hide is a str, not int"),
        ({"hooks": [1]}, "hooks are a list of objects of type Hooks, not of int"),
        ({"instructions": 1}, "instructions is a str, not int"),
    ],
)
def test_options_of_another_type_are_refused(arguments, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        ai.Agent("offline", **arguments)


def test_no_message_shows_a_key():
    key = "sk-very-secret-key"
    for arguments in ({"base_url": None}, {"model": 3}, {"model": "\ud800"}, {"api_key": key + "\ud800"}):
        with pytest.raises((TypeError, ValueError)) as caught:
            ai.Model("gemini", **{"api_key": key, **arguments})
        assert "very-secret" not in str(caught.value)


def test_half_of_a_surrogate_pair_is_refused_with_its_place(agent):
    with pytest.raises(ValueError, match="a question has half of a surrogate pair at 5"):
        agent.ask("what \ud800?")


def test_a_module_with_attribute_functions_of_its_own_is_looked_at_without_them():
    class Touchy(types.ModuleType):
        touched = 0

        def __getattribute__(self, name):
            Touchy.touched += 1
            return super().__getattribute__(name)

    module = Touchy("touchy")
    vars(types.ModuleType)["__dict__"].__get__(module)["doors"] = [1, 2]
    before = Touchy.touched
    assert "[1, 2]" in ai.Agent("offline", namespace=module).ask("what is doors?").text
    assert Touchy.touched == before


def test_variables_may_change_while_a_question_is_asked():
    names = {"doors": [1, 2]}
    done = threading.Event()

    def change():
        number = 0
        while not done.is_set():
            number += 1
            names[f"name_{number % 50}"] = number
            names.pop(f"name_{(number + 25) % 50}", None)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        agent = ai.Agent(lambda request: "done", namespace=names)
        for _ in range(200):
            assert agent.ask("x").text == "done"
    finally:
        done.set()
        thread.join()


def test_expressions_that_need_code_run_in_a_copy_of_the_process():
    class Counter:
        def __init__(self):
            self.asked = 0

        @property
        def value(self):
            self.asked += 1
            return 42

    counter = Counter()
    answer = ai.Agent(calling("eval_expr", {"expr": "counter.value"})).ask("what is the value?")
    (call,) = answer.calls
    assert call.reply["result"]["value_repr"] == "42" and call.tier == 2 and call.ran_user_code
    assert counter.asked == 0


def test_expressions_that_need_code_are_refused_where_the_policy_says_so():
    class Lazy:
        @property
        def value(self):
            return 42

    lazy = Lazy()
    answer = ai.Agent(calling("eval_expr", {"expr": "lazy.value"}), eval_policy="structural").ask("what is the value?")
    assert answer.calls[0].reply["error"]["code"] == "not_allowed" and lazy


@pytest.mark.parametrize("policy", ["snapshot", "unrestricted"])
def test_a_call_says_that_code_ran_also_if_it_failed_or_took_too_long(policy):
    class Failing:
        def fail(self):
            raise ValueError

        def wait(self):
            time.sleep(3 if policy == "snapshot" else 0.5)

    failing = Failing()
    asked = []

    def model(request):
        asked.append(request)
        calls = [ai.Call("eval_expr", {"expr": "failing.fail()"}), ai.Call("eval_expr", {"expr": "failing.wait()"})]
        return ai.Response(calls=calls) if len(asked) == 1 else "done"

    answer = ai.Agent(model, eval_policy=policy, limits=ai.Limits(call_timeout=0.4)).ask("does it fail?")
    failed, late = answer.calls
    assert not failed.ok and failed.ran_user_code and failed.looked and failed.tier == (2 if policy == "snapshot" else 3), failed.reply
    assert not late.ok and late.ran_user_code and failing, late.reply


class Broken(Exception):
    ran = 0

    def __str__(self):
        Broken.ran += 1
        return "ran"

    __repr__ = __str__

    def __bool__(self):
        Broken.ran += 1
        return True

    def __getattribute__(self, name):
        Broken.ran += 1
        return Exception.__getattribute__(self, name)


def test_a_question_in_an_except_block_is_about_the_exception(agent):
    def divide(by):
        return 1 / by

    try:
        divide(0)
    except ZeroDivisionError:
        text = agent.ask("why did it fail?").text
    assert "ZeroDivisionError" in text and "division by zero" in text and "divide" in text
    assert "ZeroDivisionError" not in agent.ask("why did it fail?").text


def test_looking_at_an_exception_runs_none_of_its_code(agent):
    Broken.ran = 0
    try:
        raise Broken("no door", 3)
    except Broken:
        Broken.ran = 0
        answer = agent.ask("why did it fail?")
        assert Broken.ran == 0
    assert "Broken" in answer.text and "no door" in answer.text


def test_looking_at_the_last_uncaught_exception_runs_none_of_its_code(agent, monkeypatch):
    monkeypatch.setattr(sys, "last_exc", None, raising=False)
    monkeypatch.setattr(sys, "last_value", Broken("no door"), raising=False)
    Broken.ran = 0
    assert "no door" in agent.ask("what failed?").text and Broken.ran == 0


def test_a_question_after_an_uncaught_exception_of_a_session_is_about_it(agent, monkeypatch):
    try:
        {}["gate"]
    except KeyError as error:
        monkeypatch.setattr(sys, "last_value", error, raising=False)
        monkeypatch.setattr(sys, "last_exc", error, raising=False)
    assert "KeyError" in agent.ask("what failed?").text


def test_a_journal_records_runs(tmp_path):
    path = tmp_path / "runs.jsonl"
    ai.Agent("offline", journal=str(path)).ask("what is doors?")
    assert "what is doors?" in path.read_text()


def test_a_script_asks_about_its_own_variables():
    script = "import pyaichat as ai; gates = {'a': 1}; print(ai.Agent('offline').ask('what is gates?'))"
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "`gates` is a dict of 1 item: {'a': 1}\n" and done.stderr == "" and done.returncode == 0


def test_an_agent_that_still_works_does_not_keep_the_program_from_ending():
    script = "import pyaichat as ai, time; s = ai.Agent(lambda r: time.sleep(30), namespace=None).stream('x'); next(s); next(s)"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "" and time.monotonic() - began < 10
