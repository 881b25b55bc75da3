"""The tables of the record and the numbered steps that lead to them."""

import apsw

from app.store.faults import written_by_newer

APPLICATION_ID = 0x50494C46  # "PILF"
_PLAUSIBLE_VERSION = 10_000

# Events can be deleted only together with their conversation: the cascade runs when its row is already gone.
_FIRST = f"""
PRAGMA application_id = {APPLICATION_ID};

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    demo INTEGER NOT NULL CHECK (demo IN (0, 1)),
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    events INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE events (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    seal BLOB NOT NULL,
    PRIMARY KEY (conversation, seq)
) STRICT;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'events are never changed'); END;

CREATE TRIGGER events_go_only_with_their_conversation BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM conversations WHERE id = old.conversation)
BEGIN SELECT raise(ABORT, 'events go only with their conversation'); END;

CREATE TABLE blobs (
    hash TEXT PRIMARY KEY,
    packed INTEGER NOT NULL CHECK (packed IN (0, 1)),
    data BLOB NOT NULL
) STRICT;

CREATE TABLE blob_uses (
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL REFERENCES blobs (hash),
    PRIMARY KEY (conversation, seq, hash),
    FOREIGN KEY (conversation, seq) REFERENCES events (conversation, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_by_hash ON blob_uses (hash);

CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    folded TEXT NOT NULL,
    UNIQUE (conversation, seq)
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (
    folded, content = 'texts', content_rowid = 'id', detail = none, tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER texts_enter_search AFTER INSERT ON texts
BEGIN INSERT INTO search (rowid, folded) VALUES (new.id, new.folded); END;

CREATE TRIGGER texts_leave_search AFTER DELETE ON texts
BEGIN INSERT INTO search (search, rowid, folded) VALUES ('delete', old.id, old.folded); END;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST,)


def is_damaged_header(db: apsw.Connection) -> bool:
    """Whether the file's own marks are neither those of a record nor those of an empty file."""
    is_ours = db.pragma("application_id") == APPLICATION_ID and 0 < db.pragma("user_version") < _PLAUSIBLE_VERSION
    return not (is_ours or is_empty(db))


def is_empty(db: apsw.Connection) -> bool:
    """Whether nothing was ever written to the file."""
    return not any(db.pragma(mark) for mark in ("application_id", "user_version", "schema_version"))


def has_lost_its_layout(db: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> bool:
    """Whether a table, an index, a trigger or a column is not there under its name, as its version has it."""
    sound = apsw.Connection(":memory:")
    migrate(sound, migrations[: int(db.pragma("user_version"))])
    try:
        return not _layout(db) >= _layout(sound)
    except apsw.SQLError:  # the schema itself cannot be read as one
        return True
    finally:
        sound.close()


def _layout(db: apsw.Connection) -> set[tuple[str, ...]]:
    """Names alone: how SQLite writes down the statements that made them may differ from version to version."""
    made = db.execute("SELECT type, name, tbl_name FROM sqlite_schema").fetchall()
    columns = "SELECT name FROM pragma_table_xinfo(?)"
    return {(*map(str, one), *(str(name) for (name,) in db.execute(columns, (one[1],)))) for one in made}


def migrate(db: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the file to the newest schema, each step whole or not at all. Refuses a schema from the future."""
    refuse_newer(db, migrations)
    version = db.pragma("user_version")
    for number, step in enumerate(migrations[version:], start=version + 1):
        with db:
            db.execute(step)
            db.pragma("user_version", number)


def is_behind(db: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> bool:
    """Whether it is a record that an earlier version of the program made."""
    return 0 < int(db.pragma("user_version")) < len(migrations)


def is_newer(db: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> bool:
    """Whether a later version of the program made this file."""
    return int(db.pragma("user_version")) > len(migrations)


def refuse_newer(db: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Raise StoreError when a later version of the program made this file: it must not be written."""
    if is_newer(db, migrations):
        raise written_by_newer(int(db.pragma("user_version")), len(migrations))
