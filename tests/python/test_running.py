"""How runs run: streams, event loops, threads, Ctrl-C, fork."""

import asyncio
import contextvars
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import pyaichat as ai
from models import calling, error_of, replies, result_of
from pyaichat.testing import wait

doors = [1, 2, 3]


def settled(measure, seconds=5):
    """A measure that is 0 or less, or what it still is after some seconds: a thread of the SDK may hold the last run a little longer."""
    end = time.monotonic() + seconds
    while measure() > 0 and time.monotonic() < end:
        ai.Agent("offline", namespace=None).ask("help")
    return measure()


def slowly(*pieces, pause=0.02):
    """A model that streams pieces of text."""

    def model(request):
        for piece in pieces:
            yield piece
            time.sleep(pause)

    return model


# streams


def test_a_stream_gives_text_as_it_comes():
    stream = ai.Agent(slowly("one ", "two ", "three"), namespace=None).stream("count")
    assert [event.text for event in stream if isinstance(event, ai.TextDelta)] == ["one ", "two ", "three"]
    assert stream.answer.text == "one two three" and repr(stream) == "<Stream: ended>"


def test_text_is_shown_before_the_model_is_done():
    done = threading.Event()

    def model(request):
        yield "first"
        done.wait(10)
        yield "second"

    for event in ai.Agent(model, namespace=None).stream("count"):
        if isinstance(event, ai.TextDelta):
            break
    assert event.text == "first" and not done.is_set()
    done.set()


def test_leaving_a_stream_cancels_the_run():
    cancelled = threading.Event()

    def model(request):
        try:
            for number in range(1000):
                yield str(number)
                time.sleep(0.01)
        finally:
            cancelled.set()

    with ai.Agent(model, namespace=None).stream("count") as stream:
        for event in stream:
            if isinstance(event, ai.TextDelta):
                break
    assert cancelled.wait(5) and repr(stream) == "<Stream: cancelled>"
    assert list(stream) == []
    with pytest.raises(ai.Error, match="no answer"):
        stream.answer


def test_a_stream_that_is_dropped_cancels_the_run():
    cancelled = threading.Event()

    def model(request):
        try:
            while True:
                yield "a"
                time.sleep(0.01)
        finally:
            cancelled.set()

    stream = ai.Agent(model, namespace=None).stream("count")
    for event in stream:
        if isinstance(event, ai.TextDelta):
            break
    del stream
    assert cancelled.wait(5)


def test_a_stream_has_the_same_events_as_its_answer():
    stream = ai.Agent("offline").stream("what is doors?")
    assert list(stream) == stream.answer.events


def test_events_can_be_matched():
    names = []
    for event in ai.Agent("offline").stream("what is doors?"):
        match event:
            case ai.CallFinished(name=name, took=took):
                names.append(name)
                assert took >= 0
            case ai.RunFinished(reason=reason):
                assert reason == "complete"
    assert names == ["inspect", "get_repr"]


def test_events_cannot_be_changed():
    event = next(ai.Agent("offline").stream("what is doors?"))
    with pytest.raises(AttributeError, match="RunStarted cannot be changed"):
        event.question = "another"
    assert event.question == "what is doors?" and hash(event) == hash(event)


def test_output_of_a_stream_in_a_function_is_about_that_function():
    windows = (1, 2)
    stream = ai.Agent("offline").stream("what is windows?")
    list(stream)
    assert "tuple of 2" in stream.answer.text and windows


# event loops


def test_an_answer_can_be_awaited():
    async def main():
        gates = {"a": 1}
        return await ai.Agent("offline").ask_async("what is gates?"), gates

    answer, _ = asyncio.run(main())
    assert "dict of 1 item" in answer.text


def test_the_event_loop_is_not_blocked_while_the_model_thinks():
    async def main():
        ticks = 0
        task = asyncio.ensure_future(ai.Agent(wait(0.3, "done"), namespace=None).ask_async("think"))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks, task.result().text

    ticks, text = asyncio.run(main())
    assert ticks > 10 and text == "done"


def test_the_event_loop_is_not_blocked_by_a_capability():
    def sleep() -> str:
        """Sleeps."""
        time.sleep(0.3)
        return "slept"

    async def main():
        ticks = 0
        task = asyncio.ensure_future(ai.Agent(calling("sleep"), namespace=None, capabilities=[sleep]).ask_async("sleep"))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks, task.result()

    ticks, answer = asyncio.run(main())
    assert ticks > 10 and result_of(answer) == "slept"


