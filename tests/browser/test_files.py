"""Downloads are saved and told, file choosers wait for their answer, popups become tabs."""

from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.browser.downloads import safe_name
from app.domain.acts import ChooseFiles, Click, Navigate, SelectTab
from app.domain.pages import Download, Happenings
from tests.browser.steps import act, opened, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

ATTACHED = (("Content-Disposition", "attachment; filename=report.csv"),)


async def test_a_download_is_saved_with_its_name_and_size(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/report", "a,b\n1,2\n", kind="text/csv", headers=ATTACHED)
    look = await opened(browser, site.put("/page", "<a href='/report'>Report</a>"))
    await act(browser, look, "Report", Click())
    saved = await until(lambda: _saved(browser))
    assert (saved.suggested_name, saved.size_bytes, saved.failure) == ("report.csv", 8, "")
    assert Path(saved.path).read_text() == "a,b\n1,2\n"


async def test_a_file_made_by_the_page_is_saved_too(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<a id='link' download='made.txt'>Make</a><script>"
        "link.href = URL.createObjectURL(new Blob(['made here'], {type: 'text/plain'}))</script>"
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Make", Click())
    saved = await until(lambda: _saved(browser))
    assert Path(saved.path).read_text() == "made here"


async def test_two_downloads_of_one_name_do_not_overwrite_each_other(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/same", "x", kind="text/csv", headers=ATTACHED)
    paths = set()
    for _ in range(2):
        outcome = await browser.perform(Navigate(site.url("/same")))
        assert (outcome.status, "downloaded" in outcome.reason) == ("done", True)
        paths.add((await until(lambda: _saved(browser))).path)
    assert len(paths) == 2


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\evil.exe", "C__evil.exe"),
        ("résumé.pdf", "résumé.pdf"),
        ("", "download"),
        ("...", "download"),
        ("a" * 300 + ".txt", "a" * 146 + ".txt"),
    ],
)
async def test_a_name_cannot_lead_out_of_the_folder(name: str, safe: str) -> None:
    assert safe_name(name) == safe


async def test_a_chooser_waits_for_its_files(browser: PlaywrightBrowser, site: Site, tmp_path: Path) -> None:
    page = (
        "<input type='file' id='file' hidden onchange=\"out.textContent = 'got ' + file.files[0].name\">"
        "<button onclick='file.click()'>Upload</button><p id='out'></p>"
    )
    look = await opened(browser, site.put("/page", page))
    assert (await browser.perform(ChooseFiles(()))).status == "failed"
    await act(browser, look, "Upload", Click())
    await until(lambda: browser.happenings().file_chooser_open)
    chosen = tmp_path / "letter é.txt"
    chosen.write_text("dear")
    assert (await browser.perform(ChooseFiles((str(chosen),)))).status == "done"
    assert await browser.wait_for(text="got letter é.txt", time_ms=3000)
    assert not browser.happenings().file_chooser_open


async def test_a_chooser_closed_without_a_file_leaves_the_page_usable(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<input type='file' aria-label='File'><button onclick=\"document.title = 'alive'\">Go on</button>"
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "File", Click())
    await until(lambda: browser.happenings().file_chooser_open)
    assert (await browser.perform(ChooseFiles(()))).status == "done"
    assert (await act(browser, look, "Go on", Click())).status == "done"


async def test_a_popup_is_told_and_can_be_selected(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/popup", "<title>Popped</title><h1>Popup</h1>")
    page = "<a href='/popup' target='_blank'>Open</a><button onclick=\"window.open('/popup')\">Pop</button>"
    look = await opened(browser, site.put("/page", page))
    for name in ("Open", "Pop"):
        await act(browser, look, name, Click())
        happened: Happenings = await until(lambda: _with_new_tab(browser))
        new = happened.new_tabs[0]
        assert new.opened_by_page
        assert (await browser.look()).tab == look.tab
        await browser.perform(SelectTab(new.id))
        await browser.settle()
        assert (await browser.look()).title == "Popped"
        await browser.perform(SelectTab(look.tab))


async def test_a_tab_that_closes_itself_is_told_and_another_is_active(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/popup", "<button onclick='window.close()'>Close</button>")
    look = await opened(browser, site.put("/page", "<button onclick=\"window.open('/popup')\">Pop</button>"))
    await act(browser, look, "Pop", Click())
    new = (await until(lambda: _with_new_tab(browser))).new_tabs[0]
    await browser.perform(SelectTab(new.id))
    await browser.settle()
    await act(browser, await browser.look(), "Close", Click())
    happened = await until(lambda: _with_closed_tab(browser))
    assert happened.closed_tabs == (new.id,)
    assert (await browser.look()).tab == look.tab


def _saved(browser: PlaywrightBrowser) -> Download | None:
    return next((one for one in browser.happenings().downloads if one.path or one.failure), None)


def _with_new_tab(browser: PlaywrightBrowser) -> Happenings | None:
    happened = browser.happenings()
    return happened if happened.new_tabs else None


def _with_closed_tab(browser: PlaywrightBrowser) -> Happenings | None:
    happened = browser.happenings()
    return happened if happened.closed_tabs else None
