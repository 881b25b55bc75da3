"""Every kind of control takes its act, and says afterwards what it holds."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import (
    Click,
    ClickPoint,
    GoBack,
    GoForward,
    Hover,
    Navigate,
    PressKey,
    ScrollBy,
    SelectOptions,
    SetChecked,
    SetSlider,
    TargetAct,
    Type,
    Wheel,
)
from tests.browser.steps import act, address, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("name", "what", "value"),
    [
        ("Text", Type("new"), "new"),
        ("Text", Type("ab", slowly=True), "ab"),
        ("Text", Type(""), ""),
        ("Area", Type("two\nlines"), "two\nlines"),
        ("Date", Type("2024-05-17"), "2024-05-17"),
        ("Time", Type("13:45"), "13:45"),
        ("Number", Type("42"), "42"),
        ("Mail", Type("a@b.example"), "a@b.example"),
        ("Colour", Type("#ff0000"), "#ff0000"),
        ("Rich", Type("bold words"), "bold words"),
        ("Tick", SetChecked(checked=True), "checked"),
        ("Ticked", SetChecked(checked=False), "unchecked"),
        ("Ticked", SetChecked(checked=True), "checked"),
        ("Drawn", SetChecked(checked=True), "checked"),
        ("Range", SetSlider("7"), "7"),
        ("Slider", SetSlider("6"), "6"),
        ("Slider", SetSlider("99"), "9"),
        ("One", SelectOptions(("Green",)), "Green"),
        ("One", SelectOptions(("g",)), "Green"),
        ("Several", SelectOptions(("A", "C")), "A, C"),
        ("Styled label", SetChecked(checked=True), "checked"),
    ],
)
async def test_a_control_takes_its_act_and_reads_back(
    browser: PlaywrightBrowser, site: Site, name: str, what: TargetAct, value: str
) -> None:
    look = await opened(browser, site.url("/controls.html"))
    outcome = await act(browser, look, name, what)
    assert (outcome.status, outcome.value_after) == ("done", value), outcome.reason


@pytest.mark.parametrize(
    ("name", "what", "words"),
    [
        ("One", SelectOptions(("Purple",)), "no option “Purple”. The options are: “Red”, “Green”, “Blue”"),
        ("One", SelectOptions(("Blue",)), "is disabled"),
        ("Text", SelectOptions(("Red",)), "not a list to choose from"),
        ("Date", Type("17.5.2024"), "2024-05-17"),
        ("Tick", Type("words"), "cannot be typed into"),
        ("Slider", SetSlider("much"), "not a number"),
    ],
)
async def test_an_act_that_does_not_fit_fails_and_says_what_would(
    browser: PlaywrightBrowser, site: Site, name: str, what: TargetAct, words: str
) -> None:
    look = await opened(browser, site.url("/controls.html"))
    outcome = await act(browser, look, name, what)
    assert outcome.status == "failed"
    assert words in outcome.reason


async def test_a_field_that_takes_no_keys_is_filled_whole(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<input aria-label=Number autocomplete=off onkeydown='event.preventDefault()' value=0>"
    look = await opened(browser, site.put("/spinner", page))
    outcome = await act(browser, look, "Number", Type("-5"))
    assert (outcome.status, outcome.value_after) == ("done", "-5")


async def test_a_field_told_to_submit_gets_enter_once(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/sent", "<h1>Thanks</h1>")
    page = "<form method='post' action='/sent'><input name='q' aria-label='Query'></form>"
    look = await opened(browser, site.put("/form", page))
    outcome = await act(browser, look, "Query", Type("fish", submit=True))
    assert (outcome.status, outcome.value_after) == ("done", "fish")
    assert await browser.wait_for(text="Thanks", time_ms=3000)
    assert site.posts == [("/sent", "q=fish")]
    writes = browser.happenings().writes
    assert [(one.method, one.status) for one in writes] == [("POST", 200)]


async def test_clicks_of_every_kind_arrive(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button>Target</button><p id='out'></p><script>for (const kind of ['click', 'dblclick', 'contextmenu'])"
        " addEventListener(kind, event => out.append(kind, event.shiftKey ? '+shift ' : ' '))</script>"
    )
    look = await opened(browser, site.put("/page", page))
    for what in (Click(double=True), Click(button="right"), Click(modifiers=("Shift",))):
        assert (await act(browser, look, "Target", what)).status == "done"
    assert "click click dblclick contextmenu click+shift" in await browser.text()


async def test_a_disabled_button_fails_quickly_and_was_not_clicked(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/page", "<button disabled>Off</button>"))
    target = await prepared(browser, look, "Off")
    assert not target.probe.enabled
    outcome = await browser.dispatch(target, Click())
    assert outcome.status == "failed"
    assert "disabled" in outcome.reason


async def test_a_covered_button_is_not_clicked_and_the_cover_is_told(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button onclick=\"document.title = 'hit'\">Buy</button>"
        "<div style='position: fixed; inset: 0; background: #eee'>Wait</div>"
    )
    look = await opened(browser, site.put("/page", page))
    outcome = await act(browser, look, "Buy", Click())
    assert outcome.status == "failed"
    assert "lies over it" in outcome.reason
    assert (await browser.look()).title == ""


async def test_a_target_that_goes_away_before_the_act_fails(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button id='b'>Gone</button><button onclick='b.remove()'>Remove</button>"
    look = await opened(browser, site.put("/page", page))
    target = await prepared(browser, look, "Gone")
    await act(browser, look, "Remove", Click())
    assert (await browser.dispatch(target, Click())).status == "failed"


async def test_hover_scroll_keys_and_points_arrive(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<style>#menu {display: none} #m:hover #menu {display: block}</style>"
        "<div id='m'><button>Menu</button><div id='menu'>Opened</div></div>"
        "<div style='height: 100px; overflow: auto'><button>Inner</button><div style='height: 900px'></div></div>"
        "<p id='out'>none</p><script>onkeydown = event => out.textContent = event.key;"
        "onclick = event => out.textContent = event.clientX + '/' + event.clientY</script>"
        "<div style='height: 3000px'></div>"
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Menu", Hover())
    assert "Opened" in await browser.text()
    await act(browser, look, "Inner", ScrollBy(0, 300))
    assert (await browser.look()).screens_above == 0
    await browser.perform(PressKey("ArrowDown"))
    assert "ArrowDown" in await browser.text()
    await browser.perform(ClickPoint(300, 400))
    assert "300/400" in await browser.text()
    await browser.perform(Wheel(0, 800))
    await until(lambda: _is_scrolled(browser))


async def test_drag_and_drop_carries_its_data(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<li draggable='true' aria-label='Card' ondragstart=\"event.dataTransfer.setData('text', 'card 7')\">Card</li>"
        "<div style='height: 80px' role='region' aria-label='Done' ondragover='event.preventDefault()'"
        " ondrop=\"this.textContent = 'dropped ' + event.dataTransfer.getData('text')\">Drop here</div>"
    )
    look = await opened(browser, site.put("/page", page))
    start, end = await prepared(browser, look, "Card"), await prepared(browser, look, "Done")
    assert (await browser.drag(start, end)).status == "done"
    assert await browser.wait_for(text="dropped card 7", time_ms=3000)


async def test_history_goes_back_and_forward_and_says_where_it_ends(browser: PlaywrightBrowser, site: Site) -> None:
    await browser.perform(Navigate(site.put("/one", "<h1>One</h1>")))
    await browser.perform(Navigate(site.put("/two", "<h1>Two</h1>", status=503)))
    assert (await browser.look()).http_status == 503
    assert (await browser.perform(GoForward())).status == "failed"
    assert (await browser.perform(GoBack())).status == "done"
    assert (await browser.look()).url.endswith("/one")
    assert (await browser.perform(GoForward())).http_status == 503


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:9/", "did not load"),
        ("http://nowhere.invalid/", "no such site"),
        ("nonsense://x", "did not load"),
        ("not a url", "did not load"),
    ],
)
async def test_an_address_that_does_not_load_says_why(browser: PlaywrightBrowser, url: str, words: str) -> None:
    outcome = await browser.perform(Navigate(url))
    assert outcome.status == "failed"
    assert words in outcome.reason


async def test_what_has_the_focus_and_what_lies_at_a_point_are_probed(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/frame", "<form method='post'><button>Send it</button></form>")
    page = "<input aria-label='Query' autofocus><button><b>Bold</b></button><br><iframe src='/frame'></iframe>"
    look = await opened(browser, site.put("/page", page))
    focused = (await browser.prepare_focus()).probe
    assert focused.node is not None
    assert focused.node.name == "Query"
    bold = (await browser.prepare(address(look, node(look, "Bold")))).probe.box
    send = (await browser.prepare(address(look, node(look, "Send it")))).probe.box
    assert bold is not None
    assert send is not None
    at_bold = (await browser.prepare_point(bold.x + 5, bold.y + 5)).probe
    assert at_bold.node is not None
    assert at_bold.node.name == "Bold"
    at_send = await browser.prepare_point(send.x + 5, send.y + 5)
    assert at_send.probe.node is not None
    assert (at_send.probe.node.name, at_send.probe.submits) == ("Send it", True)
    assert (await browser.dispatch(at_send, Click())).status == "done"
    assert (await browser.prepare_point(900, 700)).probe.form is None


async def _is_scrolled(browser: PlaywrightBrowser) -> bool:
    return (await browser.look()).screens_above > 0
