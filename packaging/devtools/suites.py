"""Runs every check and every suite of tests, each to its end, and sums up at the close."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devtools.commands import ROOT, environment, sandbox_switch
from devtools.environment import ENVIRONMENT

TESTS = ROOT / "tests"
PATIENCE = 3  # a suite is ended when it has taken this many times its budget
SECONDS_TO_CLOSE = 20


@dataclass(frozen=True, slots=True)
class Suite:
    """Folders of tests that run in one go, and the time they should take on two cores.

    A browser or a window is kept for all tests of a file, so such files are not split between workers; without any
    worker a suite runs in one process.
    """

    folders: tuple[str, ...]
    budget_s: int
    workers: int = 2
    share: str = "loadfile"


@dataclass(frozen=True, slots=True)
class Result:
    """How a check or a suite ended, and how long it took."""

    name: str
    failed: bool
    seconds: float
    remark: str = ""


CHECKS = ("ruff format --check", "ruff check", "mypy", "lint-imports")
SUITES = (
    Suite(("unit", "contract", "architecture", "packaging"), budget_s=180, share="worksteal"),
    Suite(("browser",), budget_s=300, workers=3),  # a third of their time they wait
    Suite(("ui",), budget_s=120),
    Suite(("e2e",), budget_s=180),
)


def run(arguments: Sequence[str]) -> int:
    """Runs everything, or with arguments for pytest just that one run; 0 only when nothing failed."""
    settings = sandbox_switch()
    if arguments:
        return _run([str(ENVIRONMENT.python), "-m", "pytest", *arguments], settings) or 0
    results = [run_check(check) for check in CHECKS]
    results += [result for suite in SUITES for result in run_suite(suite, settings)]
    print(summary(results), flush=True)
    return int(any(result.failed for result in results))


def run_check(check: str) -> Result:
    tool, *arguments = check.split()
    started = _announce(check)
    code = _run([str(ENVIRONMENT.program(tool)), *arguments], {})
    return Result(check, failed=code != 0, seconds=time.monotonic() - started)


def run_suite(suite: Suite, settings: Mapping[str, str], tests: Path = TESTS) -> list[Result]:
    """A folder that is not there yet is left out; one that is there and holds no test is a failure."""
    there = [tests / folder for folder in suite.folders if (tests / folder).is_dir()]
    empty = [folder for folder in there if not any(folder.rglob("test_*.py"))]
    results = [Result(f"tests/{folder.name}", failed=True, seconds=0, remark="holds no test") for folder in empty]
    if len(there) > len(empty):
        results.append(_run_pytest([folder for folder in there if folder not in empty], suite, settings))
    return results


def summary(results: Sequence[Result]) -> str:
    width = max(len(result.name) for result in results)
    lines = [f"  {result.name:<{width}}  {_outcome(result)}" for result in results]
    failed = [result.name for result in results if result.failed]
    total = sum(result.seconds for result in results)
    verdict = f"Failed: {'; '.join(failed)}." if failed else "Everything passed."
    return "\n".join(["", *lines, "", f"{verdict} It took {total:.0f} s."])


def _outcome(result: Result) -> str:
    return f"{'FAILED' if result.failed else 'ok':<6} {result.seconds:6.0f} s  {result.remark}".rstrip()


def _run_pytest(folders: Sequence[Path], suite: Suite, settings: Mapping[str, str]) -> Result:
    name = " ".join(f"tests/{folder.name}" for folder in folders)
    workers = ["-n", str(suite.workers), "--dist", suite.share]
    started = _announce(name)
    code = _run(
        [str(ENVIRONMENT.python), "-m", "pytest", *map(str, folders), *workers], settings, suite.budget_s * PATIENCE
    )
    seconds = time.monotonic() - started
    return Result(name, failed=code != 0, seconds=seconds, remark=_remark(code, seconds, suite.budget_s))


def _remark(code: int | None, seconds: float, budget_s: int) -> str:
    if code is None:
        return f"ended: it took {PATIENCE} times its budget of {budget_s} s"
    return f"over its budget of {budget_s} s" if seconds > budget_s else ""


def _announce(name: str) -> float:
    print(f"\n== {name}", flush=True)
    return time.monotonic()


def _run(command: Sequence[str], settings: Mapping[str, str], limit_s: float | None = None) -> int | None:
    """The exit code, or None when the time was up; pytest then still takes down what it set up."""
    with subprocess.Popen(command, cwd=ROOT, env=environment(settings)) as process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
        except KeyboardInterrupt:
            _close(process)
            raise
        _close(process)
        return None


def _close(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(SECONDS_TO_CLOSE)
    except subprocess.TimeoutExpired:
        process.kill()
