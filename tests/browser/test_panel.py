"""The live panel: pictures come, the person's hands reach the page, their typing is told to nobody."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import (
    Click,
    CompositionInput,
    KeyInput,
    MouseInput,
    Navigate,
    OpenTab,
    SelectInput,
    SelectTab,
    TextInput,
    WheelInput,
)
from app.domain.pages import FilesWanted, Frame
from app.domain.passing import (
    CursorChanged,
    PanelChanged,
    PassingEvent,
    SelectOpened,
    TargetOutlined,
)
from app.domain.snapshot import Box
from tests.browser.steps import act, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVING = "<h1 id='h'>0</h1><script>setInterval(() => h.textContent = +h.textContent + 1, 60)</script>"


class Seat:
    """Where a person would sit: keeps what the panel shows."""

    def __init__(self, browser: PlaywrightBrowser) -> None:
        self._browser = browser
        self.frames: list[Frame] = []
        self.events: list[PassingEvent] = []

    async def click(self, box: Box, *, dx: float = 5, dy: float = 5, count: int = 1) -> None:
        x, y = box.x + dx, box.y + dy
        await self._browser.send(MouseInput("move", x, y))
        await self._browser.send(MouseInput("press", x, y, "left", 1, click_count=count))
        await self._browser.send(MouseInput("release", x, y, "left", 0, click_count=count))

    def last(self, kind: type[PassingEvent]) -> PassingEvent | None:
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)


async def seated(browser: PlaywrightBrowser) -> Seat:
    seat = Seat(browser)
    await browser.show(seat.frames.append, seat.events.append)
    return seat


async def box_of(browser: PlaywrightBrowser, site: Site, page: str, name: str) -> Box:
    look = await opened(browser, site.put("/page", page))
    box = (await prepared(browser, look, name)).probe.box
    assert box is not None
    return box


async def test_pictures_come_at_once_and_go_on_over_navigations_and_sites(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/still", "<h1>Still</h1>")
    await browser.perform(Navigate(site.url("/still")))
    seat = await seated(browser)
    first = await until(lambda: seat.frames[0] if seat.frames else None)
    assert first.data.startswith(b"\xff\xd8")
    assert (first.viewport_width, first.viewport_height) == (1280, 800)
    site.put("/moving", MOVING)
    for host in ("127.0.0.1", "localhost"):
        await browser.perform(Navigate(site.url("/moving", host)))
        seen = len(seat.frames)
        await until(lambda seen=seen: len(seat.frames) > seen + 3)
    await browser.hide()
    seen = len(seat.frames)
    await browser.settle()
    assert len(seat.frames) == seen


async def test_the_picture_follows_the_active_tab(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/moving", MOVING))
    seat = await seated(browser)
    await until(lambda: seat.frames)
    await browser.perform(OpenTab(site.url("/moving")))
    other = (await browser.look()).tab
    await until(lambda: seat.frames[-1].tab == other)
    seen = len(seat.frames)
    await until(lambda: len(seat.frames) > seen + 2)
    assert {frame.tab for frame in seat.frames[seen:]} == {other}
    await browser.perform(SelectTab(look.tab))
    await until(lambda: seat.frames[-1].tab == look.tab)
    await until(lambda: _active_tabs(seat) == [look.tab])


async def test_mouse_keys_and_text_reach_the_page(browser: PlaywrightBrowser, site: Site) -> None:
    box = await box_of(browser, site, "<input aria-label='Field'><p style='height: 3000px'>tall</p>", "Field")
    seat = await seated(browser)
    await seat.click(box)
    await browser.send(KeyInput("down", "a", "KeyA", "a", 65))
    await browser.send(KeyInput("up", "a", "KeyA", "", 65))
    await browser.send(TextInput("é你🎉"))
    await browser.send(KeyInput("down", "Backspace", "Backspace", "", 8))
    await browser.send(KeyInput("up", "Backspace", "Backspace", "", 8))
    await until(lambda: _text_is(browser, "aé你"))
    await browser.send(WheelInput(400, 400, 0, 600))
    await until(lambda: _is_scrolled(browser))


async def test_an_input_method_composes(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<input aria-label='Field'><p id='out'></p><script>for (const kind of ['compositionstart', 'compositionend'])"
        " addEventListener(kind, () => out.append(kind + ' '))</script>"
    )
    box = await box_of(browser, site, page, "Field")
    await (await seated(browser)).click(box)
    await browser.send(CompositionInput("に", 1, 1))
    await browser.send(CompositionInput("にほ", 2, 2))
    await browser.send(TextInput("日本"))
    await until(lambda: _text_is(browser, "compositionstart compositionend 日本"))


@pytest.mark.parametrize("where", ["page", "same", "other"])
async def test_a_list_is_shown_by_the_window_and_the_choice_arrives(
    browser: PlaywrightBrowser, site: Site, where: str
) -> None:
    select = (
        "<select aria-label='Colour' onchange=\"document.querySelector('p').textContent = this.value\">"
        "<option>Red<option>Green<optgroup label='G' disabled><option>Blue</optgroup></select><p></p>"
    )
    site.put("/frame", select)
    host = "localhost" if where == "other" else "127.0.0.1"
    page = (
        select
        if where == "page"
        else f"<div style='padding: 40px'><iframe src='{site.url('/frame', host)}'></iframe></div>"
    )
    box = await box_of(browser, site, page, "Colour")
    seat = await seated(browser)
    await seat.click(box)
    event = await until(lambda: seat.last(SelectOpened))
    assert isinstance(event, SelectOpened)
    assert event.options == (("Red", False), ("Green", False), ("Blue", True))
    assert event.selected == 0
    assert (round(event.x), round(event.y)) == (round(box.x), round(box.y))
    await browser.send(SelectInput(event.token, 1))
    await until(lambda: _text_has(browser, "Green"))
    await browser.send(SelectInput(event.token, 0))
    assert "Green" in await browser.text()


async def test_the_cursor_is_told(browser: PlaywrightBrowser, site: Site) -> None:
    box = await box_of(browser, site, "<a href='#x'>Link</a>", "Link")
    seat = await seated(browser)
    await browser.send(MouseInput("move", box.x + 3, box.y + 3))
    event = await until(lambda: seat.last(CursorChanged))
    assert event == CursorChanged("pointer")


async def test_the_selection_is_copied_and_cut_but_never_a_password(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<input aria-label='Field' value='some words'>"
    page += "<input type='password' aria-label='Secret' value='hunter2-is-long'>"
    box = await box_of(browser, site, page, "Field")
    seat = await seated(browser)
    await seat.click(box)
    await browser.send(KeyInput("down", "a", "KeyA", "", 65, 2, ("selectAll",)))
    assert await browser.copy_selection(cut=False) == "some words"
    assert await browser.copy_selection(cut=True) == "some words"
    assert "some words" not in await browser.text()
    await browser.send(KeyInput("down", "Tab", "Tab", "", 9))
    await browser.send(KeyInput("down", "a", "KeyA", "", 65, 2, ("selectAll",)))
    assert await browser.copy_selection(cut=False) == ""


async def test_a_click_that_opens_a_dialog_does_not_block_the_hands(browser: PlaywrightBrowser, site: Site) -> None:
    box = await box_of(browser, site, "<button onclick=\"alert('stop')\">Ask</button>", "Ask")
    seat = await seated(browser)
    await seat.click(box)
    changed = await until(lambda: _with_dialog(seat))
    assert changed.dialog is not None
    assert changed.dialog.message == "stop"
    await browser.send(MouseInput("move", 5, 5))


async def test_what_is_held_down_is_let_go(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<input aria-label='Field'><script>for (const kind of ['keyup', 'mouseup']) addEventListener(kind, event =>"
        " document.body.append(kind + (event.key || '') + ' '))</script>"
    )
    box = await box_of(browser, site, page, "Field")
    await (await seated(browser)).click(box)
    await browser.send(KeyInput("down", "Shift", "ShiftLeft", "", 16, 8))
    await browser.send(MouseInput("press", 300, 300, "left", 1, click_count=1))
    await browser.release_input()
    await until(lambda: _text_is(browser, "mouseup keyupShift mouseup"))
    await browser.release_input()


async def test_the_size_of_the_panel_is_the_size_of_the_page(browser: PlaywrightBrowser, site: Site) -> None:
    await opened(browser, site.put("/page", "<h1>Size</h1>"))
    seat = await seated(browser)
    await browser.resize(900, 600)
    await until(lambda: seat.frames and (seat.frames[-1].viewport_width, seat.frames[-1].viewport_height) == (900, 600))
    await browser.perform(OpenTab(site.url("/page")))
    await until(lambda: _has_size(browser, 900))
    await browser.resize(1280, 800)


async def test_the_panel_is_told_where_the_agent_acts_and_what_the_page_wants(
    browser: PlaywrightBrowser, site: Site
) -> None:
    look = await opened(browser, site.put("/page", "<input type='file' multiple aria-label='Files'>"))
    seat = await seated(browser)
    target = await prepared(browser, look, "Files")
    await browser.outline(target, "click Files")
    outlined = seat.last(TargetOutlined)
    assert isinstance(outlined, TargetOutlined)
    assert outlined.label == "click Files"
    assert outlined.width > 20
    await browser.dispatch(target, Click())
    assert await until(lambda: seat.last(PanelChanged).files_wanted) == FilesWanted(multiple=True)


async def test_typing_shows_in_no_description_of_the_input(browser: PlaywrightBrowser) -> None:
    for item in (KeyInput("down", "s", "KeyS", "s"), TextInput("secret"), CompositionInput("secret")):
        assert "s" not in repr(item).removeprefix(type(item).__name__).lower()


async def test_the_agent_and_the_person_do_not_disturb_each_other(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button onclick=\"out.textContent += 'agent '\">Go</button><input aria-label='Field'><p id='out'></p>"
    box = await box_of(browser, site, page, "Field")
    seat = await seated(browser)
    look = await browser.look()
    await seat.click(box)
    await act(browser, look, "Go", Click())
    await browser.send(MouseInput("move", 600, 500))
    await until(lambda: _text_has(browser, "agent"))


def _active_tabs(seat: Seat) -> list[int]:
    changed = seat.last(PanelChanged)
    return [tab.id for tab in changed.tabs if tab.active] if isinstance(changed, PanelChanged) else []


def _with_dialog(seat: Seat) -> PanelChanged | None:
    changed = seat.last(PanelChanged)
    return changed if isinstance(changed, PanelChanged) and changed.dialog else None


async def _text_is(browser: PlaywrightBrowser, text: str) -> bool:
    return " ".join((await browser.text()).split()).removeprefix("tall ") == text


async def _text_has(browser: PlaywrightBrowser, text: str) -> bool:
    return text in await browser.text()


async def _is_scrolled(browser: PlaywrightBrowser) -> bool:
    return (await browser.look()).screens_above > 0


async def _has_size(browser: PlaywrightBrowser, width: int) -> bool:
    return (await browser.look()).viewport_width == width
