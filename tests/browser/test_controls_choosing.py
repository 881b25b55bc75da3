"""Lists of every kind are chosen from, fields filled in the form they want; the receipt says what stands now."""

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
    ("role", "name", "wanted", "now", "said"),
    [
        ("combobox", "Berth", "West", "West", "berth West"),
        ("combobox", "Stubborn", "High", "High", "stubborn High"),
        ("button", "Flag: none", "Blue", "Flag: Blue", "flag Blue"),
        ("combobox", "Mate", "Mate 47", "Mate 47", "mate Mate 47"),
        ("combobox", "Port", "Bristol", "Bristol", "port Bristol"),
        ("textbox", "Pilot", "Ada Berg (river)", "Ada Berg (river)", "pilot 42"),
        ("combobox", "Signals", "Kilo two", "Kilo two", "signal Kilo two"),
        ("listbox", "Rank", "Master", "Master", "rank Master"),
    ],
    ids=[
        "native",
        "native, put back by the page unless it came by keys",
        "button that opens a list",
        "sixty options in a small scroller",
        "drawn elsewhere a moment after typing, picked by mousedown",
        "plain field with a hidden id and two look-alikes",
        "opened by a click, not by typing",
        "drawn list",
    ],
)
async def test_an_option_is_chosen_from_a_list_of_any_kind(
    browser: PlaywrightBrowser, site: Site, role: str, name: str, wanted: str, now: str, said: str
) -> None:
    tools = await _opened(browser, site, "choosing")
    chosen = await tools.call("browser_select_option", target=tools.ref(role, name), values=[wanted])
    assert f"it is now “{now}”" in chosen.text
    assert f"paragraph: {said}" in tools.page


async def test_a_selection_that_the_page_always_puts_back_is_no_success(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<select aria-label='Fare'><option>Low</option><option>High</option></select>"
        "<script>const fare = document.querySelector('select');"
        "fare.onchange = () => setTimeout(() => { fare.value = 'Low' }, 120)</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/fare", page))
    chosen = await tools.call("browser_select_option", target=tools.ref("combobox", "Fare"), values=["High"])
    assert chosen.is_error
    assert "put it back to ‘Low’" in chosen.text


async def test_a_missing_option_of_a_drawn_list_is_refused_with_those_there_are(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "choosing")
    chosen = await tools.call("browser_select_option", target=tools.ref("button", "Flag: none"), values=["Green"])
    assert chosen.is_error
    assert "no option ‘Green’. The options are: ‘Red’, ‘White’, ‘Blue’" in chosen.text


async def test_what_is_no_list_is_refused_with_the_way_on(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "toggles")
    chosen = await tools.call("browser_select_option", target=tools.ref("button", "Bold"), values=["Yes"])
    assert chosen.is_error
    assert "not a list to choose from. Click it" in chosen.text


@pytest.mark.parametrize("item", ["<li>Delete account</li>", "<li><button>Red</button></li>"])
async def test_a_menu_is_not_chosen_from_as_if_it_were_a_list(
    browser: PlaywrightBrowser, site: Site, item: str
) -> None:
    page = (
        "<button id='open' aria-haspopup='listbox'>More</button><ul id='menu' hidden></ul><script>"
        f"open.onclick = () => {{ menu.hidden = false; menu.innerHTML = {item!r} }};"
        "menu.onclick = () => document.title = 'pressed'</script>"
    ).replace("open.onclick", "document.getElementById('open').onclick")
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/menu", page))
    wanted = "Red" if "Red" in item else "Delete account"
    chosen = await tools.call("browser_select_option", target=tools.ref("button", "More"), values=[wanted])
    assert chosen.is_error
    assert "more than a choice; click it" in chosen.text
    assert "pressed" not in tools.text


async def test_a_field_with_named_values_takes_one_of_them(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<input list='boats' aria-label='Boat'><datalist id='boats'><option value='Alca'><option value='Brant'>"
        "</datalist>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/boats", page))
    boat = tools.ref("combobox", "Boat")
    assert "it is now “Brant”" in (await tools.call("browser_select_option", target=boat, values=["Brant"])).text
    refused = await tools.call("browser_select_option", target=boat, values=["Crex"])
    assert "The options are: ‘Alca’, ‘Brant’" in refused.text


async def test_typing_into_a_field_that_suggests_shows_its_suggestions(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "choosing")
    await tools.type("combobox", "Port", "Br")
    await tools.call("browser_wait_for", text="Bristol")
    await tools.click("option", "Brest")
    assert "paragraph: port Brest" in tools.page
    await tools.type("textbox", "Pilot", "ole")
    await tools.call("browser_wait_for", text="Ole Dahl")
    await tools.call("browser_snapshot")
    await tools.call("browser_click", target=tools.ref_by_text("Ole Dahl"))
    assert "paragraph: pilot 43" in tools.page


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Sails", "2024-05-17"),
        ("Tide", "13:45"),
        ("Meets", "2024-05-17T10:00"),
        ("Month", "2024-05"),
        ("Week", "2024-W20"),
        ("Paint", "#ff8800"),
    ],
)
async def test_a_typed_field_says_its_form_and_takes_it_in_one_go(
    browser: PlaywrightBrowser, site: Site, name: str, value: str
) -> None:
    tools = await _opened(browser, site, "fields")
    typed = await tools.type("textbox", name, value)
    assert f"it is now “{value}”" in typed.text
    await tools.click("button", "Keep")
    refused = await tools.type("textbox", name, "next Friday")
    assert refused.is_error
    assert "field takes what looks like" in refused.text


async def test_limits_of_fields_are_shown_and_a_value_beyond_them_is_told(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "fields")
    assert 'textbox "Sails" [hint: date 2024-05-01..2024-05-31]' in tools.page
    assert 'slider "Speed" [hint: 0..30 step 5]' in tools.page
    beyond = await tools.type("textbox", "Sails", "2024-07-01")
    assert "it is now “2024-07-01”. But the browser says: " in beyond.text


async def test_what_the_browser_held_back_says_which_fields_and_why(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "noise")
    await tools.click("button", "Send in")
    assert 'textbox "Name" [required] [invalid] [hint: Please fill out this field.]' in tools.text
    await tools.type("textbox", "Name", "Ada")
    assert 'textbox "Name" [required] [ref=' in tools.page


async def test_a_read_only_date_is_set_by_its_calendar_and_the_chosen_day_is_seen(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "fields")
    refused = await tools.type("textbox", "Back on", "2024-06-17")
    assert "read-only" in refused.text
    await tools.click("textbox", "Back on")
    await tools.call("browser_click", target=tools.ref_by_text("17"))
    assert "paragraph: back on 2024-06-17" in tools.page
    assert f"generic [selected] [ref={tools.ref_by_text('17')}]: 17" in tools.page


async def test_drawn_sliders_and_spin_buttons_are_set_by_keys(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "fields")
    fields = [
        {"target": tools.ref("slider", "Depth"), "type": "slider", "value": "33"},
        {"target": tools.ref("spinbutton", "Anchors"), "type": "slider", "value": "5"},
        {"target": tools.ref("slider", "Speed"), "type": "slider", "value": "25"},
    ]
    filled = await tools.call("browser_fill_form", fields=fields)
    for value in ("33", "5", "25"):
        assert f"it is now “{value}”" in filled.text
    assert "paragraph: anchors 5" in tools.page
