"""Pictures of the viewport, of a target and of the whole page, in both kinds."""

from typing import Literal

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.steps import opened, prepared
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

TALL = '<body style="margin:0"><button style="width:120px;height:40px">Go</button><div style="height:2000px"></div>'
STARTS = {"png": b"\x89PNG", "jpeg": b"\xff\xd8"}


@pytest.mark.parametrize("kind", ["png", "jpeg"])
async def test_a_picture_is_of_the_kind_and_size_that_was_asked_for(
    browser: PlaywrightBrowser, site: Site, kind: Literal["png", "jpeg"]
) -> None:
    look = await opened(browser, site.put("/tall", TALL))
    viewport = await browser.picture(kind=kind)
    whole = await browser.picture(full_page=True, kind=kind, sharp=True)
    button = await browser.picture(await prepared(browser, look, "Go"), kind=kind)
    assert {picture.mime for picture in (viewport, whole, button)} == {f"image/{kind}"}
    assert all(picture.data.startswith(STARTS[kind]) for picture in (viewport, whole, button))
    assert (viewport.width, viewport.height) == (look.viewport_width, look.viewport_height)
    assert whole.height / whole.scale > 2000
    assert (button.width, button.height) == (120, 40)
