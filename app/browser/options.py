"""What a browser is started with."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """`time_scale` multiplies every time limit; tests and benchmarks run at 1/20.

    With `single_shot` the driver sends what was allowed, once, in place of the browser.
    """

    executable: Path
    profile: Path
    downloads: Path
    headless: bool = True
    without_sandbox: bool = False
    width: int = 1280
    height: int = 800
    device_scale: float = 1.0  # device pixels to a CSS pixel
    start_limit_s: float = 30.0
    time_scale: float = 1.0
    extra_arguments: tuple[str, ...] = ()
    single_shot: bool = False
