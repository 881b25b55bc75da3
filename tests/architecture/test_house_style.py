"""The rules of form that no linter knows."""

import ast
import re
from pathlib import Path

import pytest

from devtools.suites import SUITES
from tests.architecture.checkout import ROOT, python_files, text_of, tracked_files

LONGEST_MODULE = 400
EVERYTHING = {"Exception", "BaseException"}
MAY_CATCH_EVERYTHING = {
    Path("app/agent/loop.py"): "end of a turn",
    Path("app/ui/bridge.py"): "edge of a slot",
    Path("app/runtime/engine.py"): "top of a thread",
}
NAMES_THAT_SAY_NOTHING = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "service"}
TOP = {
    *(".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml"),
    *("app", "installer", "packaging", "resources", "tests"),
}
OUTSIDE_OF_SUITES = {"bench"}
# Written so that this file does not find itself.
PLACE_OF_A_MACHINE = re.compile(r"(?<![\w.:/-])/(?:root|work|home/\w+|Users/\w+|opt/pypi)" + r"/\w|[A-Z]:\\+Users\\+\w")


@pytest.mark.parametrize("file", python_files("app", "packaging", "tests"), ids=str)
def test_a_module_is_no_longer_than_400_lines(file: Path) -> None:
    assert len(text_of(file).splitlines()) <= LONGEST_MODULE


def swallows_everything(source: str) -> bool:
    """Whether a handler takes every exception in; one that cleans up and raises it again does not."""
    handlers = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ExceptHandler)]
    return any(_is_broad(handler) and not _raises_again(handler) for handler in handlers)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(name, ast.Name) and name.id in EVERYTHING for name in caught)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_only_three_places_swallow_every_exception() -> None:
    assert {file for file in python_files("app") if swallows_everything(text_of(file))} <= set(MAY_CATCH_EVERYTHING)


@pytest.mark.parametrize(
    ("handler", "is_found"),
    [
        ("except Exception: pass", True),
        ("except Exception as error: print(error)", True),
        ("except (OSError, Exception): pass", True),
        ("except BaseException: pass", True),
        ("except: pass", True),
        ("except BaseException: print(); raise", False),
        ("except OSError: pass", False),
        ("except* Exception: pass", True),
    ],
)
def test_a_handler_that_swallows_everything_is_recognised(handler: str, is_found: bool) -> None:
    assert swallows_everything(f"try: pass\n{handler}") is is_found


def test_no_package_or_module_has_a_name_that_says_nothing() -> None:
    named = {file for file in tracked_files() if {*file.parts[:-1], file.stem} & NAMES_THAT_SAY_NOTHING}
    assert not named


def test_the_top_level_is_as_designed() -> None:
    assert {file.parts[0] for file in tracked_files()} == TOP


def test_the_launcher_does_not_hide_the_library_of_its_name() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_no_tracked_file_names_a_place_of_one_machine() -> None:
    found = {
        f"{file}: {match.group()}"
        for file in tracked_files()
        if file.suffix not in {".png", ".ico", ".jpg"}
        for match in PLACE_OF_A_MACHINE.finditer((ROOT / file).read_text(encoding="utf-8", errors="replace"))
    }
    assert not found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("see /" + "home/ann/notes", True),
        ("C:" + r"\Users\ann", True),
        ('"/' + 'root/x"', True),
        ("http://localhost/work" + "/order", False),
        ("resources/work" + "/plan", False),
    ],
)
def test_a_place_of_a_machine_is_recognised(text: str, is_found: bool) -> None:
    assert bool(PLACE_OF_A_MACHINE.search(text)) is is_found


def test_every_test_file_belongs_to_a_suite_that_is_run() -> None:
    run = {folder for suite in SUITES for folder in suite.folders} | OUTSIDE_OF_SUITES
    files = [file for file in python_files("tests") if file.name.startswith("test_")]
    assert not [file for file in files if file.parts[1] not in run]
