"""Cards made of plain blocks: their controls are told apart by what the card says."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.context.page.shown import show
from app.context.refs.identity import RefTable
from app.domain.ids import ObservationId
from app.domain.snapshot import walk
from tests.browser.steps import opened
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

CARDS = """<title>Shop</title><h1>Offers</h1><div id="cards"></div>
<button onclick="draw(names.reverse())">Draw anew</button><button onclick="recycle()">Recycle</button>
<script>
let names = ['Bowl', 'Plate', 'Pan', 'Pot', 'Knife', 'Mug'];
const add = button => document.title += ' ' + button.closest('.card').querySelector('.title').textContent;
const card = (name, at) => `<div class="card"><img src="x" alt=""><div class="title">${name}</div>
  <div>$${at + 2}.50</div><div><button onclick="add(this)">Add</button></div></div>`;
const draw = names => cards.innerHTML = names.map(card).join('');
const titles = () => document.querySelectorAll('.title');
const recycle = () => { names.reverse(); titles().forEach((title, at) => title.textContent = names[at]); };
draw(names);
</script>"""
COLUMNS = """<h1>Desk</h1><div class="columns">
<div class="column"><p>Count: 1</p><button>Up</button></div><div class="column"><p>Help</p><button>Ask</button></div>
<div class="column"><p>More</p><button>Show</button></div></div>"""


async def test_cards_of_plain_blocks_stand_on_a_line_each_with_their_controls(
    browser: PlaywrightBrowser, site: Site
) -> None:
    look = await opened(browser, site.put("/cards", CARDS))
    text = show(look, RefTable(), None, id=ObservationId("o1"), fence="k7q2").text
    assert '- listitem: Bowl | $2.50 | button "Add" [ref=e1]' in text
    assert '- listitem: Mug | $7.50 | button "Add" [ref=e6]' in text
    arounds = [node.around for node in walk(look.tree) if node.name == "Add"]
    assert arounds == ["Bowl $2.50", "Plate $3.50", "Pan $4.50", "Pot $5.50", "Knife $6.50", "Mug $7.50"]


async def test_a_control_whose_name_no_neighbour_bears_is_not_told_by_its_block(
    browser: PlaywrightBrowser, site: Site
) -> None:
    look = await opened(browser, site.put("/columns", COLUMNS))
    assert {node.around for node in walk(look.tree) if node.role == "button"} == {""}


async def test_a_ref_stays_with_its_card_when_the_elements_show_other_cards(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/cards", CARDS.replace("$${at + 2}.50", "each"))
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cards"))
    pan = tools.ref("button", "Add", nth=2)
    for button in ("Recycle", "Draw anew"):
        await tools.click("button", button)
        await tools.call("browser_click", target=pan)
        assert not tools.last.is_error, tools.text
    assert 'title "Shop Pan Pan"' in tools.text


async def test_a_ref_of_a_card_that_says_something_else_now_acts_on_nothing(
    browser: PlaywrightBrowser, site: Site
) -> None:
    later = CARDS.replace("draw(names);", "draw(names); onkeydown = () => { names[2] = 'Kettle'; draw(names); };")
    site.put("/cards", later)
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cards"))
    pan = tools.ref("button", "Add", nth=2)
    await tools.call("browser_press_key", key="x")
    await tools.call("browser_click", target=pan)
    assert tools.last.is_error
    assert "Kettle" not in tools.text.partition("title")[2].partition("\n")[0]
