"""A browser that notes when it settled, so that an act can be parted into checks and input, waiting, and reading."""

import time

from app.browser.browser import PlaywrightBrowser
from app.browser.options import BrowserOptions


class ClockedBrowser(PlaywrightBrowser):
    """`settled` is when settling last began and ended, by the performance counter in seconds."""

    def __init__(self, options: BrowserOptions) -> None:
        super().__init__(options)
        self.settled = (0.0, 0.0)

    async def settle(self) -> bool:
        began = time.perf_counter()
        try:
            return await super().settle()
        finally:
            self.settled = (began, time.perf_counter())