def test_coroutines_run_in_the_loop_of_the_caller():
    async def main():
        loop = asyncio.get_running_loop()
        seen = []

        async def fetch() -> str:
            """Fetches."""
            seen.append(asyncio.get_running_loop() is loop)
            await asyncio.sleep(0.01)
            return "fetched"

        answer = await ai.Agent(calling("fetch"), namespace=None, capabilities=[fetch]).ask_async("fetch")
        return seen, answer

    seen, answer = asyncio.run(main())
    assert seen == [True] and result_of(answer) == "fetched"


def test_context_variables_reach_functions():
    who = contextvars.ContextVar("who", default="nobody")

    def look() -> str:
        """Looks."""
        return who.get()

    async def main():
        who.set("Ada")
        return await ai.Agent(calling("look"), namespace=None, capabilities=[look]).ask_async("who?")

    assert result_of(asyncio.run(main())) == "Ada"


def test_cancelling_the_task_cancels_the_run_and_its_calls():
    ended = []

    async def main():
        async def fetch() -> None:
            """Fetches."""
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                ended.append("fetch")
                raise

        task = asyncio.ensure_future(ai.Agent(calling("fetch"), namespace=None, capabilities=[fetch]).ask_async("fetch"))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    began = time.monotonic()
    asyncio.run(main())
    assert ended == ["fetch"] and time.monotonic() - began < 5


def test_many_questions_at_a_time_share_one_loop():
    async def main():
        agent = ai.Agent(wait(0.1, "done"), namespace=None)
        return await asyncio.gather(*(agent.ask_async("think") for _ in range(20)))

    began = time.monotonic()
    assert [answer.text for answer in asyncio.run(main())] == ["done"] * 20
    assert time.monotonic() - began < 3


def test_a_question_with_coroutines_inside_of_a_loop_names_the_way_out():
    async def fetch() -> None:
        """Fetches."""

    async def main():
        agent = ai.Agent("offline", capabilities=[fetch])
        with pytest.raises(ai.ConfigurationError, match="'fetch' is a coroutine.*await agent.ask_async"):
            agent.ask("what is there?")

    asyncio.run(main())


def test_a_question_inside_of_a_loop_works_without_coroutines():
    async def main():
        return ai.Agent("offline").ask("what is doors?").reason

    assert asyncio.run(main()) == "complete"


def test_a_run_leaves_no_descriptor_in_the_loop():
    async def main():
        agent = ai.Agent("offline", namespace={"doors": doors})
        await agent.ask_async("what is doors?")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(50):
            await agent.ask_async("what is doors?")
        return len(os.listdir("/proc/self/fd")) - before

    assert asyncio.run(main()) <= 0


# Ctrl-C


