"""Text that a person cannot see is marked, text they can see is not; covers are named."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click
from app.domain.snapshot import SnapshotNode, walk
from tests.browser.steps import act, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_text_that_nobody_can_see_is_marked(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.url("/hidden.html"))
    sections = [one for one in walk(look.tree) if one.role == "region"]
    assert len(sections) == 15
    unmarked = [section.name for section in sections if not any(_is_marked(one) for one in walk(section))]
    assert unmarked == []
    for section in sections:
        shown = " ".join(one.text for one in walk(section) if "unseen" not in one.marks)
        assert shown.split() in ([], ["Buy", "now", "for", "less"])


def _is_marked(one: SnapshotNode) -> bool:
    return "obey me" in one.text and "unseen" in one.marks


async def test_text_that_can_be_seen_is_not_marked(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.url("/seen.html"))
    sections = [one for one in walk(look.tree) if one.role == "region"]
    assert len(sections) == 9
    assert [section.name for section in sections if any("unseen" in one.marks for one in walk(section))] == []


async def test_a_cover_is_named_and_its_ref_given(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.url("/cookies.html"))
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
        "<style>#over {position: fixed; inset: 0; background: #eee}</style>"
        "<div id='over' hidden role='alertdialog' aria-label='Sign in'></div>"
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
    page += "<div style='height: 4000px'></div><button onclick=\"document.title = 'hit'\">Far</button>"
    page += "<div style='height: 900px'></div>"
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
        "<style>input {position: absolute; width: 100%; height: 100%; opacity: 0}"
        " label {position: relative; display: block} i {position: absolute; inset: 0; background: #ccc}</style>"
        "<label><input type='checkbox'>Agree<i></i></label>"
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
    page = "<button class='icon-trash'></button><button id='save'><svg><use href='#disk'/></svg></button>"
    page += "<button>Named</button>"
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


async def test_a_closed_shadow_root_is_read_like_an_open_one(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<my-pay style='display: block; height: 40px'></my-pay><my-open></my-open><script>"
        "for (const [name, mode] of [['my-pay', 'closed'], ['my-open', 'open']]) customElements.define(name,"
        " class extends HTMLElement { constructor() { super(); this.attachShadow({mode}).innerHTML ="
        " '<button>Pay</button>' } })</script>"
    )
    look = await opened(browser, site.put("/page", page))
    assert sum(one.name == "Pay" and one.driver_ref != "" for one in walk(look.tree)) == 2
    assert look.missing == ()


async def test_a_picture_covers_secret_fields(browser: PlaywrightBrowser, site: Site) -> None:
    pictures = []
    for code in ("493811", "000000"):
        await opened(browser, site.put("/page", f"<h1>Code</h1><input name='otp' value='{code}'>"))
        pictures.append(await browser.picture())
    assert pictures[0].data.startswith(b"\x89PNG")
    assert (pictures[0].width, pictures[0].height) == (1280, 800)
    assert pictures[0].data == pictures[1].data
    await opened(browser, site.put("/page", "<h1>Other</h1>"))
    assert (await browser.picture()).data != pictures[0].data


async def test_a_picture_can_be_of_a_target_or_of_the_whole_page(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button style='width: 120px; height: 40px'>Button</button><div style='height: 2000px'></div>"
    look = await opened(browser, site.put("/page", page))
    target = await prepared(browser, look, "Button")
    assert (await browser.picture(target)).width == 120
    whole = await browser.picture(full_page=True)
    assert whole.height / whole.width > 1.5, "all of it, made smaller"
