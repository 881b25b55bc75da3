"""What a model or a page wrote, made fit to be shown: nothing hidden in it stays hidden, links are judged by scheme."""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST = 60_000
LONGEST_TIP = 400
DEEPEST_QUOTE = 12
_SUSPECT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_TAG = re.compile("<|&(?=lt;)")
_JOINERS = "\u200c\u200d"
_DEEP_QUOTE = re.compile(rf"(?m)^[ \t]*(?:>[ \t]*){{{DEEPEST_QUOTE},}}")
_DEEP_LIST = re.compile(r"(?m)^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+){6,}")


@dataclass(frozen=True, slots=True)
class Link:
    """A web address a person may go to; `host` is what they must be able to check."""

    url: str
    scheme: str
    host: str


def shown(text: str, longest: int = LONGEST) -> str:
    """The text with control, bidi and zero-width characters made visible, cut where it is too long to lay out."""
    whole = _SUSPECT.sub(_named, text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(whole) <= longest:
        return whole
    return f"{whole[:longest]}\n\n… {len(whole) - longest:,} more characters are kept in the record."


def plain_tip(text: str) -> str:
    """For a tool tip, which Qt reads as markup by itself when it begins like some: a mark nobody sees prevents that."""
    return _TAG.sub("\\g<0>\u2060", shown(text, LONGEST_TIP))


def calm_markdown(text: str) -> str:
    """Markdown whose nesting cannot make the layout slow."""
    return _DEEP_LIST.sub("- ", _DEEP_QUOTE.sub("> ", text))


def web_link(url: str) -> Link | None:
    """None for everything that is not plain http or https with a host."""
    cleaned = url.strip()
    if _SUSPECT.search(cleaned) or "\\" in cleaned:
        return None
    try:
        parts = urlsplit(cleaned)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    plain = _ascii_host(host)
    return Link(cleaned, parts.scheme, f"{plain}:{port}" if port else plain)


def host_of(url: str) -> str:
    """The host for a line of text; the address itself where there is none."""
    link = web_link(url)
    return link.host if link else shown(url, 80)


def _ascii_host(host: str) -> str:
    """Letters of other scripts as punycode, so that a look-alike cannot pass for the real one."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return "".join(letter if letter.isascii() else f"⟨{ord(letter):04X}⟩" for letter in host)


def _named(match: re.Match[str]) -> str:
    mark = match.group()
    if mark in _JOINERS and _joins(match.string, match.start()):
        return mark
    return f"⟨U+{ord(mark):04X}⟩"


def _joins(text: str, at: int) -> bool:
    """A joiner is honest between parts of an emoji and inside scripts that need it."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or not after:
        return False
    return all(_wants_joiner(letter) for letter in (before, after))


def _wants_joiner(letter: str) -> bool:
    if letter == "\ufe0f" or unicodedata.category(letter) in ("So", "Sk", "Mn", "Mc"):
        return True
    return unicodedata.bidirectional(letter) == "AL" or 0x0900 <= ord(letter) <= 0x0DFF