def interrupted(script):
    """Runs a script, sends SIGINT when it has written a line, and returns its output and how long it took to end."""
    program = subprocess.Popen(
        [sys.executable, "-X", "dev", "-W", "error", "-u", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout.readline() == "ready\n"
    time.sleep(0.2)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=30)
    assert program.returncode == 0, err
    return out.strip(), err


PREAMBLE = """
import pyaichat as ai, time
def model(request):
    print("ready"); time.sleep(20); return "late"
def took(action):
    began = [0.0]
    import signal
    def note(number, frame):
        began[0] = time.monotonic(); raise KeyboardInterrupt
    signal.signal(signal.SIGINT, note)
    try:
        action()
    except KeyboardInterrupt:
        print(int((time.monotonic() - began[0]) * 1000))
"""


def test_ctrl_c_ends_a_question_within_100_ms():
    out, err = interrupted(PREAMBLE + "took(lambda: ai.Agent(model, namespace=None).ask('x'))")
    assert int(out) < 100 and err == ""


def test_ctrl_c_ends_a_stream_within_100_ms():
    out, err = interrupted(PREAMBLE + "took(lambda: list(ai.Agent(model, namespace=None).stream('x')))")
    assert int(out) < 100 and err == ""


def test_ctrl_c_in_a_capability_reaches_the_caller():
    script = """
def slow() -> None:
    'Slow.'
    print("ready"); time.sleep(20)
agent = ai.Agent(lambda r: ai.Response(calls=[ai.Call("slow")]), namespace=None, capabilities=[slow], limits=ai.Limits(call_timeout=20, total_timeout=60))
took(lambda: agent.ask('x'))
"""
    out, err = interrupted(PREAMBLE + script)
    assert int(out) < 500 and err == ""


@pytest.mark.parametrize("policy", ["snapshot", "unrestricted"])
def test_ctrl_c_in_an_expression_of_the_model_reaches_the_caller(policy):
    script = f"""
class Slow:
    def wait(self):
        print("ready"); time.sleep(20)
slow = Slow()
print("ready")
agent = ai.Agent(lambda r: ai.Response(calls=[ai.Call("eval_expr", {{"expr": "slow.wait()"}})]), eval_policy="{policy}",
                 limits=ai.Limits(call_timeout=20, total_timeout=60))
took(lambda: agent.ask('x'))
"""
    out, err = interrupted(PREAMBLE + script)
    assert int(out.split()[-1]) < 1000 and err == ""


@pytest.mark.parametrize(
    "agent",
    [
        "ai.Agent(lambda r: time.sleep(3) or 'x', namespace=None)",
        "ai.Agent('offline', namespace={'doors': [1]}, capabilities=[])",
    ],
)
def test_the_program_may_end_while_a_daemon_thread_asks(agent):
    script = f"""
import pyaichat as ai, threading, time
def ask():
    while True:
        {agent}.ask("what is doors?")
threading.Thread(target=ask, daemon=True).start()
time.sleep(0.2)
"""
    for _ in range(5):
        done = subprocess.run([sys.executable, "-X", "dev", "-c", script], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_an_agent_works_on_after_ctrl_c():
    def interrupt() -> None:
        """Interrupts."""
        raise KeyboardInterrupt

    agent = ai.Agent(calling("interrupt"), namespace=None, capabilities=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        agent.ask("stop")
    assert ai.Agent("offline").ask("what is doors?").reason == "complete"


class Raising(ai.Hooks):
    """A hook in which something is raised."""

    def __init__(self, member, error):
        def member_of_hooks(*_):
            raise error

        setattr(self, member, member_of_hooks)


def order() -> str:
    """Orders a door."""
    return "ordered"


class Unlisted:
    def __init__(self, error):
        self.error = error

    def specs(self):
        raise self.error

    def invoke(self, name, arguments):
        raise AssertionError


def raising(error):
    """A function that raises an exception."""

    def function(*_):
        raise error

    return function


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)], ids=["interrupt", "exit"])
@pytest.mark.parametrize("place", ["approval", "on_question", "before_call", "after_call", "on_answer", "specs"])
def test_an_interrupt_in_a_function_of_the_person_reaches_the_caller(place, error):
    options = {"capabilities": [order]}
    if place == "approval":
        options["approval"] = raising(error)
    elif place == "specs":
        options["capabilities"] = [order, Unlisted(error)]
    else:
        options["hooks"] = [Raising(place, error)]
    agent = ai.Agent(calling("order"), namespace=None, **options)
    with pytest.raises(type(error)):
        agent.ask("order a door")
    with pytest.raises(type(error)):
        list(agent.stream("order a door"))


def test_ctrl_c_at_the_prompt_of_an_approval_reaches_the_caller():
    script = """
import pyaichat as ai, time
def order() -> str:
    "Orders a door."
    return "ordered"
def approve(call):
    print("ready")
    time.sleep(20)  # as a prompt waits
def model(request):
    return ai.Response(calls=[ai.Call("order")])
agent = ai.Agent(model, namespace=None, capabilities=[order], approval=approve)
try:
    agent.ask("order a door")
except KeyboardInterrupt:
    print("interrupted")
"""
    out, err = interrupted(script)
    assert out == "interrupted", err


def test_ctrl_c_while_a_provider_starts_reaches_the_caller(monkeypatch):
    def start(thread):
        raise KeyboardInterrupt

    agent = ai.Agent(slowly("one"), namespace=None)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        with pytest.raises(KeyboardInterrupt):
            agent.ask("hello?")
    assert agent.ask("hello?").text == "one"


