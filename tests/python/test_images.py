"""Pictures with a question and in replies, and the cost of answers."""

import asyncio
import pickle

import pytest

import pyaichat as ai
from pyaichat.testing import GeminiEmulator

from models import calling

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 24
GIF = b"GIF89a" + b"\0" * 20


def images_of(request):
    return [image for message in request.messages for image in message.images]


def test_images_of_a_question_reach_the_model(tmp_path):
    seen = []

    def model(request):
        seen.extend(images_of(request))
        return "three"

    file = tmp_path / "door.gif"
    file.write_bytes(GIF)
    agent = ai.Agent(model, namespace=None)
    agent.ask("what is this?", images=[PNG, ai.Image(PNG), file, str(file)])
    assert [image.mime_type for image in seen] == ["image/png", "image/png", "image/gif", "image/gif"]
    assert seen[0].data == PNG and seen[3] == ai.Image(GIF)


def test_images_work_in_streams_and_coroutines():
    agent = ai.Agent(lambda request: str(len(images_of(request))), namespace=None)
    with agent.stream("how many?", images=[PNG]) as stream:
        list(stream)
    assert stream.answer.text == "1"
    assert asyncio.run(agent.ask_async("how many?", images=(PNG for _ in range(2)))).text == "2"


def test_an_image_goes_to_gemini_as_its_bytes():
    with GeminiEmulator({"text": "A door."}) as gemini:
        ai.Agent(gemini.model(), namespace=None).ask("what is this?", images=[PNG])
        parts = gemini.requests[0]["body"]["contents"][0]["parts"]
    assert [part["inlineData"]["mimeType"] for part in parts if "inlineData" in part] == ["image/png"]


def test_a_capability_may_return_an_image():
    def screenshot() -> ai.Image:
        """What the person sees."""
        return ai.Image(PNG)

    seen = []

    def model(request):
        made = [reply for message in request.messages for reply in message.replies]
        if not made:
            return ai.Response(calls=[ai.Call("screenshot")])
        seen.extend(made)
        return "a door"

    answer = ai.Agent(model, namespace=None, capabilities=[screenshot]).ask("what do I see?")
    assert seen[0]["images"] == [ai.Image(PNG)]
    assert answer.calls[0].reply == {"ok": True, "result": {"image": "image/png", "bytes": 32}}
    assert answer.calls[0].images == (ai.Image(PNG),)
    assert pickle.loads(pickle.dumps(answer)).calls[0].images == (ai.Image(PNG),)


def test_a_capability_may_return_several_images():
    def sides() -> list[ai.Image]:
        """Both sides of the door."""
        return [ai.Image(PNG), ai.Image(GIF)]

    answer = ai.Agent(calling("sides"), namespace=None, capabilities=[sides]).ask("show them")
    assert [image.mime_type for image in answer.calls[0].images] == ["image/png", "image/gif"]
    assert answer.calls[0].reply["result"] == [{"image": "image/png", "bytes": 32}, {"image": "image/gif", "bytes": 26}]


def test_an_empty_list_is_no_image():
    def sides() -> list[ai.Image]:
        """No side."""
        return []

    answer = ai.Agent(calling("sides"), namespace=None, capabilities=[sides]).ask("show them")
    assert answer.calls[0].reply == {"ok": True, "result": []} and answer.calls[0].images == ()


def test_images_are_limited():
    agent = ai.Agent(lambda request: "seen", namespace=None, limits=ai.Limits(max_images=1))
    assert agent.ask("one?", images=[PNG]).text == "seen"
    answer = agent.ask("two?", images=[PNG, PNG])
    assert answer.reason == "misconfigured" and "image" in answer.text
    small = ai.Agent(lambda request: "seen", namespace=None, limits=ai.Limits(max_image_bytes=16))
    assert small.ask("large?", images=[PNG]).reason == "misconfigured"


@pytest.mark.parametrize(
    ("images", "error", "text"),
    [
        (PNG, TypeError, "images is a list"),
        ([3], TypeError, "not int"),
        ([b"hello"], ValueError, "mime_type"),
        (["/does/not/exist.png"], FileNotFoundError, "exist"),
    ],
)
def test_what_is_not_an_image_is_refused(images, error, text):
    with pytest.raises(error, match=text):
        ai.Agent("offline", namespace=None).ask("what is this?", images=images)


