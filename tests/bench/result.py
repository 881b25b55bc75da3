"""What a benchmark is given and returns; the benchmark NAME is a module with `async def run(options) -> Result`."""

import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured number; `what` is the text under which `figures.toml` knows its bar."""

    what: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that show where the figures come from; cells are texts as a person reads them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything a benchmark found; `versions` are (thing, version), `notes` say what could not be measured and why."""

    figures: tuple[Measured, ...] = ()
    tables: tuple[Table, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Partial:
    """Finished parts of a run by name, written at once, so that a run that was broken off goes on from there.

    A part is plain JSON. Without a file nothing is kept.
    """

    file: Path | None = None
    parts: dict[str, object] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path | None) -> "Partial":
        if file is None or not file.exists():
            return cls(file)
        return cls(file, json.loads(file.read_text(encoding="utf-8")))

    def put(self, name: str, part: object) -> None:
        self.parts[name] = part
        if self.file is not None:
            fresh = self.file.with_name(self.file.name + ".new")
            fresh.write_text(json.dumps(self.parts, indent=1) + "\n", encoding="utf-8")
            fresh.replace(self.file)


@dataclass(frozen=True, slots=True)
class Options:
    """How a benchmark is run. `cache` is a folder outside the checkout for what is installed or recorded once."""

    cache: Path
    quick: bool = False  # a seeded sample of about a minute
    shard: int = 1
    shards: int = 1
    seed: int = 20_261
    partial: Partial = field(default_factory=Partial)

    def is_mine(self, index: int) -> bool:
        """Whether the part at this place of a fixed order belongs to this shard."""
        return index % self.shards == self.shard - 1
