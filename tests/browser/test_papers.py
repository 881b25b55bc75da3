"""A PDF that a tab shows, or that was downloaded or given, is text: found, paged, quoted with its page number."""

import asyncio
import time
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.browser.papers import read_paper
from app.domain.events import FileKept, QuoteKept
from tests.browser.tools_desk import ToolsDesk
from tests.pages.papers import bomb, locked_paper, long_paper, paper
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

PDF = "application/pdf"
STATEMENT = paper(["Statement of account"], ["Opening balance 3,900.10"], ["Closing balance 4,120.55", "page 1 of 9"])


async def test_a_pdf_that_a_tab_shows_is_read_in_place_of_an_empty_viewer(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/statement.pdf", STATEMENT, kind=PDF))
    print(desk.text)
    assert "page 3 of 3" in desk.text
    assert "Closing balance 4,120.55" in desk.text
    assert "f1" in desk.text
    await desk.call("browser_find", text="closing balance")
    print(desk.text)
    assert "page 3 of 3" in desk.text
    await desk.call("keep_quote", text="Closing balance 4,120.55")
    print(desk.text)
    quote = desk.quotes[-1]
    assert quote.url.endswith("/statement.pdf#page=3")
    assert quote.title == "statement.pdf, page 3"
