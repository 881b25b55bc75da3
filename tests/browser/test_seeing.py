"""Clicks by point on the newest picture: at every scale and zoom, in frames and roots, and never on an older one."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from app.browser.picture import LONGEST
from app.browser.pixels import size_of
from tests.browser.steps import options_for
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

CLICK = "browser_mouse_click_xy"
SHOOT = "browser_take_screenshot"
SCREENS = {"plain": {}, "device scale 2.5": {"device_scale": 2.5}, "browser zoom 80 %": {"zoom": 0.8}}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=SCREENS, ids=str)
async def screen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[PlaywrightBrowser]:
    """A browser on a screen of that kind."""
    kind = dict(SCREENS[request.param])
    folder = tmp_path_factory.mktemp("screen")
    if kind.pop("zoom", None):
        _zoom_all_pages(folder)
    browser = PlaywrightBrowser(options_for(folder, **kind))
    await browser.start()
    yield browser
    await browser.close()


def _zoom_all_pages(folder: Path) -> None:
    """As a person sets it in the browser's settings: a level of -1.22 is 80 %."""
    preferences = folder / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"partition": {"default_zoom_level": {"x": -1.2239}}}))


async def desk_at(browser: PlaywrightBrowser, site: Site, path: str = "/seeing/desk.html") -> ToolsDesk:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url(path))
    return tools


async def shoot(tools: ToolsDesk, **how: object) -> float:
    """A new picture; how many of its pixels are one CSS pixel."""
    answer = await tools.call(SHOOT, **how)
    assert answer.picture is not None, answer.text
    return answer.picture.scale


PLACES = (
    (430, 75, "button", "Save", "pressed Save"),
    (738, 173, "button", "Inside", "pressed Inside"),
    (60, 320, "button", "Rooted", "pressed Rooted"),
    (330, 420, "button", "Map", "map at 310, 20"),
)


