"""What a thing without a name is called by, said once, and what can be used although it is drawn by its label."""

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

_PAGE = """<!doctype html><title>Hints</title>
<style>.vh{position:absolute;width:1px;height:1px;clip-path:inset(50%)}</style>
<p><input type="checkbox" name="form-0-in_stock" id="id_form-0-in_stock" class="box"></p>
<p><input type="checkbox" name="form-1-in_stock" id="other"></p>
<p><input type="radio" class="vh" name="s" id="r"><label for="r">Express</label></p>
<p><input type="checkbox" class="vh" id="alone" aria-label="Nobody's label"></p>
<canvas id="chart" width="300" height="200" onclick="this.title='marked'"></canvas>"""


async def test_a_hint_says_nothing_twice_and_names_a_drawing(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/hints", _PAGE))
    assert "[hint: name=form-0-in_stock]" in tools.page
    assert "[hint: name=form-1-in_stock id=other]" in tools.page
    assert "[hint: shape=canvas id=chart]" in tools.page


async def test_a_dot_that_its_label_draws_is_no_unseen_one(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/hints", _PAGE))
    lines = {line.strip() for line in tools.page.splitlines()}
    assert any(line.startswith('- radio "Express"') and "[unseen]" not in line for line in lines)
    assert any("Nobody" in line and "[unseen]" in line for line in lines)
    await tools.click("radio", "Express")
    assert 'radio "Express" [checked]' in tools.page
