import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
import pytest_asyncio
from mcp.client.session import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult

from tests.contract.mcp_desk import ERAS, Desk, connected, fresh, ref, shared, shop, site_for_a_module, text_of
from tests.pages.site import Site


@dataclass(frozen=True)
class Said:
    action: Literal["accept", "decline", "cancel"]
    answer: str = ""


class Person:
    """The person at the client: says what was set, once `may_answer` is set."""

    def __init__(self, action: Literal["accept", "decline", "cancel"], answer: str = "") -> None:
        self.says = Said(action, answer)
        self.asked: list[str] = []
        self.forms: list[dict[str, Any]] = []
        self.is_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        self.forms.append(params.requested_schema)  # type: ignore[union-attr]
        self.is_asked.set()
        await self.may_answer.wait()
        content: dict[str, Any] | None = {"answer": self.says.answer} if self.says.answer else None
        return ElicitResult(action=self.says.action, content=content)


@dataclass
class Counter:
    """A connection that has a person to ask: whoever stands there just now."""

    era: str
    person: Person

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        return await self.person(context, params)


NO_CLEAR_YES = {
    "legacy": {Said("decline"): "the person did not allow it", Said("accept"): "the person did not allow it"},
    "auto": {Said("accept", "no"): "the person did not allow it", Said("cancel"): "it needs the person"},
}

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    yield from site_for_a_module()


@pytest.fixture
def site(served: Site) -> Site:
    return fresh(served)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=ERAS)
async def attended(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Desk, Counter]]:
    """One connection of each era for all tests that need no more than a person to ask."""
    counter = Counter(request.param, Person("decline"))
    home = tmp_path_factory.mktemp("attended")
    async with shared(home, mode=request.param, elicitation_callback=counter) as desk:
        yield desk, counter


@pytest.fixture
def desk(attended: tuple[Desk, Counter]) -> Desk:
    return attended[0]


@pytest.fixture
def person(attended: tuple[Desk, Counter]) -> Person:
    """Someone who allows everything, until told otherwise."""
    attended[1].person = Person("accept", "yes")
    return attended[1].person


async def pay_button(desk: Desk, site: Site, price: int = 40) -> str:
    return ref(await desk.say("browser_navigate", url=shop(site, price)), 'button "Pay now"')


async def test_what_the_person_allows_is_sent_once_and_they_saw_what_would_leave(
    desk: Desk, person: Person, site: Site
) -> None:
    paid = await desk.say("browser_click", target=await pay_button(desk, site))
    assert "Thank you" in paid
    assert site.posts == [("/mcp/paid", "amount=40+EUR")]
    (asked,) = person.asked
    assert "Pay now" in asked
    assert "40 EUR" in asked
    assert site.url("")[:-1] in asked
    assert person.forms[0]["properties"]["answer"]["enum"] == ["yes", "no"]


async def test_what_the_person_does_not_allow_is_not_sent(
    desk: Desk, person: Person, attended: tuple[Desk, Counter], site: Site
) -> None:
    """Only a clear yes is one; a question that was left alone needs the person still."""
    answers = NO_CLEAR_YES[attended[1].era]
    for said, told in answers.items():
        person.says = said
        refusal = await desk.refused("browser_click", target=await pay_button(desk, site, 41))
        assert refusal.startswith("Not done")
        assert told in refusal
        assert "A small shop" in await desk.say("browser_snapshot"), "the page is as before and can be used"
    assert len(person.asked) == len(answers)
    assert site.posts == []


async def test_a_client_that_cannot_ask_is_told_that_the_person_is_needed_and_nothing_is_sent(
    tmp_path: Path, site: Site
) -> None:
    async with connected(tmp_path) as desk:
        refusal = await desk.refused("browser_click", target=await pay_button(desk, site))
        assert refusal.startswith("Not done, it needs the person")
        assert refusal.endswith("Nothing of it was sent. Tell your user; only they can allow it or do it.")
        await desk.say("browser_navigate", url=site.url("/mcp/other.html"))
    assert site.posts == []


async def test_consent_no_refuses_without_asking(tmp_path: Path, site: Site) -> None:
    person = Person("accept", "yes")
    async with connected(tmp_path, "--answer-consent", "no", elicitation_callback=person) as desk:
        assert "did not allow" in await desk.refused("browser_click", target=await pay_button(desk, site))
    assert person.asked == []
    assert site.posts == []


async def test_yes_allows_an_act_once_and_never_its_repeat(tmp_path: Path, site: Site) -> None:
    async with connected(tmp_path, "--answer-consent", "yes") as desk:
        await desk.say("browser_click", target=await pay_button(desk, site))
        refusal = await desk.refused("browser_click", target=await pay_button(desk, site))
        assert "was submitted already as s1" in refusal
        assert "“Thank you”" in refusal, "with what proves it"
        refusal = await desk.refused("browser_click", target=await pay_button(desk, site))
        assert refusal.startswith("Not done, it needs the person")
        assert "Something like it was submitted before: s1" in refusal
    assert len(site.posts) == 1


async def test_who_tries_a_repeat_twice_has_the_person_asked_where_that_is_possible(tmp_path: Path, site: Site) -> None:
    person = Person("accept", "yes")
    async with connected(tmp_path, "--answer-consent", "yes", elicitation_callback=person) as desk:
        await desk.say("browser_click", target=await pay_button(desk, site))
        await desk.refused("browser_click", target=await pay_button(desk, site))
        assert person.asked == []
        await desk.say("browser_click", target=await pay_button(desk, site))
    assert len(person.asked) == 1
    assert len(site.posts) == 2


async def test_yes_is_not_for_an_act_of_which_nobody_knows_whether_it_happened(tmp_path: Path, site: Site) -> None:
    site.put("/mcp/paid", "", status=200, delay_s=30)
    async with connected(tmp_path, "--answer-consent", "yes") as desk:
        first = text_of(await desk.call("browser_click", target=await pay_button(desk, site)))
        assert "no answer yet" in first
        away = await desk.say("browser_navigate", url=site.url("/mcp/other.html"))
        assert "it is NOT KNOWN whether it happened" in away
        for price in (40, 41):
            refusal = await desk.refused("browser_click", target=await pay_button(desk, site, price))
            assert refusal.startswith("Not done")
    assert len(site.posts) == 1


async def test_while_the_person_is_asked_other_calls_are_not_run(desk: Desk, person: Person, site: Site) -> None:
    person.may_answer.clear()
    pay = await pay_button(desk, site, 42)
    paying = asyncio.create_task(desk.say("browser_click", target=pay))
    await person.is_asked.wait()
    assert (await desk.refused("browser_navigate_back")).startswith("Not run: the person is being asked")
    person.may_answer.set()
    assert "Thank you" in await paying
    assert "Back to the shop" in await desk.say("browser_navigate", url=site.url("/mcp/other.html"))
    assert len(site.posts) == 1


@pytest.mark.parametrize("attended", ["legacy"], indirect=True)
async def test_a_call_that_is_cancelled_while_the_person_is_asked_sends_nothing(
    desk: Desk, person: Person, site: Site
) -> None:
    person.may_answer.clear()
    paying = asyncio.create_task(desk.call("browser_click", target=await pay_button(desk, site, 43)))
    await person.is_asked.wait()
    paying.cancel()
    await asyncio.wait([paying])
    person.may_answer.set()
    while (other := await desk.call("browser_navigate", url=site.url("/mcp/other.html"))).is_error:
        assert text_of(other).startswith("Not run: the person is being asked"), "until the server has heard of it"
    assert "Back to the shop" in text_of(other)
    assert site.posts == []
