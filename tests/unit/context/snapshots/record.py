"""Records the snapshots beside this file anew: `python tests/unit/context/snapshots/record.py CHROMIUM`."""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import async_playwright

HERE = Path(__file__).parent


async def record(chromium: str) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        for source in sorted(HERE.glob("*.html")):
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            await page.set_content(source.read_text(encoding="utf-8"))
            text = await page.aria_snapshot(mode="ai", boxes=True)
            source.with_suffix(".txt").write_text(text, encoding="utf-8")
            await page.close()
        await browser.close()


if __name__ == "__main__":
    asyncio.run(record(sys.argv[1]))
