"""The lock is whole: every direct dependency, every hash, no place."""

import re
import tomllib

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from devtools.environment import ENVIRONMENT
from tests.architecture.checkout import ROOT

TEXT = ENVIRONMENT.lock.read_text(encoding="utf-8")
ENTRIES = re.findall(r"^[A-Za-z0-9].*?(?=^[A-Za-z0-9]|\Z)", TEXT, flags=re.MULTILINE | re.DOTALL)
PINNED = {
    canonicalize_name(requirement.name): requirement
    for requirement in (Requirement(entry.partition("\\")[0]) for entry in ENTRIES)
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DIRECT = [
    *PROJECT["project"]["dependencies"],
    *(one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra),
    *PROJECT["dependency-groups"]["dev"],
]


@pytest.mark.parametrize("direct", DIRECT)
def test_a_direct_dependency_is_locked_at_a_version_it_allows(direct: str) -> None:
    wanted = Requirement(direct)
    locked = PINNED[canonicalize_name(wanted.name)]
    (pin,) = locked.specifier
    assert pin.operator == "=="
    assert wanted.specifier.contains(pin.version)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.split("=")[0])
def test_an_entry_has_hashes(entry: str) -> None:
    assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry)


def test_a_package_is_locked_once_for_all_systems_and_versions() -> None:
    assert len(PINNED) == len(ENTRIES)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_program_is_locked_for_every_system_and_python(system: str, version: str) -> None:
    place = {"sys_platform": system, "python_version": version, "python_full_version": f"{version}.0"}
    markers = [PINNED[canonicalize_name(Requirement(direct).name)].marker for direct in DIRECT]
    assert all(marker is None or Marker(str(marker)).evaluate(place) for marker in markers)


def test_the_lock_names_no_place() -> None:
    places = re.compile(r"://|--(index|extra-index|find-links|trusted)|^-[ef]|\s@\s|file:|(?<!\w)/\w", re.MULTILINE)
    assert not places.search(TEXT)


def test_the_faulty_toolkit_is_not_allowed() -> None:
    toolkit = next(Requirement(one) for one in PROJECT["project"]["dependencies"] if one.startswith("PySide6"))
    assert not toolkit.specifier.contains("6.12.0")