async def test_a_point_is_acted_on_by_the_ref_of_what_lies_there(screen: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(screen, site)
    scale = await shoot(tools)
    for x, y, role, name, told in PLACES:
        answer = await tools.call(CLICK, x=x * scale, y=y * scale)
        ref = tools.ref(role, name)
        assert f'Clicked the point {x * scale:g}, {y * scale:g}: {role} "{name}" [ref={ref}]' in answer.text
        assert answer.receipt is not None
        assert answer.receipt.status == "confirmed"
        assert told in tools.page


async def test_a_point_on_a_picture_of_the_whole_page_is_the_same_place(screen: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(screen, site)
    scale = await shoot(tools, fullPage=True)
    assert scale < 0.8
    await tools.call(CLICK, x=430 * scale, y=75 * scale)
    assert "pressed Save" in tools.page
    below = await tools.call(CLICK, x=60 * scale, y=2415 * scale)
    assert "not in the viewport" in below.text
    await tools.call("browser_scroll", deltaY=2200)
    await tools.call(CLICK, x=60 * scale, y=2415 * scale)
    assert "pressed Deep sea" in tools.page


async def test_a_point_on_a_picture_of_an_element_counts_from_its_corner(screen: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(screen, site)
    scale = await shoot(tools, target=tools.ref("button", "Map"))
    await tools.call(CLICK, x=200 * scale, y=30 * scale)
    assert "map at 200, 30" in tools.page


async def test_a_point_in_a_page_that_zooms_itself_is_the_same_place(screen: PlaywrightBrowser, site: Site) -> None:
    file = (Path(__file__).parent.parent / "pages" / "seeing" / "desk.html").read_text()
    site.put("/seeing/zoomed.html", file.replace("body { margin: 0;", "html { zoom: 80% } body { margin: 0;"))
    tools = await desk_at(screen, site, "/seeing/zoomed.html")
    scale = await shoot(tools)
    for x, y, told in ((430, 75, "pressed Save"), (738, 173, "pressed Inside"), (60, 320, "pressed Rooted")):
        answer = await tools.call(CLICK, x=x * 0.8 * scale, y=y * 0.8 * scale)
        assert "[ref=" in answer.text
        assert told in tools.page


async def test_a_point_on_a_canvas_is_clicked_there_and_the_receipt_says_what_changed(
    screen: PlaywrightBrowser, site: Site
) -> None:
    tools = await desk_at(screen, site)
    scale = await shoot(tools)
    drawn = await tools.call(CLICK, x=120 * scale, y=160 * scale)
    assert ': canvas "Sheet" [ref=' in drawn.text
    assert "The picture changed at that point." in drawn.text
    assert "line from 100, 100 to 100, 100" in tools.page
    empty = await tools.call(CLICK, x=300 * scale, y=160 * scale)
    assert "The picture did not change at that point." in empty.text
    assert "line from 280, 100" in tools.page


async def test_a_drag_between_two_points_of_a_canvas_ends_at_the_second(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    await shoot(tools)
    await tools.call("browser_mouse_drag_xy", startX=70, startY=110, endX=220, endY=210)
    assert "line from 50, 50 to 200, 150" in tools.page


async def test_without_a_picture_no_point_can_be_clicked(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    answer = await tools.call(CLICK, x=430, y=75)
    assert answer.is_error
    assert "there is no picture to point at. Take a new picture first." in answer.text
    assert "Nothing yet" in tools.page


async def test_boxes_of_a_look_are_points_too(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    await tools.call("browser_snapshot", boxes=True)
    await tools.call(CLICK, x=430, y=75)
    assert "pressed Save" in tools.page


async def test_an_older_picture_is_dead(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    first = await tools.call(SHOOT)
    await tools.call(SHOOT, target=tools.ref("button", "Map"))
    assert first.observation is not None
    answer = await tools.call(CLICK, x=430, y=75, picture=first.observation.id)
    assert answer.is_error
    assert f"{first.observation.id} is an older picture" in answer.text
    assert "Nothing yet" in tools.page


async def rename(tools: ToolsDesk) -> None:
    await tools.click("button", "Rename it")


async def shift(tools: ToolsDesk) -> None:
    await tools.click("button", "Shift it")


async def scroll(tools: ToolsDesk) -> None:
    await tools.call("browser_scroll", deltaY=40)


async def load_again(tools: ToolsDesk) -> None:
    await tools.call("browser_reload")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (scroll, "was scrolled since"),
        (rename, "looks different there"),
        (shift, "looks different there"),
        (load_again, "no longer there"),
    ],
)
async def test_a_point_is_refused_once_the_page_moved_there(
    browser: PlaywrightBrowser, site: Site, move: Callable[[ToolsDesk], Awaitable[None]], why: str
) -> None:
    tools = await desk_at(browser, site)
    await shoot(tools)
    await move(tools)
    answer = await tools.call(CLICK, x=430, y=75)
    assert answer.is_error
    assert why in answer.text
    assert "Take a new picture first." in answer.text
    assert "Nothing yet" in tools.page


async def test_a_change_elsewhere_leaves_the_point_good(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    await shoot(tools)
    await tools.click("button", "Paint the map")
    await tools.call(CLICK, x=430, y=75)
    assert "pressed Save" in tools.page


async def test_a_drawing_that_never_stands_still_can_be_clicked(browser: PlaywrightBrowser, site: Site) -> None:
    script = """<body style="margin:0"><canvas id=sheet width=300 height=200></canvas><p id=said>none</p><script>
    const pen = sheet.getContext('2d'); let n = 0;
    setInterval(() => { pen.fillStyle = `hsl(${n += 47} 80% 50%)`; pen.fillRect(0, 0, 300, 200) }, 20);
    sheet.onclick = () => { said.textContent = 'hit' }</script>"""
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/moving", script))
    await shoot(tools)
    await tools.call(CLICK, x=100, y=100)
    assert "hit" in tools.page


async def test_a_point_that_would_order_is_put_to_the_person(browser: PlaywrightBrowser, site: Site) -> None:
    form = """<body style="margin:0"><form method=post action=/ordered>
    <button style="width:200px;height:60px">Place order</button></form>"""
    site.put("/ordered", "<h1>Ordered</h1>")
    tools = await ToolsDesk.made(browser, "no")
    await tools.open(site.put("/order", form))
    await shoot(tools)
    answer = await tools.call(CLICK, x=100, y=30)
    assert answer.is_error
    assert "did not allow it" in answer.text
    assert site.posts == []


async def test_what_covers_a_thing_is_what_a_point_hits(browser: PlaywrightBrowser, site: Site) -> None:
    page = """<body style="margin:0"><style>button { width: 300px; height: 60px }
    div { position: absolute; left: 100px; top: 0; width: 100px; height: 60px; background: #ccc }</style>
    <button onclick="said.textContent='under'">Pay</button><div>Wait</div><p id=said>none</p>"""
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/covered", page))
    await shoot(tools)
    await tools.call(CLICK, x=150, y=30)
    assert "under" not in tools.page
    seen = await tools.call(CLICK, x=20, y=30)
    assert 'button "Pay"' in seen.text
    assert "under" in tools.page


async def test_the_same_picture_is_not_sent_again(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await desk_at(browser, site)
    first = await tools.call(SHOOT)
    second = await tools.call(SHOOT)
    assert first.observation is not None
    assert second.picture is None
    assert f"the same as {first.observation.id}" in second.text
    await tools.click("button", "Save")
    third = await tools.call(SHOOT)
    assert third.picture is not None


async def test_a_very_tall_page_is_cut_and_the_picture_stays_small(browser: PlaywrightBrowser, site: Site) -> None:
    rows = "".join(f"<p style='height:40px;margin:0;background:hsl({row} 70% 60%)'>Row {row}</p>" for row in range(500))
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/tall", f"<body style='margin:0'>{rows}"))
    answer = await tools.call(SHOOT, fullPage=True)
    assert answer.picture is not None
    assert answer.observation is not None
    assert max(size_of(answer.picture.data)) <= LONGEST
    assert len(answer.picture.data) < 1_000_000
    assert "cut: the upper 3136 of 20000 CSS pixels; scroll to see the rest" in answer.observation.shown


async def test_a_large_sharp_picture_is_made_smaller(tmp_path: Path, site: Site) -> None:
    noise = """<body style="margin:0"><canvas id=c width=1600 height=1000 style="display:block"></canvas><script>
    const pen = c.getContext('2d'), all = pen.createImageData(1600, 1000);
    for (let at = 0, n = 1; at < all.data.length; at += 1) {
      n = (n * 1103515245 + 12345) & 0x7fffffff;
      all.data[at] = at % 4 == 3 ? 255 : n >> 16;
    }
    pen.putImageData(all, 0, 0)</script>"""
    browser = PlaywrightBrowser(options_for(tmp_path, device_scale=2.5, width=1600, height=1000))
    await browser.start()
    try:
        tools = await ToolsDesk.made(browser)
        await tools.open(site.put("/noise", noise))
        answer = await tools.call(SHOOT, scale="device")
        assert answer.picture is not None
        assert max(size_of(answer.picture.data)) <= LONGEST
        assert len(answer.picture.data) < 1_000_000
        assert (answer.picture.width, answer.picture.height) == size_of(answer.picture.data)
        assert answer.picture.scale == pytest.approx(LONGEST / 1600, abs=0.001)
    finally:
        await browser.close()


async def test_secrets_are_covered_on_every_picture(browser: PlaywrightBrowser, site: Site) -> None:
    page = """<body style='margin:0'><input id=it type=password value=hunter2 style='width:300px;height:60px;border:0'>
    <button style='position:absolute;left:400px' onclick="it.value='another one'">Set</button>"""
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/secret", page))
    await tools.click("button", "Set")
    await shoot(tools)
    await tools.call("browser_reload")
    await tools.call("browser_hover", target=tools.ref("button", "Set"))
    first = tools.last
    before = await browser.picture()
    await tools.click("button", "Set")
    assert (await browser.picture()).data == before.data
    assert first.picture is None


async def test_a_picture_of_a_page_that_moves_on_is_of_one_document(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/third", "<h1>Third</h1>")
    site.put("/second", "<script>setTimeout(() => location.replace('/third'), 30)</script>second")
    leave = "setTimeout(() => { location.href = '/second' }, 60)"
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/first", f'<button onclick="{leave}">Go</button>'))
    button = tools.ref("button", "Go")
    clicking = asyncio.create_task(tools.call("browser_click", target=button))
    pictures = [await browser.picture() for _ in range(4)]
    await clicking
    await browser.wait_for(text="Third", time_ms=5_000)
    pictures.append(await browser.picture())
    assert all(picture.data and picture.document for picture in pictures)
    assert pictures[-1].document == (await browser.look()).document


async def test_a_page_that_is_mostly_drawn_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/game", "<body style='margin:0'><canvas width=1280 height=700></canvas><p>Score 0</p>"))
    assert "much of this page is not in its text; look or browser_take_screenshot shows it" in tools.text
    await tools.open(site.put("/words", "<p>Only words</p>" * 20))
    assert "not in its text" not in tools.text
