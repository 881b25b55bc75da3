"""What stands in a secret field leaves the browser nowhere: not in a tree, a text, a probe, an outcome."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, SetChecked, Type
from app.domain.snapshot import walk
from app.guard.masking import MASK
from tests.browser.steps import act, address, node, opened, prepared, shown
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = (
    '<form method="post" action="/sign-in"><label>Name <input name="user" value="ann"></label>'
    '<label>Password <input id="pw" type="password" value="{value}"></label>'
    "<label>Show <input type=\"checkbox\" onclick=\"pw.type = this.checked ? 'text' : 'password'\"></label>"
    "<button>Sign in</button></form>"
)


@pytest.mark.parametrize("value", ["hunter2-is-long", "with space [ref=e5]", "päß'\"wört"])
async def test_a_password_is_in_no_look_text_or_probe(browser: PlaywrightBrowser, site: Site, value: str) -> None:
    site.put("/frame", FORM.format(value=value.replace('"', "&quot;")))
    page = FORM.format(value=value.replace('"', "&quot;")) + '<iframe src="/frame"></iframe>'
    look = await opened(browser, site.put("/page", page + f'<iframe src="{site.url("/frame", "localhost")}"></iframe>'))
    fields = [one for one in walk(look.tree) if "password" in one.marks]
    assert [one.text for one in fields] == [MASK] * 3
    assert value not in shown(look)
    assert value not in await browser.text()
    button = next(one for one in walk(look.tree) if one.name == "Sign in")
    probe = (await browser.prepare(address(look, button))).probe
    assert probe.form is not None
    assert probe.form.method == "POST"
    assert ("Name", "ann") in probe.form.fields
    assert value not in repr(probe)
    assert value not in repr(await browser.prepare(address(look, fields[0])))


async def test_a_password_stays_hidden_when_the_page_shows_it(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/page", FORM.format(value="hunter2-is-long")))
    await act(browser, look, "Show", SetChecked(checked=True))
    after = await browser.look()
    assert "hunter2-is-long" not in shown(after)
    assert "hunter2-is-long" not in await browser.text()


async def test_a_password_stays_hidden_when_the_page_draws_it_anew_as_text(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        '<p id="box"><input type="password" value="hunter2-is-long"></p>'
        "<button onclick=\"box.innerHTML = '<input value=hunter2-is-long>'\">Show</button>"
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Show", Click())
    assert "hunter2-is-long" not in shown(await browser.look())


async def test_typing_into_a_password_field_reads_back_the_mask(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/page", '<input type="password" aria-label="Secret">'))
    outcome = await act(browser, look, "Secret", Type("typed-secret"))
    assert outcome.value_after == MASK
    assert "typed-secret" not in shown(await browser.look())


@pytest.mark.parametrize(
    "field",
    [
        '<input aria-label="F" autocomplete="one-time-code" value="493811">',
        '<input aria-label="F" autocomplete="cc-number" value="4111111111111111">',
        '<input aria-label="F" name="cvv" value="9876">',
        '<input aria-label="F" id="otp-code" type="tel" value="493811">',
    ],
)
async def test_codes_and_cards_are_secret_too(browser: PlaywrightBrowser, site: Site, field: str) -> None:
    look = await opened(browser, site.put("/page", field))
    assert node(look, "F").text == MASK
    value = field.split('value="')[1].split('"', maxsplit=1)[0]
    assert value not in shown(look)


async def test_an_ordinary_field_is_not_secret(browser: PlaywrightBrowser, site: Site) -> None:
    page = '<input aria-label="Postcode" name="postcode" value="12345">'
    page += '<input aria-label="Cardinal" name="cardinal" value="Bo">'
    look = await opened(browser, site.put("/page", page))
    assert [node(look, "Postcode").text, node(look, "Cardinal").text] == ["12345", "Bo"]


async def test_a_password_in_the_title_or_the_address_is_hidden(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        '<input type="password" value="hunter2-is-long">'
        "<script>document.title = 'hi hunter2-is-long'; history.pushState(1, '', '?p=hunter2-is-long')</script>"
    )
    look = await opened(browser, site.put("/page", page))
    assert "hunter2-is-long" not in shown(look)
    probe = (await prepared(browser, look, "", "textbox")).probe
    assert "hunter2-is-long" not in repr(probe)


async def test_a_password_told_in_a_dialog_or_the_console_is_hidden(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        '<input id="pw" type="password" value="hunter2-is-long">'
        "<button onclick=\"console.error('bad ' + pw.value); fetch('/x?p=' + pw.value, {method: 'POST'});"
        ' alert(pw.value)">Tell</button>'
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Tell", Click())
    await browser.settle()
    happened = browser.happenings()
    assert [one.message for one in happened.dialogs] == [MASK]
    assert "hunter2-is-long" not in repr((happened, await browser.look(), browser.console(), browser.network()))
