"""A browser is found where it was named, else where browsers usually are."""

from pathlib import Path

import pytest

from app.browser.resolver import resolve
from app.domain.errors import BrowserError


@pytest.mark.parametrize(
    ("setting", "env", "own", "there", "platform", "path", "source"),
    [
        ("/mine", {"PILOTFISH_BROWSER": "/env"}, "/own", {"/mine", "/env", "/own"}, "linux", "/mine", "setting"),
        ("", {"PILOTFISH_BROWSER": "/env"}, "/own", {"/env", "/own"}, "linux", "/env", "PILOTFISH_BROWSER"),
        ("", {"PATH": "/usr/bin"}, "/own", {"/own", "/usr/bin/chromium"}, "linux", "/own", "playwright"),
        ("", {"PATH": "/usr/bin"}, "/own", {"/usr/bin/chromium"}, "linux", "/usr/bin/chromium", "system"),
        (
            "",
            {"PATH": "/a:/b"},
            "",
            {"/b/google-chrome", "/a/chromium"},
            "linux",
            "/b/google-chrome",
            "system",
        ),
        (
            "",
            {},
            "",
            {"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"},
            "darwin",
            "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
            "system",
        ),
        (
            "",
            {"PROGRAMFILES": "C:/Program Files"},
            "",
            {"C:/Program Files/Google/Chrome/Application/chrome.exe"},
            "win32",
            "C:/Program Files/Google/Chrome/Application/chrome.exe",
            "system",
        ),
    ],
)
def test_the_first_browser_in_order_is_taken(
    setting: str, env: dict[str, str], own: str, there: set[str], platform: str, path: str, source: str
) -> None:
    found = resolve(setting, env, lambda one: str(one).replace("\\", "/") in there, drivers_own=own, platform=platform)
    assert (str(found.path).replace("\\", "/"), found.source) == (path, source)


@pytest.mark.parametrize(
    ("setting", "env", "words"),
    [
        ("/not/there", {}, "settings name is not there: /not/there"),
        ("", {"PILOTFISH_BROWSER": "/not/there"}, "PILOTFISH_BROWSER names is not there: /not/there"),
        ("", {}, "playwright install chromium"),
    ],
)
def test_a_missing_browser_is_told_with_the_next_step(setting: str, env: dict[str, str], words: str) -> None:
    with pytest.raises(BrowserError) as caught:
        resolve(setting, env, lambda _: False, drivers_own="", platform="linux")
    assert caught.value.fault == "not_found"
    assert words in caught.value.message


def test_only_what_exists_counts(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.touch()
    assert resolve(str(browser), {}, Path.is_file).path == browser
