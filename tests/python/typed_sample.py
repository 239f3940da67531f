"""A program as a person would write it, for a type checker in its strictest mode. It also runs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

import pyaichat as ai
from pyaichat.testing import ScriptedModel, call, give, say

agent = ai.Agent(
    ScriptedModel(call("price", item="door"), say("3.50 EUR"), give({"item": "gate"}), say("later"), say("seen")),
    namespace=None,
    limits=ai.Limits(max_steps=3, max_images=2, approval_timeout=None),
    price=ai.Price(0.3, 2.5),
    approval=lambda proposed: proposed.effects == "read" or "Ask again tomorrow.",
)


@dataclass
class Order:
    item: str
    count: int = 1


@agent.capability(effects="read")
def price(item: str, *, currency: Literal["EUR", "USD"] = "EUR") -> float:
    """What an item costs."""
    return 3.5


@agent.capability
async def order(what: Order) -> str:
    """Orders something."""
    if what.count > 10:
        raise ai.Refuse("Too many.")
    return what.item


def parrot(request: ai.Request) -> str:
    return request.messages[-1].text


async def later() -> str:
    answer = await agent.ask_async("and later?")
    return answer.text


def main() -> None:
    answer: ai.Answer = asyncio.run(agent.ask_async("how much is a door?"))
    tiers: list[int | None] = [each.tier for each in answer.calls]
    cost: float | None = answer.cost
    planned: Order = asyncio.run(agent.ask_async("plan it", returns=Order))
    print(answer.text, tiers, cost, planned.item, asyncio.run(later()), price("door", currency="USD"))
    plain = ai.Agent(parrot, namespace=None, capabilities=[ai.shell(allow=["ls"])])
    with plain.stream("hello", images=[ai.Image(b"GIF89a...")]) as stream:
        for event in stream:
            match event:
                case ai.TextDelta(text=text):
                    print(text)
                case ai.CallFinished(name=name, images=images):
                    print(name, images[0].mime_type)
    doors = {"front": "open"}
    with ai.watch("what is doors?", agent=ai.Agent("offline"), namespace={"doors": doors}) as watched:
        first: ai.Answer | None = watched.check()
        print(first is not None, watched.names)


if __name__ == "__main__":
    main()
