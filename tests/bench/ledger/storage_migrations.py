"""Migrations from every schema version, broken off at every statement and every write: old or new, never between.

Two later steps stand for those to come: one that widens a table, and one that builds it anew.
"""

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from app.store.opening import open_for_writing
from app.store.schema import MIGRATIONS, migrate
from tests.bench.ledger.power_cut import ForgetfulDisk

_WIDENED = """
ALTER TABLE conversations ADD COLUMN colour TEXT;
UPDATE conversations SET colour = 'blue' WHERE demo = 0;
CREATE INDEX conversations_by_colour ON conversations (colour);
"""
_BUILT_ANEW = """
CREATE TABLE fresh (conversation TEXT NOT NULL, seq INTEGER NOT NULL, folded TEXT NOT NULL, size INTEGER) STRICT;
INSERT INTO fresh SELECT conversation, seq, folded, length(folded) FROM texts;
DROP TRIGGER texts_enter_search;
DROP TRIGGER texts_leave_search;
DROP TABLE texts;
ALTER TABLE fresh RENAME TO texts;
"""
STEPS = (*MIGRATIONS, _WIDENED, _BUILT_ANEW)
_SOMETHING = """
INSERT INTO conversations VALUES ('c1', 'Mugs', 0, 1.5, 2.5, 2), ('c2', 'Demo', 1, 1.5, 2.5, 0);
INSERT INTO events VALUES ('c1', 1, 1.5, 'paused', '{"kind":"paused"}', x'01'),
    ('c1', 2, 2.5, 'resumed', '{"kind":"resumed"}', x'02');
INSERT INTO texts (conversation, seq, folded) VALUES ('c1', 0, 'mugs'), ('c2', 0, 'demo');
"""
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
    old = folder / f"v{version}.db"
    sound = _made(old, version)
    at_statements = list(_broken_off_at_statements(folder, old))
    at_writes = list(_cut_at_writes(folder, old, chance))
    left = [*at_statements, *at_writes]
    return Migrations(
        so_far.versions,
        so_far.at_statements + len(at_statements),
        so_far.at_writes + len(at_writes),
        so_far.between + sum(contents(path) not in sound for path in left),
        so_far.stuck + sum(not _goes_on(path, sound[-1]) for path in left),
    )


def _made(path: Path, version: int) -> list[list[object]]:
    """A record of that schema with something in it; all that it holds then, and after each of the steps to come."""
    db = apsw.Connection(str(path))
    for number in range(version):
        migrate(db, STEPS[: number + 1])
        if number == 0:
            db.execute(_SOMETHING)
    db.close()
    copy = path.with_suffix(".copy")
    shutil.copy(path, copy)
    states = [contents(copy)]
    for number in range(version, len(STEPS)):
        db = apsw.Connection(str(copy))
        migrate(db, STEPS[: number + 1])
        db.close()
        states.append(contents(copy))
    return states


def _broken_off_at_statements(folder: Path, old: Path) -> Iterator[Path]:
    """A file for each statement of the opening, left as it was when that one failed."""
    for number in range(1, 1_000):
        path = folder / f"statement-{old.stem}-{number}.db"
        shutil.copy(old, path)
        try:
            with _fault_at(number):
                open_for_writing(path, migrations=STEPS).close()
        except Interrupted:
            yield path
        else:
            return


@contextmanager
def _fault_at(number: int) -> Iterator[None]:
    """The statement of that number, of all on a file, is never begun."""
    left = [number]

    def trace(*_: object) -> bool:
        left[0] -= 1
        if left[0] == 0:
            raise Interrupted
        return True

    def hook(db: apsw.Connection) -> None:
        if db.filename:
            db.set_exec_trace(trace)

    apsw.connection_hooks.append(hook)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(hook)


def _cut_at_writes(folder: Path, old: Path, chance: random.Random) -> Iterator[Path]:
    """A file for each write of the opening, as a power cut just before it leaves it."""
    before = folder / f"before-{old.stem}"
    before.mkdir()
    shutil.copy(old, before / "record.db")
    taken: list[Path] = []

    def cut() -> None:
        taken.append(folder / f"cut-{old.stem}-{len(taken)}")
        disk.cut(taken[-1], chance)

    with ForgetfulDisk(before, cut) as disk:
        open_for_writing(before / "record.db", migrations=STEPS).close()
        disk.before_each = lambda: None
    return (after / "record.db" for after in taken)


def _goes_on(path: Path, newest: list[object]) -> bool:
    open_for_writing(path, migrations=STEPS).close()
    return contents(path) == newest


def contents(path: Path) -> list[object]:
    db = apsw.Connection(str(path))
    try:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        known = _CONTENTS if "events" in tables else _CONTENTS[:1]
        return [db.pragma("user_version"), *(db.execute(statement).fetchall() for statement in known)]
    finally:
        db.close()
