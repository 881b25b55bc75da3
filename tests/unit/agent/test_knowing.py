"""An answer may rest on what is in view, what was kept and what the person said; on nothing the model said itself."""

import json

from app.agent.knowing import what_is_known
from app.context.evidence.claims import Known, unsupported
from app.domain.events import PersonAnswered, UserSaid
from app.domain.messages import ModelTurn
from tests.fakes.agent import Desk, desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says

CURLEW = FakePage("http://shop.test/1", "- paragraph [ref=e1]: The Curlew costs £46.00.", title="Lamp no. 4177")
AVOCET = FakePage("http://shop.test/2", "- paragraph [ref=e1]: The Avocet costs £52.00.", title="Avocet")


def opened(number: int) -> ModelTurn:
    return calls(("browser_navigate", json.dumps({"url": f"http://shop.test/{number}"})))


async def played(*turns: ModelTurn) -> Desk:
    one = await desk([CURLEW, AVOCET], *turns, says("ok"))
    await one.play()
    return one


async def known(one: Desk) -> Known:
    return await what_is_known(one.transcript.events, one.transcript.record)


def wrong(answer: str, known: Known) -> list[str]:
    return [claim.text for claim in unsupported(answer, known)]


async def test_the_newest_page_is_known_with_its_title_and_an_older_one_is_not() -> None:
    assert wrong("£46.00, no. 4177", await known(await played(opened(1)))) == []
    assert wrong("£46.00 or £52.00", await known(await played(opened(1), opened(2)))) == ["£46.00"]


async def test_a_page_that_was_recalled_is_known_again() -> None:
    one = await played(opened(1), opened(2), calls(("recall", '{"observation": "o2"}')))
    assert wrong("£46.00 or £52.00", await known(one)) == []


async def test_what_the_model_only_said_or_asked_for_is_not_known() -> None:
    tries = (("keep_quote", '{"text": "It costs £77.70"}'), ("task_card", '{"goal": "buy for £88.80"}'))
    one = await played(opened(1), calls(("recall", '{"observation": "o2", "find": "£99.90"}'), *tries))
    assert wrong("£77.70, £88.80 or £99.90", await known(one)) == ["£77.70", "£88.80", "£99.90"]


async def test_the_words_of_the_person_are_known() -> None:
    one = await played(opened(1))
    await one.transcript.add(UserSaid("at most £33.30"), PersonAnswered("k1", "1", "or £44.40"))
    assert wrong("£33.30 or £44.40", await known(one)) == []