def test_what_an_approval_function_raises_reaches_the_model_as_one_line():
    agent = ai.Agent(calling("order"), namespace=None, capabilities=[order], approval=raising(ValueError("closed")))
    (denied,) = [event for event in agent.ask("order a door").events if isinstance(event, ai.CallDenied)]
    assert denied.reply["error"]["message"] == "the approval policy failed: ValueError: closed"


def test_an_exit_in_a_capability_reaches_the_caller():
    def leave() -> None:
        """Leaves."""
        sys.exit(7)

    with pytest.raises(SystemExit) as caught:
        ai.Agent(calling("leave"), namespace=None, capabilities=[leave]).ask("leave")
    assert caught.value.code == 7


# threads


def in_threads(count, body):
    """Runs a function on several threads and returns its results, or raises its first exception."""
    results = [None] * count
    failures = []

    def run(index):
        try:
            results[index] = body(index)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if failures:
        raise failures[0]
    return results


def test_eight_threads_have_an_agent_each():
    def body(index):
        value = [0] * index
        texts = {ai.Agent("offline").ask("what is value?").text for _ in range(10)}
        assert len(texts) == 1 and len(value) == index
        return texts.pop()

    results = in_threads(8, body)
    assert "3 items" in results[3] and "7 items" in results[7]


def test_eight_threads_share_an_agent():
    agent = ai.Agent("offline")

    def body(index):
        value = [0] * index
        for _ in range(10):
            answer = agent.ask("what is value?")
            assert answer.reason == "complete", answer
        return answer.text, value

    results = in_threads(8, body)
    assert "3 items" in results[3][0] and "7 items" in results[7][0]


def test_the_first_questions_of_a_program_may_come_from_many_threads():
    script = """
import pyaichat as ai, threading
doors = [1, 2]
agent = ai.Agent("offline")
texts = []
start = threading.Barrier(8)
def ask():
    start.wait(); texts.append(str(agent.ask("what is doors?")))
threads = [threading.Thread(target=ask) for _ in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(len(texts), set(texts))
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "8 {'`doors` is a list of 2 items: [1, 2]'}\n", done.stderr


def test_a_stream_that_two_threads_use_is_refused():
    started = threading.Event()

    def model(request):
        started.set()
        time.sleep(1)
        return "done"

    stream = ai.Agent(model, namespace=None).stream("think")
    other = threading.Thread(target=lambda: list(stream))
    other.start()
    started.wait(5)
    try:
        with pytest.raises(ai.Error, match="used by another thread"):
            for _ in range(200):
                stream._running.native.wait(0.01)
    finally:
        other.join()


def test_other_threads_run_while_a_model_thinks():
    count = 0
    stop = threading.Event()

    def work():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    ai.Agent(wait(0.3, "done"), namespace=None).ask("think")
    stop.set()
    thread.join()
    assert count > 50


def test_a_capability_is_called_on_the_thread_that_asks():
    seen = []

    def look() -> None:
        """Looks."""
        seen.append(threading.get_ident())

    ai.Agent(calling("look"), namespace=None, capabilities=[look]).ask("look")
    assert seen == [threading.get_ident()]


def test_a_late_response_is_dropped():
    def model(request):
        time.sleep(0.3)
        return "late"

    agent = ai.Agent(model, namespace=None, limits=ai.Limits(step_timeout=0.05, total_timeout=0.1))
    assert agent.ask("think").degraded
    time.sleep(0.4)
    assert ai.Agent("offline").ask("what is doors?").reason == "complete"


# processes


def ask_in_child(queue):
    try:
        queue.put(ai.Agent("offline").ask("what is doors?").text)
    except ai.Error as error:
        queue.put(f"Error: {error}")


def answer_of_child(method):
    context = multiprocessing.get_context(method)
    queue = context.SimpleQueue()
    process = context.Process(target=ask_in_child, args=(queue,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    return queue.get()


def test_a_forked_child_gets_a_clear_error():
    ai.Agent("offline").ask("what is doors?")
    assert answer_of_child("fork").startswith("Error: this process was forked after pyaichat was used")


def test_a_spawned_child_works():
    assert "list of 3 items" in answer_of_child("spawn")


def test_a_child_that_is_forked_before_the_first_question_works():
    script = """
import os, pyaichat as ai
agent = ai.Agent("offline"); doors = [1, 2]
pid = os.fork()
os.write(1, f"{agent.ask('what is doors?')}\\n".encode())  # whole lines: both processes have this pipe
if pid: os.waitpid(pid, 0)
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "`doors` is a list of 2 items: [1, 2]\n" * 2, done.stderr


