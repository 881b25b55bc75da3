import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from app.agent.tools import specs
from tests.contract.mcp_desk import ERAS, Desk, fresh, picture_of, ref, shared, shop, site_for_a_module, text_of
from tests.pages.site import Site

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    yield from site_for_a_module()


@pytest.fixture
def site(served: Site) -> Site:
    return fresh(served)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["auto"])
async def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """One connection for all tests here, since none needs more than to be a client."""
    async with shared(tmp_path_factory.mktemp("tools"), mode=request.param) as one:
        yield one


@pytest.mark.parametrize("desk", ERAS, indirect=True)
async def test_a_client_is_told_the_tools_of_the_agent_and_how_to_read_pages(desk: Desk) -> None:
    tools = {one.name: one for one in (await desk.client.list_tools()).tools}
    told = desk.client.session.instructions
    ours = {one.name: one for one in specs()}
    assert set(ours) - set(tools) <= {"ask_user", "task_card", "look"}
    assert {"browser_navigate", "browser_click", "browser_batch", "keep_quote", "recall"} <= set(tools)
    for name, tool in tools.items():
        assert tool.input_schema["properties"].keys() == json.loads(ours[name].schema)["properties"].keys()
        assert tool.description == ours[name].description
    assert tools["browser_snapshot"].annotations.read_only_hint
    assert not tools["browser_click"].annotations.read_only_hint
    assert "[ref=e17]" in (told or "")


async def test_pages_are_opened_clicked_and_told_with_receipts(desk: Desk, site: Site) -> None:
    page = await desk.say("browser_navigate", url=shop(site))
    assert page.startswith("Opened http://127.0.0.1")
    assert "A small shop" in page
    greeted = await desk.say("browser_click", target=ref(page, 'button "Greet"'))
    assert greeted.startswith("Clicked")
    assert "Hello to you" in greeted
    assert "Pay now" not in greeted, "only what changed is sent"
    other = await desk.say("browser_click", target=ref(page, 'link "Another page"'))
    assert "Back to the shop" in other
    picture = picture_of(await desk.call("browser_take_screenshot"))
    assert picture.mime_type == "image/png"
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")


async def test_a_ref_that_is_gone_is_refused_with_the_reason_first_and_nothing_is_done(desk: Desk, site: Site) -> None:
    page = await desk.say("browser_navigate", url=shop(site))
    pay = ref(page, 'button "Pay now"')
    await desk.say("browser_click", target=ref(page, 'link "Another page"'))
    refusal = await desk.refused("browser_click", target=pay)
    assert refusal.startswith(f'Not done: {pay} button "Pay now" is dead')
    unknown = await desk.refused("browser_click", target="e4711")
    assert unknown.startswith("Not done: there is no ref e4711")
    assert site.posts == []


async def test_wrong_calls_are_answered_in_words_that_name_the_way_on(desk: Desk) -> None:
    missing = await desk.refused("browser_click", element="the button")
    assert missing.startswith("Not done: the arguments of browser_click are wrong. target: is missing")
    odd = await desk.refused("browser_click", target="#pay")
    assert "selectors are not taken" in odd
    unknown = await desk.refused("browser_evaluate", function="() => 1")
    assert unknown.startswith("Not done: there is no tool browser_evaluate. The tools are: browser_navigate")
    theirs = await desk.refused("ask_user", question="May I?")
    assert theirs.startswith("Not done: there is no tool ask_user")
    assert "list" in await desk.refused("browser_tabs", action="dance")


async def test_a_quote_of_a_page_is_kept_and_an_invented_one_is_not(desk: Desk, site: Site) -> None:
    page = await desk.say("browser_navigate", url=shop(site))
    seen = re.search(r"^(o\d+) ·", page, re.MULTILINE)
    assert seen is not None
    assert re.search(r"\[q\d+\]", await desk.say("keep_quote", text="A small shop"))
    await desk.refused("keep_quote", text="A large shop")
    first = await desk.call("browser_snapshot")
    assert "A small shop" in text_of(first)
    await desk.say("browser_navigate", url=site.url("/mcp/other.html"))
    recalled = await desk.say("recall", observation=seen[1], find="small shop")
    assert "nothing on it can be acted on" in recalled


async def test_calls_sent_together_are_run_in_order_and_none_acts_on_a_page_it_could_not_know(
    desk: Desk, site: Site
) -> None:
    page = await desk.say("browser_navigate", url=shop(site))
    went, greeted, looked = await asyncio.gather(
        desk.say("browser_click", target=ref(page, 'link "Another page"')),
        desk.refused("browser_click", target=ref(page, 'button "Greet"')),
        desk.say("browser_snapshot"),
    )
    assert "Back to the shop" in went
    assert greeted == "Not run: the page changed."
    assert "Back to the shop" in looked, "a look is what one wants after a surprise"
