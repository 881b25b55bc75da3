"""What the tables for readers promise is shown by tests that exist and run."""

from pathlib import Path

import pytest

from tests.named_tests import NamedTests, missing, named_in, named_tests

pytest_plugins = ["pytester"]

HERE = "tests/architecture/test_named_tests.py"


def test_every_test_that_a_table_names_exists() -> None:
    assert not missing(named_tests())


def test_a_name_that_no_file_defines_is_missing() -> None:
    there, nowhere = f"{HERE}::test_every_test_that_a_table_names_exists", f"{HERE}::test_that_nobody_wrote"
    text = f"| A1 | `{there}` | `{nowhere}` | `tests/x.py::test_a` |"
    assert missing(frozenset(named_in(text))) == [nowhere, "tests/x.py::test_a"]


@pytest.mark.parametrize(("line", "exit_code"), [("pytest.skip('no')", 1), ("assert True", 0)])
def test_a_run_fails_when_a_named_test_is_skipped(pytester: pytest.Pytester, line: str, exit_code: int) -> None:
    file = pytester.makepyfile(f"import pytest\n\ndef test_proof():\n    {line}\n\ndef test_other():\n    pass\n")
    plugin = NamedTests(frozenset({f"{Path(file).name}::test_proof"}))
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    result = pytester.inline_run(plugins=[plugin])
    assert result.ret == exit_code
