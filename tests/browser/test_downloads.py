"""What pages send as files: saved under its name in the conversation's folder, told with size, type and handle."""

import re
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.passing import FileSaved, PanelChanged
from tests.browser.steps import until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.papers import paper
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

CSV = "text/csv"
BLOB = (
    "<a id='link' download='made.json'>Get</a><script>link.href = URL.createObjectURL("
    "new Blob(['{\"a\": 1}'], {type: 'application/json'}))</script>"
)


def attached(name: str) -> tuple[tuple[str, str], ...]:
    return (("Content-Disposition", f"attachment; filename*=UTF-8''{name}"),)


@pytest.fixture(autouse=True)
def _a_folder_of_its_own(browser: PlaywrightBrowser, tmp_path: Path) -> None:
    browser.keep_files_in(str(tmp_path / "files"))


async def test_an_attachment_leaves_page_cookies_and_refs_as_they_are(browser: PlaywrightBrowser, site: Site) -> None:
    """The file is told with its real name, size, type and handle, and the next act goes on with the old refs."""
    site.put("/report", "name,sum\na,1\n", kind=CSV, headers=attached("R%C3%A9sum%C3%A9%202031%20(final).csv"))
    page = (
        "<a href='/report'>Résumé 2031</a><button onclick=\"out.textContent = document.cookie\">Cookies</button>"
        "<p id='out'></p><script>document.cookie = 'signed=in'</script>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    cookies = desk.ref("button", "Cookies")
    await desk.click("link", "Résumé 2031")
    assert "downloaded “Résumé 2031 (final).csv” (CSV table, 13 bytes) is f1" in desk.text
    (file,) = desk.files
    assert Path(file.path).name == "Résumé 2031 (final).csv"
    assert Path(file.path).read_text() == "name,sum\na,1\n"
    await desk.call("browser_click", target=cookies)
    assert "signed=in" in desk.page
    assert desk.last.receipt is not None
    assert desk.last.receipt.status == "confirmed"


async def test_files_of_a_conversation_stand_in_its_own_folder(
    browser: PlaywrightBrowser, site: Site, tmp_path: Path
) -> None:
    site.put("/a", "one", kind=CSV, headers=attached("a.csv"))
    for name in ("first", "second"):
        browser.keep_files_in(str(tmp_path / name))
        desk = await ToolsDesk.made(browser)
        await desk.open(site.url("/a"))
        assert desk.files[0].path == str(tmp_path / name / "a.csv")


@pytest.mark.parametrize(
    ("page", "name", "type"),
    [
        ("<a href='/plain.txt' download='kept.txt'>Get</a>", "kept.txt", "plain text"),
        (
            BLOB,
            "made.json",
            "JSON text",
        ),
        ("<a href='data:text/csv,a%2Cb%0A1%2C2' download='data.csv'>Get</a>", "data.csv", "CSV table"),
        ("<form method='post' action='/answer'><button>Get</button></form>", "answer.csv", "CSV table"),
        ("<a href='/answer' target='_blank'>Get</a>", "answer.csv", "CSV table"),
    ],
    ids=["download link", "blob address", "data address", "answer to a form", "a tab that only downloads"],
)
async def test_every_way_in_which_a_page_sends_a_file(
    browser: PlaywrightBrowser, site: Site, page: str, name: str, type: str
) -> None:
    site.put("/plain.txt", "words", kind="text/plain")
    site.put("/answer", "a,b\n", kind=CSV, headers=attached("answer.csv"))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    role = "button" if "button" in page else "link"
    await desk.click(role, "Get")
    assert [(file.name, file.type.words) for file in desk.files] == [(name, type)]
    assert f"downloaded “{name}”" in desk.text
    assert "new tab" not in desk.text
    seen = await browser.look()
    assert seen.url == site.url("/page")


async def test_several_at_once_each_have_a_name_and_a_handle(browser: PlaywrightBrowser, site: Site) -> None:
    for number in range(3):
        site.put(f"/{number}", f"body {number}", kind=CSV, headers=attached("same.csv"))
    links = "".join(f"<a href='/{number}' download></a>" for number in range(3))
    page = f"{links}<button onclick=\"document.querySelectorAll('a').forEach(a => a.click())\">All</button>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "All")
    await until(lambda: _told(desk, browser, 3))
    assert {file.name for file in desk.files} == {"same.csv", "same (2).csv", "same (3).csv"}
    assert {Path(file.path).read_text() for file in desk.files} == {"body 0", "body 1", "body 2"}


@pytest.mark.parametrize(
    ("sent", "saved"),
    [
        ("na%C3%AFve%20%F0%9F%90%9F.txt", "naïve 🐟.txt"),
        ("CON.txt", "_CON.txt"),
        ("invoice%E2%80%AEfdp.txt", "invoice_fdp.txt"),
        ("%F0%9F%90%9F" * 120 + ".txt", "🐟" * 49 + ".txt"),
        ("..%2F..%2Fetc%2Fpasswd", "_.._etc_passwd"),
    ],
    ids=["accents and emoji", "a reserved name", "letters that run backwards", "a name without end", "a way out"],
)
async def test_names_are_kept_as_far_as_a_disk_can(
    browser: PlaywrightBrowser, site: Site, sent: str, saved: str
) -> None:
    site.put("/file", "x", kind="text/plain", headers=attached(sent))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.url("/file"))
    assert [file.name for file in desk.files] == [saved]


