"""A profile that cannot be used is told in one message; a damaged one is put aside, and nothing of it is lost."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Navigate
from app.domain.errors import BrowserError
from tests.browser.processes import children_of, command
from tests.browser.steps import options_for
from tests.pages.site import Site

pytestmark = [
    pytest.mark.asyncio(loop_scope="function"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]


async def test_a_profile_with_broken_files_starts_all_the_same(tmp_path: Path, site: Site) -> None:
    options = options_for(tmp_path)
    options.profile.mkdir()
    (options.profile / "Default").write_text("this was a folder once")
    (options.profile / "Local State").mkdir()
    (options.profile / "precious").write_text("kept")
    browser = PlaywrightBrowser(options)
    await browser.start()
    try:
        await browser.perform(Navigate(site.put("/page", "<h1>Works</h1>")))
        assert "Works" in await browser.text()
    finally:
        await browser.close()
    assert (options.profile / "precious").read_text() == "kept"


async def test_a_profile_on_which_the_browser_ends_at_once_is_put_aside(tmp_path: Path) -> None:
    real = options_for(tmp_path).executable
    program = tmp_path / "browser"
    program.write_text(
        f'#!/bin/sh\nfor one in "$@"; do case "$one" in --user-data-dir=*) dir="${{one#*=}}";; esac; done\n'
        f'[ -e "$dir/Default/broken" ] && exit 3\nexec "{real}" "$@"\n'
    )
    program.chmod(0o755)
    options = options_for(tmp_path, executable=program)
    (options.profile / "Default").mkdir(parents=True)
    (options.profile / "Default" / "broken").write_text("kept")
    browser = PlaywrightBrowser(options)
    await browser.start()
    try:
        told = " ".join(browser.happenings().told)
    finally:
        await browser.close()
    (aside,) = [one for one in tmp_path.iterdir() if "damaged" in one.name]
    assert aside.name in told
    assert "signed in to again" in told
    assert (aside / "Default" / "broken").read_text() == "kept"


async def test_a_browser_that_starts_on_no_profile_leaves_the_old_one_where_it_was(tmp_path: Path) -> None:
    options = options_for(tmp_path, executable=Path("/bin/false"))
    (options.profile / "Default").mkdir(parents=True)
    with pytest.raises(BrowserError) as caught:
        await PlaywrightBrowser(options).start()
    assert caught.value.fault == "did_not_start"
    assert (options.profile / "Default").is_dir()
    assert not [one for one in tmp_path.iterdir() if "damaged" in one.name]


async def test_a_second_start_on_one_profile_opens_nothing_and_says_it_once(tmp_path: Path) -> None:
    first = PlaywrightBrowser(options_for(tmp_path))
    await first.start()
    try:
        before = _browsers()
        second = PlaywrightBrowser(options_for(tmp_path))
        with pytest.raises(BrowserError) as caught:
            await second.start()
        await second.close()
        assert caught.value.fault == "profile_in_use"
        assert caught.value.message.count("in use") == 1
        assert _browsers() == before
        assert len((await first.look()).tabs) == 1
    finally:
        await first.close()


async def test_a_profile_on_a_full_disk_is_told_before_anything_is_started(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = await asyncio.to_thread(
        subprocess.run, ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no small disk can be made here")
    try:
        with pytest.raises(BrowserError) as caught:
            await PlaywrightBrowser(options_for(small)).start()
    finally:
        await asyncio.to_thread(subprocess.run, ["umount", str(small)], check=False)
    assert "full" in caught.value.message
    assert "Free some room" in caught.value.next_step


def _browsers() -> set[int]:
    return {pid for pid in children_of(os.getpid()) if "--remote-debugging-pipe" in command(pid)}
