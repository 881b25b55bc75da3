"""Files go into pages only by the handles of what the person gave or a page sent; what came of them is told."""

import os
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.browser.files import accepts
from app.domain.acts import ChooseFiles
from app.domain.events import PersonAsked
from app.domain.passing import PanelChanged
from tests.browser.steps import until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

HIDDEN = (
    "<input type='file' id='file' hidden onchange=\"out.textContent = 'got ' + "
    "Array.from(file.files).map(one => one.name).join(' and ')\">"
    "<button onclick='file.click()'>Add file</button><p id='out'></p>"
)


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    made = tmp_path / "letter é 🐟.txt"
    made.write_text("Dear all")
    return made


async def test_a_given_file_goes_in_through_a_hidden_input_with_its_accents(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN))
    await desk.click("button", "Add file")
    assert 'Clicked button "Add file": the page asks for a file; nothing else changed.' in desk.text
    assert "a file chooser is open: answer it with browser_file_upload" in desk.text
    await desk.call("browser_file_upload", paths=["f1"])
    assert "Put f1 “letter é 🐟.txt” into the page: it is now “letter é 🐟.txt”." in desk.text
    assert "got letter é 🐟.txt" in desk.page
    assert str(letter.parent) not in "".join(desk.returned)


async def test_only_handles_are_taken_and_what_there_is_is_named(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN))
    await desk.click("button", "Add file")
    for path in (str(letter), "/etc/passwd", "f2"):
        await desk.call("browser_file_upload", paths=[path])
        assert desk.last.is_error
        assert "only handles are taken. Files: f1 “letter é 🐟.txt”." in desk.text
    await desk.call("browser_file_upload", paths=["f1"])
    assert "got letter é 🐟.txt" in desk.page


async def test_a_chooser_that_nobody_opened_is_a_refusal_with_the_way_on(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN))
    await desk.call("browser_file_upload", paths=["f1"])
    assert "Not done: the page asks for no file now. Click its button for files first." in desk.text


async def test_a_chooser_that_opens_late_is_waited_for(browser: PlaywrightBrowser, site: Site, letter: Path) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN.replace("'file.click()'", "'setTimeout(() => file.click(), 900)'")))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert "got letter é 🐟.txt" in desk.page


