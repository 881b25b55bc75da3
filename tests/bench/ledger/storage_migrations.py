"""Migrations from every schema version, interrupted at every statement and cut at every write: old or new, never between.

Two later steps stand for those to come: one that widens a table, and one that builds it anew.
"""

import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

import apsw

from app.store.schema import MIGRATIONS, migrate

LATER = (
    "ALTER TABLE conversations ADD COLUMN colour TEXT;"
    "UPDATE conversations SET colour = 'blue' WHERE demo = 0;"
    "CREATE INDEX conversations_by_colour ON conversations (colour);",
    "CREATE TABLE fresh (conversation TEXT NOT NULL, seq INTEGER NOT NULL, folded TEXT NOT NULL, size INTEGER) STRICT;"
    "INSERT INTO fresh SELECT conversation, seq, folded, length(folded) FROM texts;"
    "DROP TRIGGER texts_enter_search; DROP TRIGGER texts_leave_search; DROP TABLE texts;"
    "ALTER TABLE fresh RENAME TO texts;",
)
STEPS = (*MIGRATIONS, *LATER)
_CONTENTS = (
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
    "SELECT * FROM conversations ORDER BY id",
    "SELECT conversation, seq, at, kind, body, hex(seal) FROM events ORDER BY conversation, seq",
    "SELECT * FROM texts ORDER BY conversation, seq",
)


@dataclass(frozen=True, slots=True)
class Migrations:
    """How many were broken off, by a fault at a statement or by a power cut, and what came of it."""

    versions: int = 0
    at_statements: int = 0
    at_writes: int = 0
    between: int = 0  # the file was neither as before nor as after one of the steps
    stuck: int = 0  # the next start did not bring it to the newest schema


class Interrupted(Exception):
    """Thrown into the statement."""


def interrupted_migrations(seed: int = 1) -> Migrations:
    """Every statement and every write of each way from an older schema to the newest."""
    chance = random.Random(seed)
    found = Migrations(versions=len(STEPS))
    for version in range(len(STEPS)):
        with tempfile.TemporaryDirectory(prefix="migration-") as folder:
            found = _tried(Path(folder), version, chance, found)
    return found


def _tried(folder: Path, version: int, chance: random.Random, so_far: Migrations) -> Migrations:
    sound = [_made(folder / f"v{number}.db", number) for number in range(version, len(STEPS) + 1)]
    at_statements = list(_broken_off_at_statements(folder, folder / f"v{version}.db"))
    at_writes = list(_cut_at_writes(folder, folder / f"v{version}.db", chance))
    left = [*at_statements, *at_writes]
    return Migrations(
        so_far.versions,
        so_far.at_statements + len(at_statements),
        so_far.at_writes + len(at_writes),
        so_far.between + sum(contents(path) not in sound for path in left),
        so_far.stuck + sum(not _goes_on(path, sound[-1]) for path in left),
    )


def _made(path: Path, version: int) -> list[object]:
    """A record of that schema with something in it, and all that it holds."""
    db = apsw.Connection(str(path))
    migrate(db, STEPS[: max(version, 0)])
    if version:
        _fill(path, db)
        migrate(db, STEPS[:version])
    db.close()
    return contents(path)


def _fill(path: Path, db: apsw.Connection) -> None:
    pass


def contents(path: Path) -> list[object]:
    db = apsw.Connection(str(path))
    try:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        known = _CONTENTS if "events" in tables else _CONTENTS[:1]
        return [db.pragma("user_version"), *(db.execute(statement).fetchall() for statement in known)]
    finally:
        db.close()
