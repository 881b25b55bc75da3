"""What a benchmark is judged by: a figure that is missing is not reached."""

import argparse
import json
from pathlib import Path

import pytest

from tests.bench import results, run
from tests.bench.figures import Expected, expected, judged
from tests.bench.report import Report
from tests.bench.result import Measured, Options, Partial, Table

SPEED = Expected("the speed", "ms", "<= 10")


@pytest.mark.parametrize(
    ("measured", "ok"),
    [
        ([Measured("the speed", 10, "ms")], True),
        ([Measured("the speed", 10.01, "ms")], False),
        ([Measured("the speed", 3, "s")], False),
        ([Measured("another speed", 3, "ms")], False),
        ([], False),
    ],
)
def test_a_figure_that_misses_its_bar_or_is_missing_is_not_ok(measured: list[Measured], ok: bool) -> None:
    assert judged([SPEED], measured)[0].ok is ok


def test_what_has_no_bar_is_reported_and_misses_none() -> None:
    verdicts = judged([SPEED], [Measured("beside", 5, "ms"), Measured("the speed", 1, "ms")])
    assert [(one.what, one.bar, one.ok) for one in verdicts] == [("the speed", "<= 10", True), ("beside", "", True)]


def test_every_benchmark_has_figures_with_bars_that_can_be_read() -> None:
    for name, figures in expected().items():
        assert figures, name
        for figure in figures:
            figure.is_met(0.0)
        assert len({figure.what for figure in figures}) == len(figures), name


def test_the_report_says_which_figures_were_not_reached_and_is_the_same_in_json() -> None:
    report = Report("context", "2026-01-01", (("Python", "3"),), "bench", judged([SPEED], []))
    assert "Not reached: the speed." in report.as_text()
    assert not report.is_ok
    plain = json.loads(report.as_json())
    assert plain["figures"] == [{"what": "the speed", "value": None, "unit": "ms", "bar": "<= 10", "ok": False}]
    assert set(plain) >= {"name", "date", "versions", "command", "figures"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fly"], "There is no benchmark “fly”. The benchmarks are: context, peers, hands, ledger."),
        (["context", "--shard", "3/2"], "“3/2” is no share"),
        (["context", "--shard", "half"], "“half” is no share"),
        (["context", "--out", "nowhere/at/all.json"], "is not there. Nothing was started."),
    ],
)
def test_a_wrong_command_line_is_refused_in_plain_words(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_the_shares_of_the_work_are_all_of_it_and_no_part_twice(tmp_path: Path) -> None:
    shares = [Options(tmp_path, shard=number, shards=3) for number in (1, 2, 3)]
    for part in range(7):
        assert [share.is_mine(part) for share in shares].count(True) == 1


def test_a_run_that_was_broken_off_finds_the_parts_it_had_finished(tmp_path: Path) -> None:
    file = tmp_path / "parts.json"
    Partial.read(file).put("first", {"tokens": 3})
    again = Partial.read(file)
    again.put("second", [1, 2])
    assert Partial.read(file).parts == {"first": {"tokens": 3}, "second": [1, 2]}


def test_the_options_carry_what_the_command_line_said() -> None:
    known: dict[str, object] = {"context": None}
    given: argparse.Namespace = run.parser(known).parse_args(["context", "--quick", "--shard", "2/4"])
    options = run.options_of(given)
    assert (options.quick, options.shard, options.shards) == (True, 2, 4)


def test_a_report_is_read_from_its_json_as_it_was() -> None:
    table = Table("Walks", ("walk", "sent"), (("tiny", "12"),))
    report = Report("context", "2026-01-01", (("Python", "3"),), "bench", judged([SPEED], []), (table,), ("A note.",))
    assert results.read(report.as_json()) == report


def test_a_part_of_the_page_is_written_anew_without_the_others() -> None:
    parts = results.parts_of("# What\n\n## context\n\nold\n\n### Figures\n\n1\n\n## hands\n\nthis\n")
    assert parts == {"context": "## context\n\nold\n\n### Figures\n\n1\n", "hands": "## hands\n\nthis\n"}
