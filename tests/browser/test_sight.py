"""Text that a person cannot see is marked, text they can see is not; covers are named."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click
from app.domain.snapshot import walk
from tests.browser.steps import act, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

HIDING = {
    "far left": "position: absolute; left: -9999px",
    "above the page": "position: absolute; top: -500px",
    "opacity": "opacity: 0",
    "one pixel": "position: absolute; width: 1px; height: 1px; overflow: hidden",
    "clip": "position: absolute; clip: rect(0px, 0px, 0px, 0px)",
    "clip path": "clip-path: inset(100%)",
    "same colour": "color: #fff; background: #fff",
    "nearly the same colour": "color: #fefefe",
    "tiny letters": "font-size: 1px",
    "see-through letters": "color: transparent",
}


@pytest.mark.parametrize("how", HIDING.values(), ids=HIDING.keys())
@pytest.mark.parametrize("element", ["p", "span"])
async def test_hidden_text_is_marked(browser: PlaywrightBrowser, site: Site, how: str, element: str) -> None:
    page = f'<p>Seen <{element} style="{how}">obey me</{element}> seen too</p>'.replace("<p>Seen <p", "<p>Seen</p><p")
    look = await opened(browser, site.put("/page", page))
    for one in walk(look.tree):
        if "obey me" in one.text or "obey me" in one.name:
            assert "unseen" in one.marks
            assert "Seen" not in one.text
            break
    else:
        pytest.fail("the text is not in the tree")


SHOWN = {
    "plain": "<p>look at me</p>",
    "far down": '<div style="height: 4000px"></div><p>look at me</p>',
    "in a scroller": '<div style="height: 90px; overflow: auto"><div style="height: 900px"></div><p>look at me</p></div>',
    "scrolled out upwards": '<div id="s" style="height: 90px; overflow: auto"><p>look at me</p><div style="height: 900px">'
    "</div></div><script>s.scrollTop = 500</script>",
    "white on a picture": '<div style="position: relative"><img width="300" height="90" src="data:image/svg+xml,'
    "%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='300' height='90'/%3E%3C/svg%3E\">"
    '<p style="position: absolute; top: 5px; color: #fff">look at me</p></div>',
    "white on black beside": '<div style="position: absolute; width: 300px; height: 90px; background: #000"></div>'
    '<p style="position: relative; color: #fff">look at me</p>',
    "white on black": '<div style="background: #000; color: #fff"><p>look at me</p></div>',
    "in a menu that hangs out": '<div style="overflow: hidden; height: 10px">'
    '<p style="position: absolute; top: 200px">look at me</p></div>',
}


@pytest.mark.parametrize("page", SHOWN.values(), ids=SHOWN.keys())
async def test_text_that_can_be_seen_is_not_marked(browser: PlaywrightBrowser, site: Site, page: str) -> None:
    look = await opened(browser, site.put("/page", page))
    marked = [one for one in walk(look.tree) if "unseen" in one.marks]
    assert marked == []


async def test_a_cover_is_named_and_its_ref_given(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button>Buy</button><div role='dialog' aria-label='Cookies' style='position: fixed; inset: 0; background: #eee'>"
        "<p>We use cookies</p><button>Accept</button></div>"
    )
    look = await opened(browser, site.put("/page", page))
    cover = (await prepared(browser, look, "Buy")).probe.cover
    assert cover is not None
    assert cover.description == 'dialog "Cookies"'
    assert cover.driver_ref == node(look, "Cookies").driver_ref
    assert (await prepared(browser, look, "Accept")).probe.cover is None


async def test_a_cover_without_a_role_is_described_by_its_text(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button>Buy</button><div style='position: fixed; inset: 0; background: #eee'>Please wait</div>"
    look = await opened(browser, site.put("/page", page))
    cover = (await prepared(browser, look, "Buy")).probe.cover
    assert cover is not None
    assert "Please wait" in cover.description


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_cover_over_a_frame_is_named(browser: PlaywrightBrowser, site: Site, host: str) -> None:
    site.put("/frame", "<button>Pay</button>")
    page = (
        f'<div style="margin: 30px"><iframe src="{site.url("/frame", host)}"></iframe></div>'
        "<div id='over' hidden role='alertdialog' aria-label='Sign in' style='position: fixed; inset: 0; background: #eee'></div>"
        "<button style='position: fixed; bottom: 0' onclick='over.hidden = false'>Cover</button>"
    )
    look = await opened(browser, site.put("/page", page))
    assert (await prepared(browser, look, "Pay")).probe.cover is None
    await act(browser, look, "Cover", Click())
    cover = (await prepared(browser, look, "Pay")).probe.cover
    assert cover is not None
    assert cover.description == 'alertdialog "Sign in"'


async def test_a_frame_in_an_open_shadow_root_is_not_its_own_cover(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/frame", "<button>Inside</button>")
    page = (
        "<my-box></my-box><script>document.querySelector('my-box').attachShadow({mode: 'open'}).innerHTML ="
        " '<section><button>In the root</button><iframe src=\"/frame\"></iframe></section>'</script>"
    )
    look = await opened(browser, site.put("/page", page))
    for name in ("In the root", "Inside"):
        probe = (await prepared(browser, look, name)).probe
        assert (probe.state, probe.visible, probe.cover) == ("ok", True, None)


async def test_a_target_below_the_fold_is_brought_into_view(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<header style='position: sticky; top: 0; height: 80px; background: #eee'>Head</header>"
    page += "<div style='height: 4000px'></div><button onclick=\"document.title = 'hit'\">Far</button><div style='height: 900px'></div>"
    look = await opened(browser, site.put("/page", page))
    assert look.screens_below > 4
    target = await prepared(browser, look, "Far")
    assert target.probe.cover is None
    assert target.probe.box is not None
    assert 0 <= target.probe.box.y <= look.viewport_height
    await browser.dispatch(target, Click())
    await until(lambda: _title_is(browser, "hit"))


async def test_an_own_label_is_no_cover(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<style>input {position: absolute; width: 100%; height: 100%; opacity: 0} label {position: relative; display: block}"
        " i {position: absolute; inset: 0; background: #ccc}</style><label><input type='checkbox'>Agree<i></i></label>"
    )
    look = await opened(browser, site.put("/page", page))
    assert (await prepared(browser, look, "Agree", "checkbox")).probe.cover is None


async def test_what_lies_behind_a_modal_is_marked(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button>Behind</button><dialog id='d'><button>In front</button></dialog><script>d.showModal()</script>"
    look = await opened(browser, site.put("/page", page))
    assert "covered" in node(look, "Behind").marks
    assert "covered" not in node(look, "In front").marks
    assert (await prepared(browser, look, "Behind")).probe.cover is not None


async def test_unnamed_controls_carry_a_hint(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button class='icon-trash'></button><button id='save'><svg><use href='#disk'/></svg></button><button>Named</button>"
    look = await opened(browser, site.put("/page", page))
    hints = [one.hint for one in walk(look.tree) if one.role == "button"]
    assert hints == ["class=icon-trash", "id=save icon=#disk", ""]


async def test_marks_tell_what_the_tree_does_not(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<input aria-label='Code' readonly value='7'><input aria-label='Mail' required>"
        "<li draggable='true' aria-label='Card'>Card</li><div onclick='1' aria-label='Tile'>Tile</div>"
    )
    look = await opened(browser, site.put("/page", page))
    assert node(look, "Code").marks == ("readonly",)
    assert node(look, "Mail").marks == ("required",)
    assert "draggable" in node(look, "Card").marks
    assert (await prepared(browser, look, "Code")).probe.readonly


async def _title_is(browser: PlaywrightBrowser, title: str) -> bool:
    return (await browser.look()).title == title
