"""The rows that a search reads: the folded texts of titles and events, and the index over them."""

import contextlib

import apsw

from app.domain.errors import StoreError
from app.domain.ids import ConversationId
from app.store.codec import decode
from app.store.search import SHORTEST_INDEXED, folded, match, searchable, snippet

TITLE = 0  # the seq under which the title of a conversation is kept; those of events begin at one


class Finding:
    """The caller holds the transaction."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def keep(self, conversation: ConversationId, seq: int, text: str) -> None:
        """Make the text of the event findable, in place of an older one."""
        self._db.execute("DELETE FROM texts WHERE conversation = ? AND seq = ?", (conversation, seq))
        if text:
            self._db.execute(
                "INSERT INTO texts (conversation, seq, folded) VALUES (?, ?, ?)", (conversation, seq, folded(text))
            )

    def snippet(self, conversation: ConversationId, title: str, words: tuple[str, ...]) -> str:
        """The surroundings of the first of the words that stands in an event, else in the title."""
        for word in words:
            row = self._db.execute(
                "SELECT kind, body FROM texts JOIN events USING (conversation, seq)"
                " WHERE conversation = ? AND instr(folded, ?) ORDER BY seq LIMIT 1",
                (conversation, word),
            ).fetchone()
            if row is not None:
                with contextlib.suppress(StoreError):  # an entry that cannot be read must not spoil the whole list
                    return snippet(searchable(decode(*row)), word)
        return snippet(title, words[0]) if words else ""

    def forget_deleted(self) -> None:
        """The index keeps the words of deleted texts until it is written anew."""
        self._db.execute("INSERT INTO search (search) VALUES ('optimize')")


def condition(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A condition on the id of a conversation that holds every one of the words, and its arguments."""
    if not words:
        return "TRUE", ()
    parts = [_holders(word) for word in words]
    among = " INTERSECT ".join(statement for statement, _ in parts)
    return f"id IN ({among})", tuple(term for _, terms in parts for term in terms)


def _holders(word: str) -> tuple[str, tuple[str, ...]]:
    holders = "SELECT conversation FROM texts WHERE instr(folded, ?)"
    if len(word) < SHORTEST_INDEXED:
        return holders, (word,)
    return f"{holders} AND id IN (SELECT rowid FROM search WHERE search MATCH ?)", (word, match(word))
