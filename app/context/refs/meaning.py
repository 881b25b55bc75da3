"""What a ref means: role, name, what tells it apart, address of its frame; computed alike at a look and at a probe."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from app.context.page.shield import page_words
from app.domain.observation import Meaning
from app.domain.pages import Probe
from app.domain.snapshot import FrameInfo, SnapshotNode

_PREFIX = re.compile(r"((?:f\d+)?)e\d+")
_SECONDS = re.compile(r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:\s?[ap]\.?m\.?)?\b", re.IGNORECASE)
_RUNNING_OUT = r"left|remaining|expires?|ends?|elapsed|reserved|to go|noch|übrig|reste|quedan|faltan"
_COUNTDOWN = re.compile(
    rf"(?P<before>\b(?:{_RUNNING_OUT})\b\D{{0,20}})\d{{1,2}}:\d{{2}}\b|\b\d{{1,2}}:\d{{2}}(?P<after>\D{{0,12}}\b(?:{_RUNNING_OUT})\b)",
    re.IGNORECASE,
)
_IN_SECONDS = re.compile(
    r"\b(?:in|after)\s+\d+\s?(?:s|secs?|seconds?)\b|\b\d+\s?(?:s|secs?|seconds?)\s+(?:left|remaining)\b", re.IGNORECASE
)
_AGO = re.compile(
    r"\b(?:just now|a moment ago|moments ago)\b"
    r"|\b(?:\d+|an?|a few)\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\.?\s+(?:ago|left|remaining)\b"
    r"|\b(?:expires?|ends?|again|resend|retry|refresh(?:es|ed)?|updated?)\s+in\s+\d+\s?(?:s|secs?|seconds?|m|mins?|minutes?)\b"
    r"|\bvor\s+\d+\s?(?:s|Sek\w*|Min\w*|Std\w*|Stunden?|Tag\w*)\b"
    r"|\bil y a\s+\d+\s?\w+\b|\bhace\s+\d+\s?\w+\b|\bhá\s+\d+\s?\w+\b|\b\d+\s?\w+\s+fa\b"
    r"|\d+\s?(?:秒|分|分钟|分鐘|時間|小时|小時|日|天)(?:前|後|后)",
    re.IGNORECASE,
)
_ROUTE = re.compile(r"!?/[^?#]*")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_PARTS, _LEADS = " | ", "→ "  # as the page script writes them
_SHOWN = 60  # characters of what stands around
_REMEMBERED = 20_000  # texts: the same ones come back at every look


def meaning_of(node: SnapshotNode, frames: Iterable[FrameInfo]) -> Meaning:
    """The meaning of a node of a look; the frame is told by the prefix of its driver ref."""
    prefix = frame_prefix(node.driver_ref)
    url = next((frame.url for frame in frames if frame.prefix == prefix), "")
    return meaning(node, url)


def probe_meaning(probe: Probe) -> Meaning:
    """The meaning of a target as it is now, equal to that of the look while nothing changed; a gone one has none."""
    if probe.node is None:
        return Meaning("", "")
    return meaning(probe.node, probe.frame_url, probe.href)


def meaning(node: SnapshotNode, frame_url: str, href: str = "") -> Meaning:
    """A link that leads somewhere means the same on every route of its frame; anything else also means its route."""
    name = steady_name(node.name) or node.name
    leads = node.role == "link" and leads_elsewhere(node.url or href, frame_url)
    path = "" if leads else frame_path(frame_url)
    return Meaning(node.role, name, stable(node.around), path)


def difference(then: Meaning, now: Meaning) -> str:
    """In what a thing of the same role and name is another one; words of the page are shielded."""
    if then.around == now.around:
        shows, showed = page_words(now.frame_path) or "another page", page_words(then.frame_path) or "its old page"
        return f"in a frame that shows {shows} instead of {showed}"
    stood, stands = _apart(then.around, now.around), _apart(now.around, then.around)
    if stood.startswith(_LEADS) or stands.startswith(_LEADS):
        return f"bound for another address: {_from_to('led to', stood, 'leads to', stands)}"
    return f"in another place: {_from_to('stood in', stood, 'stands in', stands)}"


def _from_to(did: str, then: str, does: str, now: str) -> str:
    was, is_now = (page_words(one.removeprefix(_LEADS), _SHOWN) for one in (then, now))
    before = f"it {did} “{was}”" if was else ""
    after = f"it {does} “{is_now}” now" if is_now else ""
    return ", ".join(filter(None, (before, after)))


def _apart(around: str, other: str) -> str:
    """The parts of what stands around a thing that do not stand around the other."""
    beside = other.split(_PARTS)
    return _PARTS.join(part for part in around.split(_PARTS) if part not in beside)


def frame_prefix(driver_ref: str) -> str | None:
    """The driver's prefix of the frame a node is in ("" for the first main document, "f1" …); None without a ref."""
    found = _PREFIX.fullmatch(driver_ref)
    return found[1] if found else None


def frame_path(url: str) -> str:
    """Host and path of an address, without what a page changes while it stays the same: query, fragment but a route."""
    if url.startswith("data:"):
        return "data:"
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    route = _ROUTE.match(parts.fragment)
    return f"{parts.netloc}{parts.path}{'#' + route[0] if route else ''}"


@lru_cache(_REMEMBERED)
def steady_name(text: str) -> str:
    """A name without what counts by the second, so that a button that tells the time can be acted on at all."""
    if not any(character.isdigit() for character in text):
        return text
    text = _SECONDS.sub(" ", text)
    text = _COUNTDOWN.sub(lambda found: found["before"] or found["after"] or "", text)
    return _SPACE.sub(" ", _IN_SECONDS.sub(" ", text)).strip()


@lru_cache(_REMEMBERED)
def stable(text: str) -> str:
    """A text without the parts that change by themselves: clocks with seconds, countdowns, "3 s ago"."""
    text = _HALF_CHARACTER.sub("\ufffd", text)
    if any(character.isdigit() for character in text) or " now" in text or " ago" in text:
        text = _SECONDS.sub(" ", text)
        text = _COUNTDOWN.sub(lambda found: found["before"] or found["after"] or "", text)
        text = _AGO.sub(" ", text)
    return _SPACE.sub(" ", text).strip()


def leads_elsewhere(url: str, frame_url: str) -> bool:
    """Whether a link with this address is left to the browser: not to a place on its own page, not to a script."""
    here = frame_url.partition("#")[0]
    same_place = url.startswith("#") or (here and url.startswith(f"{here}#"))
    return bool(url) and not same_place and not url.lower().startswith("javascript:")
