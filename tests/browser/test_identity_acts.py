"""What is pressed, filled or chosen is what the model read, up to the moment the input arrives."""

import re

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAYS = "<p role=status id=said>nothing</p>"


async def opened(browser: PlaywrightBrowser, site: Site, page: str, path: str = "/page") -> ToolsDesk:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put(path, f"<!doctype html><title>Page</title>{page}{SAYS}"))
    return tools


async def test_a_button_that_takes_another_name_under_the_pointer_is_not_pressed(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<button onmouseenter=\"this.textContent = 'Take $1000'\" onclick='said.textContent = this.textContent'>"
        "Take $10</button>"
    )
    tools = await opened(browser, site, page)
    pressed = await tools.click("button", "Take $10")
    assert pressed.is_error
    assert "Take $1000" in pressed.text
    assert "status: nothing" in tools.page


async def test_a_button_that_tells_the_time_is_pressed_all_the_same(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button id=hold onclick='said.textContent = \"held\"'>Hold (00:00:59)</button><script>let left = 59000;"
        "setInterval(() => { left -= 1; hold.textContent = `Hold (00:00:${String(left % 60).padStart(2, '0')})`; }, 7)"
        "</script>"
    )
    tools = await opened(browser, site, page)
    ref = re.search(r"button \"Hold[^\n]*\[ref=(e\d+)\]", tools.page)
    assert ref is not None
    await tools.call("browser_click", target=ref[1])
    assert "status: held" in tools.page


async def test_a_row_in_which_a_clock_runs_is_the_same_row(browser: PlaywrightBrowser, site: Site) -> None:
    rows = "".join(
        f"<tr><td>{boat} <i>12:00:00</i></td><td><button>Sell</button></td></tr>" for boat in ("Alca", "Tern")
    )
    page = (
        f"<table>{rows}</table><script>setInterval(() => document.querySelectorAll('i').forEach(one => {{"
        "one.textContent = new Date().toTimeString().slice(0, 8) + '.' + performance.now().toFixed(0) % 1000; }), 5);"
        "document.onclick = event => { said.textContent = event.target.closest('tr').innerText.slice(0, 4); }</script>"
    )
    tools = await opened(browser, site, page)
    pressed = await tools.click("button", "Sell", within="Tern")
    assert not pressed.is_error, pressed.text
    assert "status: Tern" in tools.page


