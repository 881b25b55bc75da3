"""What a benchmark prints and writes: tables for people, JSON for programs."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tests.bench.figures import Verdict
from tests.bench.result import Table


@dataclass(frozen=True, slots=True)
class Report:
    """One run of one benchmark."""

    name: str
    date: str
    versions: tuple[tuple[str, str], ...]
    command: str
    figures: tuple[Verdict, ...]
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_ok(self) -> bool:
        return all(one.ok for one in self.figures)

    def as_json(self) -> str:
        plain = {
            "name": self.name,
            "date": self.date,
            "versions": dict(self.versions),
            "command": self.command,
            "figures": [asdict(one) for one in self.figures],
            "tables": [asdict(one) for one in self.tables],
            "notes": list(self.notes),
        }
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"

    def as_text(self) -> str:
        """For a terminal: columns under each other."""
        tables = [*self.tables, _of_figures(self.figures)]
        parts = [f"{one.title}\n{_lined_up([one.columns, *one.rows])}" for one in tables]
        notes = [f"Note: {note}" for note in self.notes]
        return "\n\n".join([*parts, *notes, _closing(self.figures)]) + "\n"

    def as_markdown(self) -> str:
        """For the repository; no path and no name of a machine is in it."""
        versions = ", ".join(f"{thing} {version}" for thing, version in self.versions)
        head = [f"## {self.name}", f"{self.date}. Versions: {versions}.", f"```\n{self.command}\n```"]
        tables = [_markdown(one) for one in (_of_figures(self.figures), *self.tables)]
        notes = ["\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join([*head, *tables, *notes]) + "\n"


def number(value: float | None, unit: str = "") -> str:
    """As short as it stays exact enough: tokens whole, ratios with three digits."""
    if value is None:
        return "missing"
    if unit in ("tokens", "count") or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3f}" if unit == "ratio" else f"{value:.2f}"


def _of_figures(figures: Sequence[Verdict]) -> Table:
    rows = [
        (one.what, number(one.value, one.unit), one.unit, one.bar or "none", "ok" if one.ok else "NOT OK")
        for one in figures
    ]
    return Table("Figures", ("what", "value", "unit", "bar", "outcome"), tuple(rows))


def _closing(figures: Sequence[Verdict]) -> str:
    missed = [one.what for one in figures if not one.ok]
    return f"Not reached: {'; '.join(missed)}." if missed else "Every figure is reached."


def _lined_up(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(f"  {line}".rstrip() for line in lines)


def _padded(cell: str, width: int) -> str:
    return cell.rjust(width) if cell[:1].isdigit() else cell.ljust(width)


def _markdown(table: Table) -> str:
    lines = [table.columns, tuple("---" for _ in table.columns), *table.rows]
    return f"### {table.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
