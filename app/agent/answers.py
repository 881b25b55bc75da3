"""What a tool hands back to the loop, and the words for it."""

from dataclasses import dataclass

from app.context.page.shield import page_words
from app.domain.observation import Observation
from app.domain.pages import Download, Happenings, Outcome, Picture
from app.domain.records import Receipt, ReceiptStatus


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one call: `text` for the model, then the observation's page."""

    text: str
    is_error: bool = False
    receipt: Receipt | None = None
    observation: Observation | None = None
    picture: Picture | None = None


def refusal(reason: str, way_on: str = "") -> str:
    """The one line of a refusal: reason first, then the way on."""
    return f"Not done: {reason.rstrip('.')}. {way_on}".rstrip()


NOTHING = Happenings()


def together(first: Happenings, then: Happenings) -> Happenings:
    """What was noticed in two spells, as one; what began in the first is told as it stood at the end."""
    later = {write.url for write in then.writes} | {download.url for download in then.downloads}
    return Happenings(
        new_tabs=first.new_tabs + then.new_tabs,
        closed_tabs=first.closed_tabs + then.closed_tabs,
        dialogs=first.dialogs + then.dialogs,
        downloads=tuple(one for one in first.downloads if one.path or one.url not in later) + then.downloads,
        writes=tuple(one for one in first.writes if one.status or one.url not in later) + then.writes,
        console_errors=first.console_errors + then.console_errors,
        file_chooser_open=then.file_chooser_open,
        crashed=first.crashed or then.crashed,
    )


def happenings_text(noticed: Happenings) -> str:
    """What the browser noticed during an act, for the model; empty when nothing did."""
    parts = [
        f"{write.method} {page_words(write.url)} → {_status(write.status, write.failure)}"
        for write in noticed.writes[:5]
    ]
    parts += [f"dialog “[{one.kind}] {page_words(one.message, 500)}”" for one in noticed.dialogs]
    parts += [f"download {page_words(one.suggested_name)} {_how_far(one)}" for one in noticed.downloads]
    parts += [
        f"new tab {tab.id} (browser_tabs selects it): “{page_words(tab.title)}” {page_words(tab.url)}"
        for tab in noticed.new_tabs
    ]
    parts += [f"tab {tab} closed" for tab in noticed.closed_tabs]
    if noticed.file_chooser_open:
        parts.append("a file chooser is open: answer it with browser_file_upload")
    if noticed.crashed:
        parts.append("the page crashed")
    return "; ".join(parts)


def status_of(outcome: Outcome, *, moved: bool, wanted: str | None) -> ReceiptStatus:
    """How sure it is that the act did what it was for."""
    if outcome.status == "failed":
        return "failed"
    if outcome.status == "uncertain":
        return "uncertain"
    if outcome.value_after is not None:
        return "confirmed" if wanted is None or _same_value(outcome.value_after, wanted) else "contradicted"
    return "confirmed" if moved else "not_confirmed"


def _how_far(download: Download) -> str:
    if download.failure:
        return f"failed: {download.failure}"
    return f"({download.size_bytes} bytes)" if download.path else "began"


def _same_value(now: str, wanted: str) -> bool:
    return " ".join(now.split()) == " ".join(wanted.split())


def _status(status: int | None, failure: str) -> str:
    if status is not None:
        return str(status)
    return failure or "no answer yet"
