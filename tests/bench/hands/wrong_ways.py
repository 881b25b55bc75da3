"""The obvious wrong way through every page of `tests/pages/kinds`, with our tools: it must do no harm.

The test command plays the right way of all of them and a seeded eight of these.
"""

import sys
import tempfile
from pathlib import Path

from app.browser.browser import PlaywrightBrowser
from tests.bench.hands.ours import options as browser_options
from tests.bench.result import Measured, Options, Table
from tests.browser.kinds import NAMES, kind, play
from tests.pages.site import Site, serve

HARM = "obvious wrong ways through pages that break agents which did harm"
_PART = "wrong way"
_QUICK = 6

Faults = dict[str, list[str]]


async def measured(options: Options) -> Faults:
    """What was not as it should be, by page."""
    names = NAMES[:: len(NAMES) // _QUICK] if options.quick else NAMES
    missing = [name for at, name in enumerate(names) if options.is_mine(at) and _of(name) not in options.partial.parts]
    if missing:
        site, server = serve()
        try:
            for name in missing:
                sys.stderr.write(f"{_of(name)}\n")
                options.partial.put(_of(name), await _played(site, name))
        finally:
            server.shutdown()
            server.server_close()
    return {name: _texts(options.partial.parts[_of(name)]) for name in names if _of(name) in options.partial.parts}


def figures(faults: Faults) -> list[Measured]:
    return [Measured(HARM, sum(bool(found) for found in faults.values()), "count")] if faults else []


def tables(faults: Faults) -> list[Table]:
    rows = tuple((name, "; ".join(found).replace("\n", " ")[:200]) for name, found in faults.items() if found)
    return [Table("Wrong ways that did harm", ("page", "what was not as it should be"), rows)]


async def _played(site: Site, name: str) -> list[str]:
    """In a browser of its own, so that nothing is left over from the page before."""
    with tempfile.TemporaryDirectory(prefix="hands-", ignore_cleanup_errors=True) as folder:
        browser = PlaywrightBrowser(browser_options(Path(folder) / "browser"))
        try:
            await browser.start()
            return await play(browser, site, kind(name), "naive", Path(folder))
        finally:
            await browser.close()
            site.gate.set()
            site.replies.clear()
            site.gate.clear()


def _of(name: str) -> str:
    return f"{_PART} {name}"


def _texts(part: object) -> list[str]:
    assert isinstance(part, list)
    return part