def test_an_image_of_another_kind_needs_its_type():
    image = ai.Image(b"<svg/>", "image/svg+xml")
    assert repr(image) == "<Image image/svg+xml, 6 bytes>" and image != ai.Image(PNG)
    assert image._repr_mimebundle_()["image/svg+xml"] == b"<svg/>"
    with pytest.raises(TypeError, match="not str"):
        ai.Image("text")


# the cost


def spending(request):
    return ai.Response("done", usage=(1_000_000, 500_000))


def test_an_answer_has_the_cost_by_its_price():
    agent = ai.Agent(spending, namespace=None, price=ai.Price(0.3, 2.0))
    answer = agent.ask("work")
    assert answer.cost == pytest.approx(1.3)
    updates = [event.cost for event in answer.events if isinstance(event, ai.UsageUpdated)]
    assert updates[-1] == pytest.approx(1.3)


def test_without_a_price_the_cost_is_not_known():
    assert ai.Agent(spending, namespace=None).ask("work").cost is None
    assert ai.Agent("offline", namespace=None).ask("help").cost == 0.0


def test_a_response_may_have_its_own_cost():
    agent = ai.Agent(lambda request: ai.Response("done", usage=(10, 5), cost=0.25), namespace=None, price=ai.Price(1, 1))
    assert agent.ask("work").cost == 0.25


def test_the_limit_of_the_cost_ends_a_run():
    def model(request):
        return ai.Response(calls=[ai.Call("list_globals")], usage=(1_000_000, 0))

    agent = ai.Agent(model, price=ai.Price(0.5, 0.5), limits=ai.Limits(max_cost=0.6))
    answer = agent.ask("spend")
    assert answer.reason == "cost_budget" and answer.steps == 2
    with pytest.raises(ai.LimitReached):
        answer.raise_if_degraded()


def test_a_limit_of_the_cost_needs_a_price():
    answer = ai.Agent(spending, namespace=None, limits=ai.Limits(max_cost=0.6)).ask("spend")
    assert answer.reason == "misconfigured" and answer.steps == 0


def test_the_built_in_table_has_prices():
    with GeminiEmulator({"text": "Hello."}) as gemini:
        answer = ai.Agent(gemini.model(), namespace=None, limits=ai.Limits(max_cost=1.0)).ask("hello")
    assert answer.text == "Hello." and answer.cost > 0


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: ai.Price(-1, 0), ValueError),
        (lambda: ai.Price("1", 0), ValueError),
        (lambda: ai.Agent("offline", price=3), TypeError),
        (lambda: ai.Limits(max_cost=-1), ai.ConfigurationError),
        (lambda: ai.Limits(max_cost=float("nan")), ai.ConfigurationError),
        (lambda: ai.Limits(approval_timeout="soon"), TypeError),
        (lambda: ai.Limits(max_steps=None), TypeError),
        (lambda: ai.Limits(parallel_reads=0), ai.ConfigurationError),
        (lambda: ai.Limits(approval_timeout=-1), ai.ConfigurationError),
    ],
)
def test_prices_and_limits_that_make_no_sense_are_refused(make, error):
    with pytest.raises(error):
        make()


def test_every_limit_of_the_sdk_can_be_set():
    limits = {"max_images": 2, "max_image_bytes_total": 100, "max_recoveries": 1, "approval_timeout": 2.5, "parallel_reads": 4}
    made = ai.Limits(**limits)
    assert {name: getattr(made, name) for name in limits} == limits and made.max_cost == 0.0


def test_reads_may_run_beside_each_other():
    started = []
    both = None

    async def look(at: str) -> str:
        """Looks."""
        nonlocal both
        both = both or asyncio.Event()
        started.append(at)
        if len(started) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 4)
        return at

    def model(request):
        if any(message.replies for message in request.messages):
            return "seen"
        return ai.Response(calls=[ai.Call("look", {"at": "a"}), ai.Call("look", {"at": "b"})])

    agent = ai.Agent(model, namespace=None, limits=ai.Limits(parallel_reads=2))
    agent.add(look, effects="read")
    answer = asyncio.run(agent.ask_async("look at both"))
    assert [call.ok for call in answer.calls] == [True, True]