async def test_an_empty_file_is_a_file(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/file", b"", kind=CSV, headers=attached("empty.csv"))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.url("/file"))
    assert "downloaded “empty.csv” (empty file, 0 bytes) is f1" in desk.text
    await desk.call("read_file", file="f1")
    assert desk.last.is_error
    assert "is empty" in desk.text


async def test_a_download_that_is_cut_off_is_told_as_failed(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/file", b"x" * 200_000, kind=CSV, headers=attached("cut.csv"), held_back=500_000)
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<a href='/file'>Get</a><p>Still here</p>"))
    await desk.click("link", "Get")
    assert "download “cut.csv” failed" in desk.text
    assert "cut off" in desk.text
    assert desk.files == ()
    assert "Still here" in desk.page


async def test_a_large_file_shows_its_progress_and_is_told_when_it_is_there(
    browser: PlaywrightBrowser, site: Site
) -> None:
    """The act does not wait for it; the panel hears how far it is; the end is told with the next act."""
    site.put("/big", b"x" * 8_000_000, kind="application/zip", headers=attached("big.bin"), drip_s=0.7)
    told: list[object] = []
    await browser.show(lambda frame: None, told.append)
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<a href='/big'>Get</a><button>Other</button>"))
    await desk.click("link", "Get")
    assert re.search(r"download “big.bin” began \(.+ of 8.0 MB so far\)", desk.text)
    await until(lambda: any(isinstance(one, FileSaved) for one in told), 15)
    sizes = [one.arriving[0].size_bytes for one in told if isinstance(one, PanelChanged) and one.arriving]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) >= 3
    await desk.click("button", "Other")
    assert "downloaded “big.bin” (plain text, 8.0 MB) is f1" in desk.text


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("holiday.pdf", b"MZ\x90\x00" + b"\x00" * 60, "Windows program, 64 bytes; it is a program"),
        ("notes.txt.exe", b"just words", "plain text, 10 bytes; its name ends in .exe, by which it is a program"),
        ("run.txt", b"#!/bin/sh\nrm -rf x\n", "script, 19 bytes; it can run commands"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + b"\x00" * 20, "PNG picture, 28 bytes"),
        ("paper", paper(["Hello"]), "PDF document"),
    ],
)
async def test_the_type_comes_from_the_content_and_danger_is_named(
    browser: PlaywrightBrowser, site: Site, name: str, body: bytes, said: str
) -> None:
    site.put("/file", body, kind="text/plain", headers=attached(name))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.url("/file"))
    assert said in desk.text


async def _told(desk: ToolsDesk, browser: PlaywrightBrowser, count: int) -> bool:
    await desk.notice()
    return len(desk.files) == count
