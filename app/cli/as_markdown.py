"""A conversation as Markdown, in which no text of a page can become anything but text."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from app.cli.story import Entry
from app.domain.events import ConversationSummary

_MARKS = re.compile(r"([\\`*_\[\]<>&|~])")
_BEGINNINGS = re.compile(r"^\s*(?:([#+\-=])|(\d+)([.)]))")


def as_markdown(about: ConversationSummary, entries: Iterable[Entry]) -> str:
    blocks = [f"# {_plain(about.title)}", f"Conversation `{about.id}`, begun {moment(about.created_at)}."]
    return "\n\n".join([*blocks, *("\n\n".join(_blocks(entry)) for entry in entries)]) + "\n"


def moment(at: float) -> str:
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M:%S}"


def _blocks(entry: Entry) -> Iterator[str]:
    if entry.kind in ("person", "agent"):
        yield f"## {_plain(entry.title)} · {moment(entry.at)}"
        yield _lines(entry.text)
        return
    facts = "\n".join(f"- {_plain(name)}: {_plain(value)}" for name, value in entry.facts)
    if entry.kind == "quote":
        yield f"**{_plain(entry.title)}**"
        yield "\n".join(f"> {line}" for line in _lines(entry.text).splitlines())
        yield f"- source: {_plain(entry.source)}\n{facts}"
    elif entry.title:
        yield f"**{_plain(entry.title)}** — {_plain(entry.text)}"
        yield from [facts] if facts else []
    else:
        yield _lines(entry.text)


def _lines(text: str) -> str:
    """Each line as it is, also one that would begin a list or a heading; an empty one ends the paragraph."""
    return "\n".join(f"{_plain(line.strip())}\\" if line.strip() else "" for line in text.splitlines()).rstrip("\\")


def _plain(text: str) -> str:
    marked = " ".join(_MARKS.sub(r"\\\1", line) for line in text.splitlines())
    return _BEGINNINGS.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", marked)
