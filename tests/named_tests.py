"""The tests that a table for readers names as its proof: each must exist, and a run that skips one has failed."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("tests/bench/PRIOR_ART.md", "tests/bench/FAULTS.md")
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def named_in(text: str) -> set[str]:
    """The tests that a table names, each as `tests/folder/file.py::test_name`."""
    return {f"{file}::{name}" for file, name in _NAMED.findall(text)}


def named_tests() -> frozenset[str]:
    """All of them; a table that is not there yet names none."""
    tables = [ROOT / name for name in TABLES]
    return frozenset(name for table in tables if table.exists() for name in named_in(table.read_text("utf-8")))


@cache
def tests_of(file: Path) -> frozenset[str]:
    """The tests that a file defines, in its classes too."""
    return frozenset(_defined(ast.parse(file.read_text("utf-8")))) if file.exists() else frozenset()


def missing(names: frozenset[str]) -> list[str]:
    """Those that do not exist."""
    return sorted(name for name in names if name.partition("::")[2] not in tests_of(ROOT / name.partition("::")[0]))


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name


class NamedTests:
    """A pytest plugin that fails the run when a named test was skipped."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._skipped: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file, _, rest = report.nodeid.partition("::")
        name = f"{file}::{rest.rpartition('::')[2].partition('[')[0]}"
        if report.skipped and name in self._names:
            self._skipped.add(name)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._skipped and not hasattr(session.config, "workerinput"):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in sorted(self._skipped):
            terminalreporter.write_line(f"FAILED {name}: it was skipped, but a table names it as its proof", red=True)
