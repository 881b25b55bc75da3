"""Decides which addresses of links a model needs to see, and how short they can be said."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.domain.snapshot import SnapshotNode, walk

URL_LIMIT = 150
_START = 40
_TELLING = 80


@dataclass(frozen=True, slots=True)
class Addresses:
    """`ambiguous` are the names that links with different addresses share; `apart` says long ones that look alike."""

    ambiguous: frozenset[str] = frozenset()
    apart: Mapping[str, str] = field(default_factory=dict)

    def short(self, url: str) -> str:
        return self.apart.get(url) or shortened(url)


def addresses_of(tree: SnapshotNode) -> Addresses:
    """What the links of a page lead to, as far as it tells them apart."""
    by_name: dict[str, set[str]] = defaultdict(set)
    by_short: dict[str, set[str]] = defaultdict(set)
    for node in walk(tree):
        if node.role == "link" and node.url:
            by_name[node.name].add(node.url)
            if len(node.url) > URL_LIMIT:
                by_short[shortened(node.url)].add(node.url)
    apart = {url: said for urls in by_short.values() if len(urls) > 1 for url, said in told_apart(urls).items() if said}
    return Addresses(frozenset(name for name, urls in by_name.items() if len(urls) > 1), apart)


def told_apart(urls: Collection[str]) -> dict[str, str]:
    """Long addresses by their start and the part that differs; nothing for scripts and data."""
    if any(url.startswith(("javascript:", "data:")) for url in urls):
        return {}
    same = _same_start(urls)
    end = _same_start([url[same:][::-1] for url in urls])
    found = {}
    for url in urls:
        start = max(url.rfind(sign, 0, same) for sign in "/?&#") + 1
        telling = url[start : len(url) - end] if start < len(url) - end else url[start:]
        head = url[: min(_START, start)]
        found[url] = f"{head}{'…' if len(head) < start else ''}{telling[:_TELLING]}…"
    return found


def _same_start(texts: Collection[str]) -> int:
    """How many characters all of these begin with in common."""
    low, high = min(texts), max(texts)
    return next((at for at, letter in enumerate(low) if letter != high[at : at + 1]), len(low))


def shortened(url: str) -> str:
    """An address over the limit without its query, and if it is still too long, without its middle; no scripts."""
    if url.startswith("javascript:"):
        return ""
    if len(url) <= URL_LIMIT:
        return url
    if url.startswith("data:"):
        return f"{url[:40]}…"
    try:
        base = urlsplit(url)._replace(query="", fragment="").geturl()
    except ValueError:
        base = url
    return f"{base}?…" if len(base) <= 100 else f"{base[:60]}…{base[-39:]}"