async def test_an_input_that_was_drawn_anew_since_it_asked_gets_the_file(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    """As frameworks do it: the page hears of changes from above, and the input that asked is no longer there."""
    page = (
        "<div id='box'></div><p id='out'>none</p><script>"
        "const draw = () => { box.innerHTML = \"<input type='file' id='file' hidden><button>Add file</button>\" };"
        "draw(); box.onclick = event => { if (event.target.tagName === 'BUTTON') {"
        " box.querySelector('input').click(); setTimeout(draw, 50) } };"
        "box.addEventListener('change', event => { out.textContent = 'got ' + event.target.files[0].name });</script>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert "got letter é 🐟.txt" in desk.page


async def test_a_kind_that_the_page_refuses_is_told_as_refused(
    browser: PlaywrightBrowser, site: Site, tmp_path: Path
) -> None:
    """The page's own words show too; the right kind then goes through."""
    page = (
        "<input type='file' id='file' accept='.pdf,.txt' hidden><button onclick='file.click()'>Add file</button>"
        "<p id='out'></p><script>file.onchange = () => { const name = file.files[0].name;"
        "if (!/[.](pdf|txt)$/.test(name)) { out.textContent = 'Not accepted: ' + name; file.value = ''; return }"
        "out.textContent = 'got ' + name }</script>"
    )
    picture, words = tmp_path / "photo.png", tmp_path / "words.txt"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    words.write_text("words")
    desk = await ToolsDesk.made(browser)
    await desk.give(picture, words)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert desk.last.is_error
    assert "Not done: the page refused photo.png: it asked for .pdf,.txt" in desk.text
    assert "Not accepted: photo.png" in desk.page
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f2"])
    assert not desk.last.is_error
    assert "got words.txt" in desk.page


async def test_a_kind_that_the_page_did_not_ask_for_but_keeps_is_mentioned(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", "<input type='file' accept='image/*' aria-label='Photo'>"))
    await desk.click("button", "Photo")
    await desk.call("browser_file_upload", paths=["f1"])
    assert "But the page asked for image/*, not for letter é 🐟.txt." in desk.text


async def test_several_files_go_only_where_several_are_taken(
    browser: PlaywrightBrowser, site: Site, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("1")
    two.write_text("2")
    desk = await ToolsDesk.made(browser)
    await desk.give(one, two)
    await desk.open(site.put("/page", HIDDEN))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1", "f2"])
    assert "the page takes one file, not 2" in desk.text
    await desk.call("browser_file_upload", paths=["f2"])
    assert "got two.txt" in desk.page
    await desk.open(site.put("/many", HIDDEN.replace("hidden", "hidden multiple")))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1", "f2"])
    assert "got one.txt and two.txt" in desk.page


async def test_a_page_that_asks_for_a_folder_gets_the_reason_why_not(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", "<input type='file' webkitdirectory aria-label='Folder'>"))
    await desk.click("button", "Folder")
    await desk.call("browser_file_upload", paths=["f1"])
    assert desk.last.is_error
    assert "the page asks for a whole folder" in desk.text
    await desk.call("browser_file_upload", paths=[])
    assert "Closed the file chooser" in desk.text


@pytest.mark.parametrize("harm", ["gone", "longer", "rewritten"])
async def test_a_file_that_is_not_what_it_was_is_not_put_in(
    browser: PlaywrightBrowser, site: Site, letter: Path, harm: str
) -> None:
    desk = await ToolsDesk.made(browser)
    (file,) = await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN))
    await desk.click("button", "Add file")
    if harm == "gone":
        letter.unlink()
    elif harm == "longer":
        letter.write_text("Dear all, and more")
    else:
        letter.write_text("Dear you")
        os.utime(letter, ns=(file.modified_ns + 10**9, file.modified_ns + 10**9))
    await desk.call("browser_file_upload", paths=["f1"])
    said = {"gone": "is gone", "longer": "it had 8 bytes and has 18 bytes now", "rewritten": "has changed since"}
    assert said[harm] in desk.text
    assert "got" not in desk.page


async def test_a_downloaded_file_can_be_put_into_a_page(browser: PlaywrightBrowser, site: Site, tmp_path: Path) -> None:
    browser.keep_files_in(str(tmp_path / "files"))
    site.put("/file", "a,b\n", kind="text/csv", headers=(("Content-Disposition", "attachment; filename=list.csv"),))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", f"<a href='/file'>Get</a>{HIDDEN}"))
    await desk.click("link", "Get")
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert "got list.csv" in desk.page


@pytest.mark.parametrize("consent", ["yes", "no"])
async def test_a_file_of_one_site_goes_to_another_only_when_the_person_allows_it(
    browser: PlaywrightBrowser, site: Site, tmp_path: Path, consent: str
) -> None:
    browser.keep_files_in(str(tmp_path / "files"))
    site.put("/file", "a,b\n", kind="text/csv", headers=(("Content-Disposition", "attachment; filename=list.csv"),))
    site.put("/page", HIDDEN)
    desk = await ToolsDesk.made(browser, consent)
    await desk.open(site.url("/file"))
    await desk.open(site.url("/page", "localhost"))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert ("got list.csv" in desk.page) == (consent == "yes")
    assert desk.last.is_error == (consent == "no")
    (asked,) = [one.event for one in desk.transcript.events if isinstance(one.event, PersonAsked)]
    here, there = site.url("", "localhost"), site.url("")
    assert asked.text == f"This sends a file to the site. Shall the agent give “list.csv” to {here}?"
    assert asked.about == (("Site", here), ("File", f"list.csv, from {there}"))


@pytest.mark.parametrize("consent", ["yes", "no"])
@pytest.mark.parametrize("by", ["person", "page"])
async def test_a_frame_of_another_site_gets_a_file_only_when_the_person_allows_it(
    browser: PlaywrightBrowser, site: Site, letter: Path, tmp_path: Path, consent: str, by: str
) -> None:
    browser.keep_files_in(str(tmp_path / "files"))
    site.put("/file", "a,b\n", kind="text/csv", headers=(("Content-Disposition", "attachment; filename=list.csv"),))
    site.put("/inner", HIDDEN)
    desk = await ToolsDesk.made(browser, consent)
    frame = f"<a href='/file'>Get</a><iframe src='{site.url('/inner', 'localhost')}'></iframe>"
    await desk.open(site.put("/page", frame))
    if by == "person":
        await desk.give(letter)
    else:
        await desk.click("link", "Get")
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert ("got " in desk.page) == (consent == "yes")
    assert desk.last.is_error == (consent == "no")


async def test_a_chooser_of_another_frame_that_comes_later_gets_no_file(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    """The person allowed the one that they were asked about."""
    site.put("/inner", "<input type='file' aria-label='Inner'>")
    page = f"{HIDDEN}<iframe src='{site.url('/inner', 'localhost')}'></iframe>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Add file")
    asker = await browser.asks_for_files()
    await desk.click("button", "Inner")
    await until(browser.asks_for_files)
    outcome = await browser.perform(ChooseFiles((str(letter),), asker))
    assert "another frame of the page asks for a file now" in outcome.reason


async def test_a_page_that_takes_the_file_over_at_once_is_not_called_a_refusal(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    page = HIDDEN.replace('">', "; file.value = ''\">", 1)
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Add file")
    await desk.call("browser_file_upload", paths=["f1"])
    assert not desk.last.is_error
    assert "got letter é 🐟.txt" in desk.page


@pytest.mark.parametrize(
    ("accept", "name", "fits"),
    [
        ("", "a.exe", True),
        (".pdf, .TXT", "A.txt", True),
        (".pdf", "a.txt", False),
        ("image/*", "a.PNG", True),
        ("image/*,.pdf", "a.pdf", True),
        ("application/pdf", "a.pdf", True),
        ("text/plain", "a.png", False),
    ],
)
async def test_what_a_field_asks_for(accept: str, name: str, fits: bool) -> None:
    assert accepts(accept, name) == fits


async def test_the_window_hears_that_a_page_asks_and_that_it_no_longer_does(
    browser: PlaywrightBrowser, site: Site, letter: Path
) -> None:
    told: list[PanelChanged] = []
    await browser.show(
        lambda frame: None, lambda event: told.append(event) if isinstance(event, PanelChanged) else None
    )
    desk = await ToolsDesk.made(browser)
    await desk.give(letter)
    await desk.open(site.put("/page", HIDDEN))
    await desk.click("button", "Add file")
    await until(lambda: told[-1].files_wanted is not None)
    assert not told[-1].files_wanted.multiple
    await desk.call("browser_file_upload", paths=["f1"])
    await until(lambda: told[-1].files_wanted is None)
