"""Whatever acts can be pressed, though no role says so: and what was pressed says what stands now."""

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _opened(browser: PlaywrightBrowser, site: Site, page: str) -> ToolsDesk:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url(f"/controls/{page}.html"))
    return tools


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Heard", "heard"),
        ("Pressed", "pressed"),
        ("Propped", "propped"),
        ("terms", "terms"),
        ("tide table", "tide table"),
        ("File", "menu file"),
        ("shape=rect", "bar"),
        ("shape=circle", "dot"),
    ],
    ids=[
        "a listener for clicks",
        "a listener for mousedown",
        "a handler set as a property",
        "a word in a sentence",
        "another word of the same sentence",
        "an item of a list",
        "a drawn shape",
        "another drawn shape",
    ],
)
async def test_what_only_listens_for_a_press_has_a_ref(
    browser: PlaywrightBrowser, site: Site, text: str, said: str
) -> None:
    tools = await _opened(browser, site, "pointing")
    clicked = await tools.call("browser_click", target=tools.ref_by_text(text))
    assert not clicked.is_error, clicked.text
    assert f"paragraph: {said}" in tools.page


async def test_an_item_that_opens_by_a_double_click_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "pointing")
    assert "listitem [hint: double-click]" in tools.page
    await tools.call("browser_click", target=tools.ref_by_text("data.csv"), doubleClick=True)
    assert "paragraph: opened data.csv" in tools.page


async def test_items_of_a_list_that_listens_for_them_have_refs(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<div id='files'><ul><li><b>notes</b></li><li><b>data</b></li></ul></div><p id='out'>none</p>"
        "<script>files.addEventListener('click', event => out.textContent = 'took ' +"
        " event.target.closest('li').textContent)</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/files", page))
    await tools.call("browser_click", target=tools.ref_by_text("data"))
    assert "paragraph: took data" in tools.page


async def test_a_header_is_clicked_beside_the_field_in_it(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "pointing")
    await tools.click("columnheader", "Name")
    assert "paragraph: sorted by name" in tools.page
    await tools.click("columnheader", "Age")
    assert "paragraph: sorted by age" in tools.page


async def test_menus_of_two_levels_stay_open_on_the_way(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "pointing")
    await tools.call("browser_hover", target=tools.ref_by_text("File"))
    await tools.call("browser_hover", target=tools.ref_by_text("Export"))
    await tools.call("browser_click", target=tools.ref_by_text("As text"))
    assert "paragraph: menu text" in tools.page


async def test_a_grid_that_only_keys_move_in_is_walked_by_keys(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "pointing")
    await tools.click("gridcell", "1A")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        await tools.call("browser_press_key", key=key)
    assert "paragraph: seat 2B" in tools.page


async def test_icon_buttons_without_a_name_carry_a_hint(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "pointing")
    assert 'button "Bin"' in tools.page
    assert "button [hint: id=x7 class=btn btn-round fa-anchor]" in tools.page


@pytest.mark.parametrize("name", ["Gone", "Zero", "Clear", "Away"])
async def test_a_box_that_cannot_be_seen_is_ticked_by_its_label(
    browser: PlaywrightBrowser, site: Site, name: str
) -> None:
    tools = await _opened(browser, site, "toggles")
    target = tools.ref("checkbox", name)
    ticked = await tools.call("browser_click", target=target)
    assert "it is now “checked”" in ticked.text
    assert f'checkbox "{name}" [checked]' in tools.page
    field = {"target": target, "type": "checkbox", "value": "false"}
    cleared = await tools.call("browser_fill_form", fields=[field])
    assert "it is now “unchecked”" in cleared.text
    assert f"paragraph: {name.lower()} false" in tools.page


async def test_hidden_radios_and_drawn_switches_tell_their_state(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "toggles")
    await tools.click("radio", "Week fare")
    assert 'radio "Week fare" [checked]' in tools.page
    assert 'radio "Day fare" [ref=' in tools.page
    lights = await tools.click("switch", "Lights")
    assert "it is now “checked”" in lights.text
    again = await tools.click("switch", "Lights")
    assert "it is now “unchecked”" in again.text


