"""The wheel has the program and its resources, and finds them without the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT, tracked_files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("pilotfish-*.whl")
    return built


@pytest.fixture(scope="module")
def packed(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_module_and_resource(packed: set[str]) -> None:
    modules = {file.as_posix() for file in tracked_files() if file.parts[0] == "app"}
    resources = {f"app/_{file.as_posix()}" for file in tracked_files() if file.parts[0] == "resources"}
    assert resources
    assert modules | resources <= packed


def test_the_wheel_holds_nothing_else(packed: set[str]) -> None:
    assert {name.split("/")[0].removesuffix(".dist-info").split("-")[0] for name in packed} == {"app", "pilotfish"}
    assert not [name for name in packed if "__pycache__" in name or name.startswith("resources/")]


def test_the_wheel_names_the_licence_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if "dist-info" in name}
    assert "License-Expression: Apache-2.0" in texts["METADATA"]
    assert "Apache License" in texts["LICENSE"]
    assert "pilotfish = app.__main__:main" in texts["entry_points.txt"]


def test_resources_are_found_inside_the_installed_package(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    name = ("styles", "light.json")
    code = f"from app import resources; print(resources.path{name}, len(resources.text{name}))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    place, length = done.stdout.split()
    assert Path(place) == tmp_path / "app" / "_resources" / "styles" / "light.json"
    assert int(length) == len((ROOT / "resources" / "styles" / "light.json").read_text(encoding="utf-8"))
