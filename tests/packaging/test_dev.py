"""The launcher: what it says, what it refuses, and how it recovers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from devtools import browsers, demo, system
from devtools.commands import SetUpStopped, carry_out
from devtools.system import Lack
from tests.architecture.checkout import ROOT

DEV = ROOT / "packaging" / "dev.py"


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (3, 14, 0), (4, 0, 0)])
def test_a_python_that_does_not_fit_is_refused_in_plain_words(
    version: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["run"], version) == 2
    said = capsys.readouterr().err
    assert f"this one is {version[0]}.{version[1]}" in said
    assert "Nothing was changed" in said
    assert "python3.13 packaging/dev.py run" in said


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 13, 9)])
def test_a_python_that_fits_is_not_complained_about(version: tuple[int, ...]) -> None:
    assert dev.complaint_about(version) is None


def test_an_old_python_can_read_the_launcher_far_enough_to_refuse() -> None:
    ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 6))
    assert "__future__" not in DEV.read_text(encoding="utf-8")


def test_the_launcher_starts_with_the_standard_library_alone() -> None:
    command = [sys.executable, "-E", "-S", str(DEV), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(f"\n  {verb} " in done.stdout for verb in ("run", "test", "lock"))


@pytest.mark.parametrize("arguments", [[], ["fly"], ["run", "--fast"], ["lock", "--soon"]])
def test_a_wrong_command_line_ends_with_2_and_changes_nothing(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, str(DEV), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_person_without_rights_gets_the_one_command() -> None:
    lacks = [Lack("Xvfb", "xvfb"), Lack("libEGL.so.1", "libegl1"), Lack("xauth", "xauth")]
    said = system.what_to_do(lacks, has_apt=True, as_root=False)
    assert "lacks Xvfb, libEGL.so.1, xauth." in said
    assert "\n  sudo apt-get install --no-install-recommends libegl1 xauth xvfb\n" in said


def test_a_system_without_apt_gets_the_names_of_what_is_missing() -> None:
    said = system.what_to_do([Lack("libEGL.so.1", "libegl1")], has_apt=False, as_root=False)
    assert "libEGL.so.1" in said
    assert "apt-get" not in said


def test_a_library_that_is_not_there_is_found_lacking() -> None:
    purpose = system.Purpose({"libnobody-has-this.so.9": "nobody"}, {"no-such-program": "none"}, needs_every_font=False)
    packages = {lack.package for lack in system.find_lacks(purpose)}
    assert {"nobody", "none"} <= packages


@pytest.mark.parametrize(
    ("os_release", "has_package"),
    [
        ('ID=debian\nVERSION_ID="12"', True),
        ('ID=raspbian\nID_LIKE="debian"', True),
        ("ID=ubuntu\nID_LIKE=debian", False),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"', False),
        ("ID=fedora", False),
        ("", False),
    ],
)
def test_chromium_is_a_package_on_debian_and_not_on_ubuntu(os_release: str, has_package: bool) -> None:
    assert browsers.is_a_debian_package(os_release) is has_package


def test_a_named_browser_that_is_missing_is_complained_about(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PILOTFISH_BROWSER", str(tmp_path / "gone"))
    assert str(tmp_path / "gone") in browsers.complaint()
    monkeypatch.setenv("PILOTFISH_BROWSER", sys.executable)
    assert browsers.complaint() == ""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there the window always has a screen")
def test_a_display_is_a_screen_unless_offscreen_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    assert not demo.has_screen()
    monkeypatch.delenv("QT_QPA_PLATFORM")
    assert demo.has_screen()
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not demo.has_screen()


def test_a_failing_command_is_tried_again_and_then_told_with_its_last_lines(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-c", "print('no route to it'); raise SystemExit(1)"]
    with pytest.raises(SetUpStopped) as stop:
        carry_out(command, "Reading the lists", pauses_s=[0, 0])
    assert str(stop.value).startswith("Reading the lists did not work.")
    assert str(stop.value).count("\n  no route to it\n") == 1
    assert capsys.readouterr().out.count("trying again") == 2


def test_a_command_that_works_the_second_time_is_enough(tmp_path: Path) -> None:
    code = f"import pathlib; first = not pathlib.Path({str(tmp_path / 'been')!r}).exists()"
    code += f"; pathlib.Path({str(tmp_path / 'been')!r}).touch(); raise SystemExit(first)"
    carry_out([sys.executable, "-c", code], "Reading the lists", pauses_s=[0])


def test_a_program_that_is_not_there_is_told_without_a_traceback(tmp_path: Path) -> None:
    with pytest.raises(SetUpStopped, match="Making it did not work"):
        carry_out([str(tmp_path / "nothing")], "Making it")
