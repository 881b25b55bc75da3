"""Finds what the system lacks; on Debian as root installs it, elsewhere names the one command needed and stops."""

import ctypes
import importlib
import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from devtools import browsers
from devtools.commands import NETWORK_PAUSES_S, SetUpStopped, carry_out, is_root
from devtools.environment import ENVIRONMENT

# Library file -> Debian package. Qt names only the last of the missing ones, and often the wrong one.
LIBRARIES = {
    "libatomic.so.1": "libatomic1",  # of the browser driver's node
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
LIBRARIES_OF_A_SCREEN = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
FONTS = {
    "DejaVuSans.ttf": "fonts-dejavu-core",
    "LiberationSans-Regular.ttf": "fonts-liberation",
    "NotoSansCJK-Regular.ttc": "fonts-noto-cjk",
    "NotoColorEmoji.ttf": "fonts-noto-color-emoji",
}
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
PROGRAMS_OF_TESTS = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool"}
APT = (
    "apt-get",
    "-q",
    "-o",
    "DPkg::Lock::Timeout=600",
    "-o",
    "Acquire::Retries=3",
    "-o",
    "Dpkg::Use-Pty=0",
)
UNATTENDED = {"DEBIAN_FRONTEND": "noninteractive"}


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a verb needs of a Linux system; the other systems bring Qt's libraries and fonts along."""

    libraries: Mapping[str, str]
    programs: Mapping[str, str]
    needs_every_font: bool


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that the system does not have, and the Debian package that brings it."""

    thing: str
    package: str
    is_needed: bool = True


def to_run(*, has_screen: bool) -> Purpose:
    screen = LIBRARIES_OF_A_SCREEN if has_screen else {}
    return Purpose({**LIBRARIES, **screen}, programs={}, needs_every_font=False)


def to_test() -> Purpose:
    return Purpose({**LIBRARIES, **LIBRARIES_OF_A_SCREEN}, PROGRAMS_OF_TESTS, needs_every_font=True)


def prepare(purpose: Purpose) -> None:
    """Returns when the system has what the purpose needs, except for a browser that must be downloaded."""
    if not sys.platform.startswith("linux"):
        return
    lacks = find_lacks(purpose)
    if lacks and _has_apt() and is_root():
        _install(lacks)
        lacks = find_lacks(purpose)
    if any(lack.is_needed for lack in lacks):
        raise SetUpStopped(what_to_do(lacks, has_apt=_has_apt(), as_root=is_root()))
    if lacks:
        print(f"Some texts may show boxes: this system lacks {_named(lacks)}.", flush=True)


def require_browser() -> None:
    """Stops with the command that downloads a browser where none was found or could be installed."""
    complaint = browsers.complaint()
    if not complaint:
        return
    dependencies = ["--with-deps"] if sys.platform.startswith("linux") else []
    command = [str(ENVIRONMENT.python), "-m", "playwright", "install", *dependencies, "chromium"]
    raise SetUpStopped(
        f"{complaint} This command downloads one for Pilotfish:\n\n"
        f"  {shlex.join(command)}\n\n"
        "Or name one that you have in PILOTFISH_BROWSER. Then start the same command again."
    )


def find_lacks(purpose: Purpose) -> list[Lack]:
    lacks = [Lack(name, package) for name, package in purpose.libraries.items() if not _loads(name)]
    lacks += [Lack(name, package) for name, package in purpose.programs.items() if not shutil.which(name)]
    lacks += _lacking_fonts(is_needed=purpose.needs_every_font)
    if not _can_make_environments():
        lacks.append(Lack("Python's venv module", f"python3.{sys.version_info.minor}-venv"))
    if not os.environ.get("PILOTFISH_BROWSER") and browsers.complaint() and browsers.is_a_debian_package(_os_release()):
        lacks.append(Lack("a browser", "chromium"))
    return lacks


def what_to_do(lacks: Iterable[Lack], *, has_apt: bool, as_root: bool) -> str:
    lacks = list(lacks)
    said = f"This system lacks {_named(lacks)}. Nothing was changed."
    if not has_apt:
        return (
            f"{said}\nInstall the packages that hold them with the package manager of your system, "
            "then start the same command again."
        )
    packages = " ".join(sorted({lack.package for lack in lacks}))
    command = f"{'' if as_root else 'sudo '}apt-get install --no-install-recommends {packages}"
    return f"{said} This command installs it:\n\n  {command}\n\nThen start the same command again."


def _install(lacks: Iterable[Lack]) -> None:
    packages = sorted({lack.package for lack in lacks})
    print(f"Installing what the system lacks: {' '.join(packages)} …", flush=True)
    # A foreign source that is down fails the update as a whole; whether it matters, the install knows.
    with suppress(SetUpStopped):
        carry_out([*APT, "update"], "Reading the package lists", extra=UNATTENDED, pauses_s=NETWORK_PAUSES_S)
    command = [*APT, "install", "-y", "--no-install-recommends", *packages]
    carry_out(command, "Installing packages of the system", extra=UNATTENDED, pauses_s=NETWORK_PAUSES_S)
    importlib.invalidate_caches()


def _lacking_fonts(*, is_needed: bool) -> list[Lack]:
    files = {file.name for folder in FONT_FOLDERS for file in folder.rglob("*.[ot]t[fc]")}
    return [
        Lack(f"the font {name}", package, is_needed=is_needed or not files)
        for name, package in FONTS.items()
        if name not in files
    ]


def _can_make_environments() -> bool:
    return ENVIRONMENT.folder.exists() or all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_apt() -> bool:
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def _os_release() -> str:
    try:
        return Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return ""


def _named(lacks: Iterable[Lack]) -> str:
    return ", ".join(lack.thing for lack in lacks)
