"""Small pages that break browser agents, worked through with the tools; each page says itself what was done to it."""

import re
import time

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIND_LIMIT_S = 6.0  # two seconds on a quiet machine


async def test_a_row_that_is_redrawn_all_the_time_is_still_the_right_row(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/redrawn.html"))
    await tools.click("button", "Turn the list")
    for boat, state in (("Brant", "sold: Brant"), ("Alca", "sold: Brant,Alca")):
        pressed = await tools.click("button", "Sell", within=boat)
        assert not pressed.is_error, pressed.text
        assert f"status: {state}" in tools.page.splitlines()[-1]


async def test_a_second_step_of_the_same_shape_is_not_mistaken_for_the_first(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/form-one.html"))
    await tools.type("textbox", "Ship", "Ada")
    old = tools.ref("button", "Go on")
    await tools.click("button", "Go on")
    refused = await tools.call("browser_click", target=old)
    assert refused.is_error
    assert "is dead" in refused.text
    await tools.type("textbox", "Port", "Turin")
    await tools.click("button", "Finish")
    assert "finished in Turin" in tools.page
    assert "SCRAPPED" not in tools.page


async def test_one_button_name_in_three_documents_is_three_buttons(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/frames.html"))
    await tools.click("button", "Sign", frames=2)
    assert "signed letter 4" in tools.page
    assert "WRONG" not in tools.page


async def test_fields_two_shadow_roots_deep_are_read_and_filled(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/shadow.html"))
    assert "Crew card" in tools.page
    fields = [
        {"target": tools.ref("textbox", "Name"), "value": "Ines", "type": "textbox"},
        {"target": tools.ref("textbox", "Rank"), "value": "Mate", "type": "textbox"},
    ]
    filled = await tools.call("browser_fill_form", fields=fields)
    assert not filled.is_error
    await tools.click("button", "Keep")
    assert "kept Ines, Mate" in tools.page


async def test_three_dialogs_in_a_row_are_three_decisions(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/dialogs.html"))
    button = tools.ref("button", "New book")
    await tools.call("browser_click", target=button)
    assert "Books are kept for ten years." in tools.text
    blocked = await tools.call("browser_click", target=button)
    assert "dialog is open" in blocked.text
    await tools.call("browser_handle_dialog", accept=True)
    assert "Name of the book?" in tools.text
    await tools.call("browser_handle_dialog", accept=True, promptText="Log 1931")
    assert 'Keep the book \\"Log 1931\\"?' in tools.text or 'Keep the book "Log 1931"?' in tools.text
    await tools.call("browser_handle_dialog", accept=True)
    assert "kept Log 1931" in tools.page


async def test_a_dialog_that_is_dismissed_is_not_accepted(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/dialogs.html"))
    await tools.click("button", "New book")
    await tools.call("browser_handle_dialog", accept=True)
    await tools.call("browser_handle_dialog", accept=False)
    assert "given up" in tools.page


async def test_a_code_from_a_new_tab_is_brought_back_to_the_old_one(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/code.html"))
    await tools.call("browser_tabs", action="list")
    first = re.search(r"(\d+): \(current\)", tools.text)
    field = tools.ref("textbox", "Code")
    opened = await tools.click("link", "Show the berth code")
    new = re.search(r"new tab (\d+), the active one now", opened.text)
    assert first is not None
    assert new is not None
    other = await tools.call("browser_type", target=field, text="x")
    assert f"is on tab {first[1]}" in other.text
    await tools.call("browser_wait_for", textGone="wait…")
    code = re.search(r"B\d{4}", tools.page)
    assert code is not None
    await tools.call("browser_tabs", action="select", index=int(first[1]))
    await tools.type("textbox", "Code", code[0])
    await tools.click("button", "Check")
    assert "berth confirmed" in tools.page


async def test_a_late_banner_is_named_and_never_pressed_through(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/banner.html"))
    button = tools.ref("button", "Board the ferry")
    await tools.call("browser_wait_for", text="We would like to count you.")
    covered = await tools.call("browser_click", target=button)
    assert covered.is_error
    assert "Cookies" in covered.text
    await tools.click("button", "Do not count me")
    await tools.click("button", "Board the ferry")
    assert "on the quay, not counted, boarded" in tools.page


async def test_routes_without_a_load_are_waited_for_and_told(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/routes.html"))
    await tools.click("link", "Ships")
    assert "/routes.html/ships" in tools.text
    assert "Three ships." in tools.page
    await tools.click("link", "Ports")
    await tools.click("link", "Kirkwall")
    assert "Berths: 14" in tools.page
    await tools.click("button", "Reserve")
    assert "reserved, 1 load" in tools.page


async def test_a_part_of_a_huge_page_is_cut_too_and_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    rows = "".join(f"<tr><td>Boat number {row}</td><td><button>Sell {row}</button></td></tr>" for row in range(700))
    await tools.open(site.put("/many", f'<main aria-label="Boats"><table>{rows}</table></main>'))
    await tools.call("browser_snapshot", depth=20)
    assert len(tools.text) < 20_000
    assert "left out" in tools.text or "more" in tools.text


async def test_a_button_that_does_nothing_is_told_so_and_warned_about_at_the_third_press(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/tide.html"))
    first = await tools.click("button", "Ask the gauge")
    assert "no visible effect" in first.text
    assert "Warning" not in first.text
    await tools.click("button", "Ask the gauge")
    third = await tools.click("button", "Ask the gauge")
    assert "No progress: the last 3 acts changed nothing" in third.text
    await tools.click("link", "Printed table")
    assert "High water 14 h, asked 3 times" in tools.page


async def test_a_row_that_is_only_drawn_in_view_is_scrolled_to_and_used_once(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/moorings.html"))
    still = await tools.call("browser_scroll", deltaY=900)
    assert "nothing scrolled" in still.text.lower()
    for _ in range(30):
        scrolled = await tools.call("browser_scroll", target=tools.ref("list", "Pier"), deltaY=600)
        assert "Warning" not in scrolled.text
        if "Reserve berth 512" in tools.page:
            break
    await tools.click("button", "Reserve berth 512")
    assert tools.page.count("reserved") == 1
    assert "reserved 512." in tools.page
    end = await tools.call("browser_scroll", target=tools.ref("list", "Pier"), deltaY=100_000)
    assert "did not move" not in end.text
    end = await tools.call("browser_scroll", target=tools.ref("list", "Pier"), deltaY=600)
    assert "did not move: it is already at its end" in end.text


async def test_orders_in_a_page_stand_inside_its_marks_and_what_nobody_sees_is_marked(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/orders.html"))
    head, page = tools.text.split("\n[page ", 1)
    orders = [line for line in page.splitlines() if "Pier Nine" in line and "placeholder" not in line]
    assert orders
    assert all("[unseen]" in line for line in orders)
    assert "[verified:" not in tools.text
    assert "Send the crate back" not in head
    assert "It stands on Pier Four." in page
    await tools.type("textbox", "Place", "Pier Four")
    await tools.click("button", "Keep")
    assert "kept Pier Four" in tools.page
    assert "SENT BACK" not in tools.page


async def test_a_row_of_ten_thousand_is_found_at_once_and_can_be_used_in_the_next_call(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/register.html"))
    await tools.call("browser_snapshot")
    assert len(tools.text) < 20_000
    assert "too large to be read whole" in tools.text
    began = time.monotonic()
    await tools.call("browser_find", text="zoë quist")
    took_s = time.monotonic() - began
    ref = re.search(r"button \"Inspect\" \[ref=(e\d+)\]", tools.text)
    assert ref is not None, tools.text
    assert "row: 8111 | Zoë Quist &" in tools.text
    pressed = await tools.call("browser_click", target=ref[1])
    assert not pressed.is_error, pressed.text
    assert "inspected 8111." in tools.page
    assert tools.page.count("inspected") == 1
    assert took_s < FIND_LIMIT_S


async def test_the_whole_of_a_huge_page_is_searched_and_what_was_found_stays_alive(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/register.html"))
    found = {}
    for how, wanted in (
        ("text", "Quist & Daughters"),
        ("regex", r"Zo. Qu\w+"),
        ("text", "Sheet 733"),
        ("text", "#p744"),
        ("text", "Nobody at all"),
    ):
        await tools.call("browser_find", **{how: wanted})
        found[wanted] = tools.text
    assert "8111" in found["Quist & Daughters"]
    assert "8111" in found[r"Zo. Qu\w+"]
    assert "[ref=" in found["Sheet 733"]
    assert "Sheet 744" in found["#p744"]
    nowhere = r"Not found\. Searched: texts, names, values and addresses of all 6\d{4} elements\."
    assert re.match(nowhere, found["Nobody at all"])
    await tools.call("browser_scroll", deltaY=4000)
    ref = re.search(r"button \"Inspect\" \[ref=(e\d+)\]", found["Quist & Daughters"])
    assert ref is not None
    pressed = await tools.call("browser_click", target=ref[1])
    assert not pressed.is_error, pressed.text
    assert "inspected 8111." in tools.page
