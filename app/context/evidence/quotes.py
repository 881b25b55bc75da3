"""The quotes of a conversation: which are kept, which are pinned, which leave the model's view when it is full."""

from collections.abc import Collection, Sequence
from urllib.parse import urlsplit, urlunsplit

from app.context.evidence.wording import comparable, flat
from app.context.page.shield import fenced, page_words, shield_text
from app.domain.events import QuoteKept, QuotePinned, StoredEvent
from app.domain.ids import QuoteId
from app.domain.records import Quote

TOTAL_CAP = 16_000  # characters of all quotes in view
COUNT_CAP = 32

_TRACKING = ("utm_", "mc_", "pk_", "mtm_", "hsa_", "_hs", "at_custom")
_TRACKING_NAMES = frozenset(
    {"gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "igsh"}
    | {"li_fat_id", "srsltid", "_ga", "_gl", "_openstat", "vero_id", "oly_anon_id", "oly_enc_id", "s_cid", "wickedid"}
)


def kept_quotes(events: Sequence[StoredEvent]) -> tuple[Quote, ...]:
    """Every quote that was ever kept, oldest first; none is ever lost."""
    return tuple(one.event.quote for one in events if isinstance(one.event, QuoteKept))


def pinned_ids(events: Sequence[StoredEvent]) -> frozenset[QuoteId]:
    """The quotes that the person keeps in view; the newest word about each counts."""
    said = {one.event.quote: one.event.pinned for one in events if isinstance(one.event, QuotePinned)}
    return frozenset(name for name, pinned in said.items() if pinned)


def leaving(
    kept: Sequence[Quote],
    pinned: Collection[QuoteId],
    already_out: Collection[QuoteId],
    *,
    characters: int = TOTAL_CAP,
    count: int = COUNT_CAP,
) -> tuple[QuoteId, ...]:
    """The quotes that must leave the view at the next fold, oldest first and each whole; a pinned one never does."""
    in_view = [quote for quote in kept if quote.id not in already_out]
    left, size = len(in_view), sum(len(quote.text) for quote in in_view)
    out: list[QuoteId] = []
    for quote in in_view:
        if left <= count and size <= characters:
            break
        if quote.id not in pinned:
            out.append(quote.id)
            left, size = left - 1, size - len(quote.text)
    return tuple(out)


def held(text: str, url: str, kept: Sequence[Quote]) -> Quote | None:
    """The kept quote of the same page that says this already, alone or with more around it."""
    wanted, coarse, page = comparable(text).text, flat(text), page_address(url)
    likely = (quote for quote in kept if page_address(quote.url) == page and coarse in flat(quote.text))
    return next((quote for quote in likely if any(comparable(quote.text).places_of(wanted))), None)


def quote_of(text: str, kept: Sequence[Quote]) -> Quote | None:
    """The newest kept quote that says this, of whatever page."""
    wanted = comparable(text).text
    return next((quote for quote in reversed(kept) if any(comparable(quote.text).places_of(wanted))), None)


def marked_text(quote: Quote) -> str:
    """What the model reads of a quote that the person kept: the page's words, fenced and without anything to act on."""
    fence = quote.digest[:6]
    source = f"“{page_words(quote.title)}” {page_words(quote.url)} ({quote.observation})"
    head = f"The person marked this on {source} and kept it as [{quote.id}]; cite it as [{quote.id}]:"
    return f"{head}\n{fenced(shield_text(quote.text, fence), fence)}"


def page_address(url: str) -> str:
    """The address of a page without what only says where its reader came from."""
    parts = urlsplit(url)
    query = "&".join(piece for piece in parts.query.split("&") if piece and not _is_tracking(piece))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, parts.fragment))


def _is_tracking(piece: str) -> bool:
    name = piece.partition("=")[0].casefold()
    return name in _TRACKING_NAMES or name.startswith(_TRACKING)