# what stays behind


def test_a_thousand_questions_leave_nothing_behind():
    import gc
    import resource

    def look(at: str) -> str:
        """Looks."""
        return at

    agent = ai.Agent(calling("look", {"at": "doors"}), namespace={"doors": doors}, capabilities=[look])
    offline = ai.Agent("offline")

    def counts():
        gc.collect()
        descriptors, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
        return len(gc.get_objects()), sys.getallocatedblocks(), (descriptors, threads, len(sys.modules))

    def memory():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def work(times):
        for _ in range(times):
            agent.ask("look at it")
            offline.ask("what is doors?")

    work(100)
    objects, blocks, others = counts()
    used = memory()
    work(500)
    objects_after, blocks_after, others_after = counts()
    assert objects_after - objects < 200 and blocks_after - blocks < 1000
    assert others_after == others and memory() - used < 8 << 20


async def coroutine_look(at: str) -> str:
    """Looks."""
    return at


def await_twice():
    async def both():
        agent = ai.Agent(calling("coroutine_look", {"at": "doors"}), capabilities=[coroutine_look])
        await asyncio.gather(agent.ask_async("look at it"), ai.Agent("offline").ask_async("what is doors?"))

    asyncio.run(both())


def leave_a_stream():
    for event in ai.Agent("offline").stream("what is doors?"):
        if isinstance(event, ai.CallStarted):
            break


def ask_about_an_exception():
    try:
        1 / 0
    except ZeroDivisionError:
        ai.Agent("offline").ask("why did it fail?")


def watch_a_variable():
    names = {"doors": [1]}
    watched = ai.watch("what is doors?", agent=ai.Agent("offline"), namespace=names)
    watched.check()
    names["doors"].append(2)
    watched.check()


def send_an_image():
    ai.Agent(lambda request: str(request.messages[-1].images), namespace=None).ask("what is it?", images=[b"GIF89a" + bytes(1000)])


def run_a_command():
    ai.Agent(calling("exec", {"command": "true"}), namespace=None, capabilities=[ai.shell(allow=["true"])]).ask("run it")


@pytest.mark.parametrize("work", [await_twice, leave_a_stream, ask_about_an_exception, watch_a_variable, send_an_image, run_a_command])
def test_other_ways_to_ask_leave_nothing_behind(work):
    import gc

    def counts():
        gc.collect()
        return sys.getallocatedblocks(), len(gc.get_objects()), len(os.listdir("/proc/self/fd"))

    for _ in range(20):
        work()
    blocks, objects, descriptors = counts()
    for _ in range(60):
        work()
    assert settled(lambda: counts()[2] - descriptors) <= 0
    assert settled(lambda: counts()[1] - objects - 60) <= 0
    assert settled(lambda: counts()[0] - blocks - 300) <= 0


def test_references_to_variables_are_released():
    class Thing:
        pass

    thing = Thing()
    before = sys.getrefcount(thing)
    for _ in range(20):
        ai.Agent("offline").ask("what is thing?")
        list(ai.Agent("offline").stream("what is thing?"))
    ai.Agent("offline", namespace=None).ask("what is there?")
    assert sys.getrefcount(thing) <= before


def test_threads_of_the_sdk_are_not_pythons():
    ai.Agent("offline").ask("what is doors?")
    assert [thread.name for thread in threading.enumerate() if "pyaichat" in thread.name] == []


def test_replies_are_seen_by_the_next_model_call():
    def look(at: str) -> str:
        """Looks."""
        return at.upper()

    def model(request):
        made = replies(request)
        return ai.Response(calls=[ai.Call("look", {"at": "a"}), ai.Call("look", {"at": "b"})]) if not made else str(made)

    answer = ai.Agent(model, namespace=None, capabilities=[look]).ask("look")
    assert answer.text == "[{'ok': True, 'result': 'A'}, {'ok': True, 'result': 'B'}]"


def test_a_call_that_is_denied_has_its_error():
    def look(at: int) -> None:
        """Looks."""
        raise ValueError("too far")

    assert error_of(ai.Agent(calling("look", {"at": 3}), namespace=None, capabilities=[look]).ask("look"))["details"]["message"] == "too far"
