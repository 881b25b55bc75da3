"""A process of its own that starts a browser, says so, and waits to be ended; run by test_life.py."""

import asyncio
import signal
import sys
from pathlib import Path

from app.browser.browser import PlaywrightBrowser
from tests.browser.steps import options_for


async def drive(folder: Path) -> None:
    browser = PlaywrightBrowser(options_for(folder))
    await browser.start()
    asked = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.set)
    print("ready", flush=True)  # noqa: T201
    await asked.wait()
    await browser.close()


if __name__ == "__main__":
    asyncio.run(drive(Path(sys.argv[1])))
