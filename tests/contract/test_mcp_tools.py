import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.agent.tools import specs
from tests.contract.mcp_desk import ERAS, connected, fresh, picture_of, ref, site_for_a_module, text_of
from tests.pages.site import Site

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    yield from site_for_a_module()


@pytest.fixture
def site(served: Site) -> Site:
    return fresh(served)


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_is_told_the_tools_of_the_agent_and_how_to_read_pages(tmp_path: Path, mode: str) -> None:
    async with connected(tmp_path, mode=mode) as desk:
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


async def test_pages_are_opened_clicked_and_told_with_receipts(tmp_path: Path, site: Site) -> None:
    async with connected(tmp_path) as desk:
        page = await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
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


async def test_a_ref_that_is_gone_is_refused_with_the_reason_first_and_nothing_is_done(
    tmp_path: Path, site: Site
) -> None:
    async with connected(tmp_path) as desk:
        page = await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
        pay = ref(page, 'button "Pay now"')
        await desk.say("browser_click", target=ref(page, 'link "Another page"'))
        refusal = await desk.refused("browser_click", target=pay)
        assert refusal.startswith(f'Not done: {pay} button "Pay now" is dead')
        unknown = await desk.refused("browser_click", target="e4711")
        assert unknown.startswith("Not done: there is no ref e4711")
    assert site.posts == []


async def test_wrong_calls_are_answered_in_words_that_name_the_way_on(tmp_path: Path) -> None:
    async with connected(tmp_path) as desk:
        missing = await desk.refused("browser_click", element="the button")
        assert missing.startswith("Not done: the arguments of browser_click are wrong. target: is missing")
        odd = await desk.refused("browser_click", target="#pay")
        assert "selectors are not taken" in odd
        unknown = await desk.refused("browser_evaluate", function="() => 1")
        assert unknown.startswith("Not done: there is no tool browser_evaluate. The tools are: browser_navigate")
        theirs = await desk.refused("ask_user", question="May I?")
        assert theirs.startswith("Not done: there is no tool ask_user")
        assert "list" in await desk.refused("browser_tabs", action="dance")


async def test_a_quote_of_a_page_is_kept_and_an_invented_one_is_not(tmp_path: Path, site: Site) -> None:
    async with connected(tmp_path) as desk:
        await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
        assert "q1" in await desk.say("keep_quote", text="A small shop")
        await desk.refused("keep_quote", text="A large shop")
        first = await desk.call("browser_snapshot")
        assert "A small shop" in text_of(first)
        await desk.say("browser_navigate", url=site.url("/mcp/other.html"))
        recalled = await desk.say("recall", observation="o1", find="small shop")
        assert "nothing on it can be acted on" in recalled
