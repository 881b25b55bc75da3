"""Starts the browser over a pipe on its own profile, and ends it with everything it started."""

import asyncio
import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, CDPSession, Error, Playwright

from app.browser.driver import CLOSE_LIMIT_S, AheadOfTime, stop_driver
from app.browser.options import BrowserOptions
from app.browser.page_script import ENGINE, engine_source
from app.browser.profile import PutAside, make_ready, was_used
from app.domain.errors import BrowserError

LOST_CLOSE_LIMIT_S = 1.0

_QUIET = ("--no-first-run", "--no-default-browser-check", "--disable-breakpad", "--disable-domain-reliability")
_GRANTED = ("clipboard-write",)  # every other permission is denied, nobody is asked
_PRINTS_NOTHING = "window.print = () => { performance.mark('asked to print'); };"
"""In place of a print dialog, which would hold the page for ever; settling reads the mark."""
_ERROR_LINE = re.compile(r"\[pid=\d+\]\[err\] (.*)")
_IN_USE = ("ProcessSingleton", "already in use", "existing browser session")
_NO_SANDBOX = ("sandboxing failed", "No usable sandbox", "without --no-sandbox")
_OTHER_COMPUTER = re.compile(r"on another computer \(([^)]*)\)?")


@dataclass(frozen=True, slots=True)
class Launched:
    """A running browser; `pulse` is a session with the browser itself, which answers also while a page is frozen."""

    driver: Playwright
    context: BrowserContext
    browser: Browser
    pulse: CDPSession
    told: tuple[str, ...] = ()  # what the person and the agent should know of the start


def may_drop_sandbox(env: Mapping[str, str]) -> bool:
    """As root Chromium cannot sandbox; it is dropped only when that is asked for in so many words."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and env.get("PILOTFISH_NO_SANDBOX") == "1"


def incoming(options: BrowserOptions) -> Path:
    """Where files arrive before they are saved under their names."""
    return options.profile / "Incoming"


async def launch(options: BrowserOptions, ahead: AheadOfTime) -> Launched:
    """Start driver and browser; a profile on which it cannot start is put aside.

    Raises BrowserError; then nothing is left running.
    """
    make_ready(options)
    try:
        return await _launched(options, ahead)
    except BrowserError as error:
        if not (was_used(options) and _explains_nothing(str(error.__cause__))):
            raise
    return await _launched_on_new_profile(options, ahead)


async def _launched_on_new_profile(options: BrowserOptions, ahead: AheadOfTime) -> Launched:
    """If it starts now, the old profile was what kept it from starting."""
    aside = PutAside(options)
    try:
        launched = await _launched(options, ahead)
    except BaseException:
        aside.put_back()
        raise
    told = (
        f"The browser's data was damaged and is kept in “{aside.place.name}” beside the new one. The browser started "
        "with new data: sites have to be signed in to again. The conversations are not touched."
    )
    return replace(launched, told=(told,))


async def _launched(options: BrowserOptions, ahead: AheadOfTime) -> Launched:
    driver = await ahead.take()
    try:
        return await _launch(driver, options)
    except Error as exc:
        await stop_driver(driver)
        raise _explained(str(exc), options) from exc
    except BaseException:
        await stop_driver(driver)
        raise


async def shut(launched: Launched, *, is_lost: bool) -> None:
    """Close the browser, then stop the driver, which kills a browser that was asked to close and did not."""
    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(launched.context.close(), LOST_CLOSE_LIMIT_S if is_lost else CLOSE_LIMIT_S)
    await stop_driver(launched.driver)


async def _launch(driver: Playwright, options: BrowserOptions) -> Launched:
    await driver.selectors.register(ENGINE, engine_source(), content_script=True)
    context = await driver.chromium.launch_persistent_context(
        options.profile,
        executable_path=options.executable,
        headless=options.headless,
        chromium_sandbox=not options.without_sandbox,
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        args=[*_QUIET, *options.extra_arguments],
        env=_environment(options),
        viewport={"width": options.width, "height": options.height},
        device_scale_factor=options.device_scale,
        accept_downloads=True,
        downloads_path=incoming(options),
        timeout=options.start_limit_s * 1000,
    )
    browser = context.browser
    if browser is None:
        raise Error("the driver gave no browser")
    await context.add_init_script(_PRINTS_NOTHING)
    await context.grant_permissions(list(_GRANTED))
    return Launched(driver, context, browser, await browser.new_browser_cdp_session())


def _explained(message: str, options: BrowserOptions) -> BrowserError:
    other = _OTHER_COMPUTER.search(message)
    if other:
        return BrowserError(
            f"The browser's data folder is marked as in use on another computer ({other.group(1)}).",
            fault="profile_in_use",
            next_step=f"If that is not so, delete “SingletonLock” in {options.profile} and start again.",
        )
    if any(words in message for words in _IN_USE):
        return BrowserError(
            "The browser's data folder is in use: another Pilotfish or browser has it open.",
            fault="profile_in_use",
            next_step="Close the other one and start again.",
        )
    reason = _reason(message, options)
    way_on = (
        ""
        if reason.startswith("its sandbox")
        else "Start it by hand to see whether it works, or name another one in the settings."
    )
    return BrowserError(f"The browser did not start: {reason}", fault="did_not_start", next_step=way_on)


def _explains_nothing(message: str) -> bool:
    """Whether it ended by itself for a reason that could lie in its profile."""
    ended = "has been closed" in message and "Timeout" not in message
    known = (*_IN_USE, *_NO_SANDBOX, "shared libraries", "EACCES", "ENOENT", "doesn't exist")
    return ended and not any(words in message for words in known)


def _environment(options: BrowserOptions) -> dict[str, str | float | bool]:
    """Desktop settings and crash reports would else be written outside of the data folder."""
    crashes = str(options.profile.parent / "crashes")
    return {**os.environ, "GSETTINGS_BACKEND": "memory", "BREAKPAD_DUMP_LOCATION": crashes}


def _reason(message: str, options: BrowserOptions) -> str:
    if any(words in message for words in _NO_SANDBOX):
        return (
            "its sandbox cannot be set up here. As root in a container, set PILOTFISH_NO_SANDBOX=1 "
            "to run it without, if you trust the pages you visit."
        )
    if "EACCES" in message:
        return f"{options.executable} is not a program that may be run."
    if "executable doesn't exist" in message or "ENOENT" in message:
        return f"{options.executable} is not there."
    if "Timeout" in message and "exceeded" in message:
        return f"it gave no sign of life within {options.start_limit_s:g} seconds."
    lines = [line.strip() for line in _ERROR_LINE.findall(message) if line.strip()]
    return lines[-1][:300] if lines else f"{options.executable} ended at once."
