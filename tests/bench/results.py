"""Writes parts of RESULTS.md from what `bench NAME --out FILE` wrote: `python -m tests.bench.results FILE …`."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.figures import Verdict
from tests.bench.report import Report
from tests.bench.result import Table

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """\
# What was measured

This page is written from the benchmarks' own JSON: run the command of a part with `--out FILE.json`, then
`python -m tests.bench.results FILE.json …`; the other parts stay as they are. Ratios are of sums within one run on one
machine; a ratio below 1 says that ours is the smaller. Bars come from `figures.toml`. A figure that is
missing counts as not reached.
"""


def main(files: Sequence[str]) -> int:
    parts = parts_of(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for file in files:
        report = read(Path(file).read_text(encoding="utf-8"))
        parts[report.name] = _part(report)
    RESULTS.write_text("\n".join([HEAD, *parts.values()]), encoding="utf-8")
    return 0


def parts_of(page: str) -> dict[str, str]:
    """Each part of the page as it is written, by the name of its benchmark."""
    _, *parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    return {part.partition("\n")[0].removeprefix("## "): f"{part.rstrip()}\n" for part in parts}


def read(text: str) -> Report:
    """The report that `Report.as_json` wrote."""
    plain: dict[str, Any] = json.loads(text)
    return Report(
        name=plain["name"],
        date=plain["date"],
        versions=tuple(plain["versions"].items()),
        command=plain["command"],
        figures=tuple(Verdict(**one) for one in plain["figures"]),
        tables=tuple(_table(one) for one in plain["tables"]),
        notes=tuple(plain["notes"]),
    )


def _table(plain: dict[str, Any]) -> Table:
    return Table(plain["title"], tuple(plain["columns"]), tuple(map(tuple, plain["rows"])))


def _part(report: Report) -> str:
    missed = [one for one in report.figures if not one.ok]
    lines = [f"- {one.what}: {_said(one)}, where {one.bar} was to be reached" for one in missed]
    falls_short = "\n".join(["### Where it falls short", "", *lines, ""]) if lines else ""
    return f"{report.as_markdown()}\n{falls_short}"


def _said(verdict: Verdict) -> str:
    return "missing" if verdict.value is None else f"{verdict.value:.4g} {verdict.unit}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