async def test_a_chooser_behind_a_button_opens(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "toggles")
    await tools.click("button", "Attach")
    assert "file chooser is open" in tools.text
    await tools.call("browser_file_upload", paths=[])


@pytest.mark.parametrize(
    ("text", "words", "shows"),
    [
        ("Draft", "New words", "generic [editable]"),
        ("id=log", "Calm sea", "paragraph: Calm sea"),
        ("Letter", "Dear all", "paragraph: Dear all"),
        ("Editor content", "let y = 2", "text: let y = 2"),
    ],
    ids=["editable without a role", "editor with its own model", "editable with a role", "code editor"],
)
async def test_an_editor_of_any_kind_is_written_anew_and_read_back(
    browser: PlaywrightBrowser, site: Site, text: str, words: str, shows: str
) -> None:
    tools = await _opened(browser, site, "editors")
    typed = await tools.call("browser_type", target=tools.ref_by_text(text), text=words)
    assert f"it is now “{words}”" in typed.text
    assert shows in tools.page


@pytest.mark.parametrize(
    ("start", "end", "place", "landed", "said"),
    [
        ("Paint hull", "region “Done”", "on", "in Done", "Paint hull in Done"),
        ("Alca", "Dunlin", "before", "after Crex, before Dunlin", "order Brant,Crex,Alca,Dunlin"),
        ("Brant", "Dunlin", "after", "after Dunlin", "order Alca,Crex,Dunlin,Brant"),
        ("Crex", "Alca", "before", "before Alca", "order Crex,Alca,Brant,Dunlin"),
        ("Pebble", "Bowl", "on", "moved by", "pebble in bowl"),
    ],
)
async def test_what_is_dragged_lands_there_and_the_receipt_says_where(
    browser: PlaywrightBrowser, site: Site, start: str, end: str, place: str, landed: str, said: str
) -> None:
    tools = await _opened(browser, site, "drags")
    to = tools.ref("region", "Done") if "Done" in end else tools.ref_by_text(end)
    dragged = await tools.call("browser_drag", startTarget=tools.ref_by_text(start), endTarget=to, place=place)
    assert landed in dragged.text
    assert f"paragraph: {said}" in tools.page


async def test_a_drag_that_moved_nothing_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<div tabindex='0'>Stone</div><div tabindex='0'>Wall</div>"
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/stone", page))
    start, end = tools.ref_by_text("Stone"), tools.ref_by_text("Wall")
    dragged = await tools.call("browser_drag", startTarget=start, endTarget=end)
    assert "it stands where it stood" in dragged.text


async def test_the_chosen_one_is_marked_where_only_its_looks_tell(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "noise")
    assert 'generic "Day" [selected]' in tools.page
    assert 'link "One" [current]' in tools.page
    week = await tools.click("generic", "Week")
    assert "no visible effect" not in week.text
    assert 'generic "Week" [selected]' in tools.page


@pytest.mark.parametrize("amount", ["<output>0</output>", "<b role=status>0</b>"])
async def test_a_button_keeps_its_ref_while_the_amount_beside_it_counts(
    browser: PlaywrightBrowser, site: Site, amount: str
) -> None:
    more = "<button onclick='this.previousElementSibling.textContent++'>More</button>"
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/amounts", f"<ul><li>Rope {amount}{more}</li><li>Tar {amount}{more}</li></ul>"))
    rope = tools.ref("button", "More", nth=0)
    for _ in range(3):
        assert not (await tools.call("browser_click", target=rope)).is_error
    assert "listitem: Rope | status: 3 | " in tools.page
    assert "listitem: Tar | status: 0 | " in tools.page


async def test_a_caret_that_moved_is_told(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/caret", "<input aria-label='Name' value='Curlew' autofocus>"))
    await tools.call("browser_press_key", key="Home")
    assert (await tools.call("browser_press_key", key="ArrowRight")).text == "Pressed ArrowRight: the caret moved."
    await tools.call("browser_press_key", key="Home")
    assert (await tools.call("browser_press_key", key="Home")).text.startswith("Pressed Home: no visible effect.")
