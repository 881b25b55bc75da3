"""What a request that leaves is for, judged by the request itself: its method, path, fields and files.

A site names its own paths, and this is no defence against the site. It is one against a model that was talked into
something: a site where an order matters names it so.
"""

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from app.domain.submissions import Consequence, Leaving, Submission
from app.guard.likeness import is_token

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "QUERY", "SEARCH"})

Class = Consequence | Literal["read", "upkeep"]
"""A "read" asks for something, "upkeep" is what a site does for itself; neither is put on record."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DOES: dict[Consequence, frozenset[str]] = {
    "delete": _set("delete deletes remove destroy erase purge trash discard cancel unsubscribe"),
    "pay": _set(
        "pay pays payment payments order orders purchase purchases buy donate donation donations transfer"
        " transfers book booking bookings reserve reservation reservations bid bids subscribe charge charges"
    ),
    "send": _set(
        "send sends sent message messages mail mails email emails publish tweet tweets comment comments reply replies"
        " post posts review reviews contact share invite invites invitation apply application applications ticket"
        " tickets submit report"
    ),
    "account": _set(
        "password signup register registration authorize authorise grant grants permission permissions role roles"
        " consent revoke"
    ),
}
_READS = _set(
    "search query filter filters find suggest suggestions autocomplete lookup preview estimate typeahead facet facets"
)
_UPKEEP = _set(
    "autosave draft drafts heartbeat keepalive ping presence telemetry metrics tracking collect beacon analytics rum"
    " pixel typing"
)
_LIKELY_READS = _set(
    "list page pages quote results count feed scroll load more next read seen view views calculate render translate"
    " sort"
)
_LIKELY_UPKEEP = _set(
    "cart basket bag wishlist compare events event sync cursor state preferences settings theme locale log logs metric"
    " track session refresh poll stat stats hit click clicks url gen"
)
"""What these say counts only while nothing is in it that somebody entered."""
_SEARCH_FIELDS = re.compile(
    r"^(?:q|query|search|search_?term|keywords?|term|filter.*|page|page_?(?:no|number|size|index)|per_?page|limit|offset"
    r"|cursor|sort\w*|order_?by|facets?.*)$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_ID = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f-]{30,}", re.IGNORECASE)
_MUTATION = re.compile(r"(?m)(?:^|\})\s*mutation\b")
_CARD = re.compile(r"card_?(?:number|no)|cardnumber|cvc|cvv|iban", re.IGNORECASE)


def class_of(leaving: Leaving, typed: Sequence[str] = ()) -> Class:
    """What the request is for as far as it says so itself; "other" is a change of no known consequence.

    `typed` are texts that somebody entered: what holds one is not taken for less than it may be.
    """
    if leaving.method in SAFE_METHODS:
        return "read"
    by_itself = _of_contents(leaving)
    if by_itself is not None:
        return by_itself
    steps = _steps(leaving.url)
    last = _words(steps[-1]) if steps else frozenset()
    near = frozenset().union(*(_words(step) for step in steps[-2:]))
    is_entered = holds(leaving, typed)
    if last & _READS or (last & _LIKELY_READS and not is_entered):
        return "read"
    for consequence, words in _DOES.items():
        if last & words:
            return consequence
    if leaving.method == "DELETE":
        return "delete"
    if near & _UPKEEP or (near & _LIKELY_UPKEEP and not is_entered):
        return "upkeep"
    return "read" if _asks(leaving) else "other"


def _of_contents(leaving: Leaving) -> Class | None:
    if leaving.files:
        return "upload"
    if any(_CARD.search(name) for name, _ in leaving.fields):
        return "pay"
    if leaving.has_secret:
        return "credentials"
    steps = _steps(leaving.url)
    if steps and "graphql" in "".join(steps[-2:]).lower():
        return _of_operations(leaving)
    called = dict(leaving.fields).get("method", "")
    return _of_name(called) if "jsonrpc" in dict(leaving.fields) else None


def _of_operations(leaving: Leaving) -> Class:
    """Of several operations the one that changes something counts; one without its text goes by its name."""
    texts = [value for name, value in leaving.fields if name.rpartition(".")[2] == "query" and value]
    named = [value for name, value in leaving.fields if name.rpartition(".")[2] == "operationName"]
    changing = [text for text in texts if _MUTATION.search(text)]
    if changing:
        found = re.search(r"mutation[^{]*\{\s*(\w+)", changing[0])
        of = _of_name(found[1] if found else "")
        return "other" if of == "read" else of
    if texts:
        return "read"
    return (
        "read" if any(re.match(r"(?:get|list|search|fetch|query)", name, re.IGNORECASE) for name in named) else "other"
    )


def _of_name(name: str) -> Class:
    words = _words(name)
    if words & (_READS | {"get", "fetch"}):
        return "read"
    return next((one for one, known in _DOES.items() if words & known), "other")


def _asks(leaving: Leaving) -> bool:
    """Whether it holds nothing but what a search or a page of a list is asked with."""
    named = [name.rpartition(".")[2] for name, value in leaving.fields if value and not is_token(name)]
    return bool(named) and all(_SEARCH_FIELDS.match(name) for name in named)


def _steps(url: str) -> list[str]:
    """The steps of a path that name something, without ids."""
    return [step for step in urlsplit(url).path.split("/") if step and not _ID.fullmatch(step)]


def _words(text: str) -> frozenset[str]:
    return frozenset(part.lower() for part in _PARTS.findall(text))


def belongs_to(record: Submission, leaving: Leaving, kind: Class) -> bool:
    """Whether this request is what was allowed: at the same site, and no question of the page beside it."""
    if not is_same_site(record.origin, leaving.url):
        return False
    if leaving.method in SAFE_METHODS:
        return leaving.resource == "document" and (record.method == "GET" or names_an_act(leaving.url))
    return leaving.resource == "document" or kind not in ("read", "upkeep") or (kind == "read" and not _asks(leaving))


def is_same_site(one: str, other: str) -> bool:
    """Whether two addresses are of one host, or of hosts below one name."""
    first, second = urlsplit(one).hostname or "", urlsplit(other).hostname or ""
    below = [host.split(".")[-2:] for host in (first, second)]
    return first == second or (below[0] == below[1] and not first.replace(".", "").isdigit())


def is_same_address(one: str, other: str) -> bool:
    """Whether the other address is the first one, with more behind it at most."""
    first, second = urlsplit(one), urlsplit(other)
    is_place = (first.scheme, first.netloc, first.path) == (second.scheme, second.netloc, second.path)
    return is_place and set(parse_qsl(first.query)) <= set(parse_qsl(second.query))


def is_worth_a_record(leaving: Leaving, typed: Sequence[str]) -> bool:
    """Of changes without a known consequence: forms, what is sent without an answer, what somebody entered."""
    if leaving.resource == "ping":
        return is_same_site(leaving.page_url, leaving.url) or holds(leaving, typed)
    return leaving.resource == "document" or leaving.method == "DELETE" or holds(leaving, typed)


def holds(leaving: Leaving, typed: Sequence[str]) -> bool:
    """Whether one of these texts is in it."""
    held = " ".join(value for _, value in leaving.fields) + leaving.words
    return any(text in held for text in typed)


def names_an_act(url: str) -> bool:
    """Whether a plain address says that opening it does something, as sites should never have it."""
    last = _steps(url)[-1:]
    words = frozenset().union(*(_words(one) for one in last), _words(urlsplit(url).query))
    return bool(words & (_DOES["delete"] | {"pay", "buy", "order", "send", "publish", "confirm", "approve", "accept"}))