async def test_a_form_that_sends_elsewhere_since_the_look_is_refused(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<form id=form action=/here><button>Keep</button></form><script>setTimeout(() => {"
        "form.action = '/there'; said.textContent = 'moved'; }, 1500)</script>"
    )
    tools = await opened(browser, site, page)
    assert "status: nothing" in tools.page
    keep = tools.ref("button", "Keep")
    await browser.wait_for(text="moved", time_ms=5000)
    refused = await tools.call("browser_click", target=keep)
    assert refused.is_error
    assert "/there" in refused.text
    assert tools.ref("button", "Keep") != keep


async def test_keys_never_go_to_a_field_that_took_the_focus(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<input aria-label=Name onfocus='setTimeout(() => other.focus(), 0); other.focus()'>"
        "<input id=other aria-label=Other oninput='said.textContent = this.value'>"
    )
    tools = await opened(browser, site, page)
    await tools.type("textbox", "Name", "Ada")
    assert "status: nothing" in tools.page
    assert 'textbox "Other" [ref' in tools.page.replace(" [active]", "")


async def test_a_press_that_a_dialog_holds_up_is_told_as_uncertain(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button onclick='said.textContent = \"pressed\"'>Press</button>"
        "<script>onmousemove = () => { onmousemove = null; alert('First this'); }</script>"
    )
    tools = await opened(browser, site, page)
    pressed = await tools.click("button", "Press")
    assert "may still come through" in pressed.text
    await tools.call("browser_handle_dialog", accept=True)
    assert tools.page.endswith(("status: nothing", "status: pressed"))


async def test_a_row_that_is_gone_is_an_error_for_every_act(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<div id=box><button>Go</button><input aria-label=Name>"
        "<select aria-label=Size><option>S<option>M</select></div>"
        "<button onclick='box.remove()'>Clear</button>"
    )
    tools = await opened(browser, site, page)
    go, name, size = tools.ref("button", "Go"), tools.ref("textbox", "Name"), tools.ref("combobox", "Size")
    await tools.click("button", "Clear")
    for answer in (
        await tools.call("browser_click", target=go),
        await tools.call("browser_type", target=name, text="x"),
        await tools.call("browser_select_option", target=size, values=["M"]),
    ):
        assert answer.is_error
        assert answer.text.startswith("Not done: ")


async def test_a_reply_goes_to_the_person_it_was_meant_for_when_the_list_is_sorted_anew(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = """<ul id=chats></ul><script>
let people = ['Ana', 'Bo', 'Cy'];
const draw = () => { chats.innerHTML = people.map(one => `<li>${one} <button>Reply</button></li>`).join(''); };
document.onclick = event => {
  const who = event.target.closest('li')?.innerText.split(' ')[0];
  if (!who) return;
  said.textContent += ' ' + who;
  people = [who, ...people.filter(one => one !== who)];
  draw();
};
draw();
</script>"""
    tools = await opened(browser, site, page)
    refs = {who: tools.ref("button", "Reply", within=who) for who in ("Ana", "Bo", "Cy")}
    for who in ("Cy", "Bo", "Ana"):
        answer = await tools.call("browser_click", target=refs[who])
        assert not answer.is_error, answer.text
    assert "nothing Cy Bo Ana" in tools.page


async def test_a_node_put_in_before_it_leaves_a_ref_with_its_thing(browser: PlaywrightBrowser, site: Site) -> None:
    page = """<div id=list><button onclick="said.textContent = 'old'">Old</button></div><button id=add>Add</button>
<script>
add.onclick = () => list.prepend(Object.assign(document.createElement('button'), { textContent: 'New' }));</script>"""
    tools = await opened(browser, site, page)
    old = tools.ref("button", "Old")
    await tools.click("button", "Add")
    assert tools.ref("button", "New") != old
    await tools.call("browser_click", target=old)
    assert "status: old" in tools.page


async def test_a_page_that_is_drawn_anew_when_its_field_has_the_focus_can_be_searched(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = """<div id=box></div><script>
const draw = () => {
  box.innerHTML = '<input aria-label=Search><button>Find</button>';
  box.firstChild.onfocus = () => { if (!box.drawn) { box.drawn = true; draw(); } };
  box.lastChild.onclick = () => { said.textContent = 'found ' + box.firstChild.value; };
};
draw();
</script>"""
    tools = await opened(browser, site, page)
    typed = await tools.type("textbox", "Search", "boat")
    assert not typed.is_error, typed.text
    await tools.click("button", "Find")
    assert "status: found boat" in tools.page


async def test_a_button_far_below_is_scrolled_to_and_pressed(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<div style='height: 4000px'></div><button onclick='said.textContent = \"pressed\"'>Deep</button>"
    tools = await opened(browser, site, page)
    pressed = await tools.click("button", "Deep")
    assert not pressed.is_error
    assert "status: pressed" in tools.page


async def test_a_view_that_a_fragment_swapped_in_place_ends_the_refs_of_the_one_before(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<button onclick='said.textContent = location.hash'>Reserve</button><script>setTimeout(() => {"
        "location.hash = '#/ports/2'; said.textContent = 'moved'; }, 1500)</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(f"{site.put('/page', SAYS + page)}#/ports/1")
    assert "status: nothing" in tools.page
    old = tools.ref("button", "Reserve")
    await browser.wait_for(text="moved", time_ms=5000)
    refused = await tools.call("browser_click", target=old)
    assert refused.is_error
    assert "status: moved" in tools.page


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("press.style.visibility = 'hidden'", "cannot be seen"),
        ("press.disabled = true", "is disabled"),
        ("cover.style.display = 'block'", "is covered by"),
    ],
)
async def test_a_button_that_is_taken_out_of_use_while_it_moves_is_not_pressed_and_the_guard_says_why(
    browser: PlaywrightBrowser, site: Site, change: str, reason: str
) -> None:
    page = f"""<button id=press onclick="said.textContent = 'pressed'">Press</button>
<style>#cover {{ display: none; position: fixed; inset: 0; background: white }}</style>
<div id=cover role=dialog aria-label=Offer>Look</div>
<script>
const move = () => {{
  press.style.marginLeft = `${{performance.now() / 20 % 40}}px`;
  requestAnimationFrame(move);
}};
move();
setTimeout(() => {{ {change}; }}, 1500);
</script>"""
    tools = await opened(browser, site, page)
    refused = await tools.click("button", "Press")
    assert refused.is_error
    assert reason in refused.text or "is dead" in refused.text
    assert "pressed" not in tools.page


async def test_what_is_fading_away_over_a_target_is_waited_for(browser: PlaywrightBrowser, site: Site) -> None:
    """Calendars that are drawn by scripts close so, and the next act comes at once."""
    page = """<input aria-label=Day><button onclick="out.textContent = 'sent'">Send</button><p id=out></p>
    <div id=over style="position:fixed;inset:0;background:white"><button onclick="fade()">The 5th</button></div>
    <script>function fade() { let left = 12; const step = setInterval(() => {
      over.style.opacity = left / 12; if (!left--) { over.remove(); clearInterval(step); } }, 30); }</script>"""
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/day", page))
    await tools.click("button", "The 5th")
    await tools.click("button", "Send")
    assert "sent" in tools.page
