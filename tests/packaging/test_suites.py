"""The test command: nothing that fails is hidden, and nothing that runs too long holds it up."""

from pathlib import Path

import pytest

from devtools import suites
from devtools.suites import Result, Suite

PASSES = "def test_it(): pass\n"
FAILS = "def test_it(): assert False\n"
HANGS = "import time\ndef test_it(): time.sleep(50)\n"


def folder_of_tests(tests: Path, name: str, source: str) -> None:
    (tests / name).mkdir()
    (tests / name / "test_it.py").write_text(source)


def test_a_folder_that_is_not_there_yet_is_left_out(tmp_path: Path) -> None:
    assert suites.run_suite(Suite(("later",), budget_s=60), {}, tmp_path) == []


def test_a_folder_without_a_test_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "hollow").mkdir()
    (tmp_path / "hollow" / "fakes.py").write_text("")
    (result,) = suites.run_suite(Suite(("hollow",), budget_s=60), {}, tmp_path)
    assert result.failed
    assert result.remark == "holds no test"


@pytest.mark.parametrize(("source", "failed"), [(PASSES, False), (FAILS, True), ("", True), ("raise OSError\n", True)])
def test_a_suite_fails_unless_its_tests_ran_and_passed(tmp_path: Path, source: str, failed: bool) -> None:
    folder_of_tests(tmp_path, "some", source)
    (result,) = suites.run_suite(Suite(("some",), budget_s=60, workers=0), {}, tmp_path)
    assert result.failed is failed


def test_what_fails_in_one_of_several_workers_fails_the_suite(tmp_path: Path) -> None:
    folder_of_tests(tmp_path, "some", f"{PASSES}{FAILS.replace('test_it', 'test_that')}")
    (result,) = suites.run_suite(Suite(("some",), budget_s=60), {}, tmp_path)
    assert result.failed


def test_a_suite_that_hangs_is_ended(tmp_path: Path) -> None:
    folder_of_tests(tmp_path, "slow", HANGS)
    (result,) = suites.run_suite(Suite(("slow",), budget_s=1, workers=0), {}, tmp_path)
    assert result.failed
    assert result.remark == "ended: it took 3 times its budget of 1 s"
    assert result.seconds < 30


def test_the_summary_names_what_failed_and_how_long_all_took() -> None:
    shown = suites.summary([Result("mypy", failed=False, seconds=2), Result("tests/ui", failed=True, seconds=3.4)])
    assert "mypy      ok          2 s\n" in shown
    assert "tests/ui  FAILED      3 s\n" in shown
    assert shown.endswith("Failed: tests/ui. It took 5 s.")


def test_the_summary_says_when_everything_passed() -> None:
    shown = suites.summary([Result("mypy", failed=False, seconds=2)])
    assert shown.endswith("Everything passed. It took 2 s.")
