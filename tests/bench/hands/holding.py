"""What it costs a page that its requests are held: in a browser with the hold and in one without, in turns."""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from playwright.async_api import Page, async_playwright

from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.submitting import Submitting
from app.agent.transcript import Transcript
from app.browser.browser import PlaywrightBrowser
from app.domain.ids import ConversationId, ToolCallId
from app.store.record import SqliteRecord
from tests.bench.hands.ours import options
from tests.bench.result import Options, Table
from tests.browser.inside import active_tab
from tests.pages.site import serve

REQUESTS = 200
QUICK = 40
_ASK = """async ([path, method, count]) => {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const body = method === 'GET' ? undefined : `title=thing ${i}`;
    await (await fetch(path, { method, cache: 'no-store', body })).text();
    times.push(performance.now() - began);
  }
  return times;
}"""
_ROUND = 20
_KINDS = (
    ("what only asks (GET)", "GET", "/kept"),
    ("a change of the site's own (POST), passed on", "POST", "/heartbeat"),
    ("a change (PUT), on the disk before it leaves and before its answer is seen", "PUT", "/things/3"),
)


_PART = "holding"

Costs = dict[str, tuple[list[float], list[float]]]
"""Milliseconds per request as the page sees them, with the hold and without, by what is asked."""


async def measured(asked: Options) -> Costs:
    """Once, in the first share."""
    if asked.is_mine(0) and _PART not in asked.partial.parts:
        asked.partial.put(_PART, await _on_a_site(QUICK if asked.quick else REQUESTS))
    return cast("Costs", asked.partial.parts.get(_PART, {}))


async def _on_a_site(count: int) -> Costs:
    site, running = serve()
    for _, _, path in _KINDS:
        site.put(path, "yes", kind="text/plain")
    url = site.put("/page", "<title>Page</title>")
    try:
        with tempfile.TemporaryDirectory(prefix="holding-") as folder:
            return await _compared(Path(folder), url, count)
    finally:
        running.shutdown()
        running.server_close()


async def _compared(folder: Path, url: str, count: int) -> Costs:
    ours = PlaywrightBrowser(options(folder / "ours"))
    record = await SqliteRecord.open(folder / "record.db", min_free_bytes=1)
    started = options(folder / "plain")
    async with async_playwright() as driver:
        plain = await driver.chromium.launch_persistent_context(
            started.profile, executable_path=started.executable, chromium_sandbox=not started.without_sandbox
        )
        try:
            await ours.start()
            await _attended(ours, record)
            held, free = active_tab(ours).page, plain.pages[0]
            for page in (held, free):
                await page.goto(url)
            return {what: await _in_turns(held, free, path, method, count) for what, method, path in _KINDS}
        finally:
            await ours.close()
            await plain.close()
            await record.close()


async def _attended(browser: PlaywrightBrowser, record: SqliteRecord) -> None:
    """As while the agent works: in an act that may bring the page to send something."""
    name = ConversationId("holding")
    await record.create(name, "holding")
    transcript = Transcript(record, name, (), lambda stored: None)
    submitting = Submitting(transcript)
    submitting.attend(Asking(transcript, Control(), attended=False, consent="yes"))
    await submitting.begin(ToolCallId("call1"), "clicked button “Go”")
    browser.hold_for(submitting.gatekeeper)


async def _in_turns(held: Page, free: Page, path: str, method: str, count: int) -> tuple[list[float], list[float]]:
    with_hold: list[float] = []
    without: list[float] = []
    for _ in range(count // _ROUND):
        with_hold += await held.evaluate(_ASK, [path, method, _ROUND])
        without += await free.evaluate(_ASK, [path, method, _ROUND])
    return with_hold, without


def tables(costs: Costs) -> list[Table]:
    rows = tuple(
        (what, *_figures(without), *_figures(held), f"{len(without)}") for what, (held, without) in costs.items()
    )
    columns = ("request", "median without, ms", "95th", "median with the hold, ms", "95th", "requests")
    return [Table("What holding requests costs a page", columns, rows)] if rows else []


def _figures(times: Sequence[float]) -> tuple[str, str]:
    return f"{statistics.median(times):.1f}", f"{statistics.quantiles(times, n=20)[-1]:.1f}"
