"""What a tool hands back to the loop, and the words for it."""

from dataclasses import dataclass

from app.context.files.wording import download_text
from app.context.page.shield import page_words
from app.domain.messages import Usage
from app.domain.observation import Observation
from app.domain.pages import DialogAnswer, Happenings, Outcome, Picture, TabInfo
from app.domain.records import Receipt, ReceiptStatus


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one call: `text` for the model, then the observation's page."""

    text: str
    is_error: bool = False
    receipt: Receipt | None = None
    observation: Observation | None = None
    picture: Picture | None = None
    asked_model: str = ""
    asked_usage: Usage | None = None


def refusal(reason: str, way_on: str = "") -> str:
    """The one line of a refusal: reason first, then the way on."""
    return f"Not done: {reason.rstrip('.')}. {way_on}".rstrip()


def not_done(reason: str, way_on: str = "") -> Answer:
    """The answer of a refusal: nothing happened."""
    return Answer(refusal(reason, way_on), is_error=True)


NOTHING = Happenings()


def together(first: Happenings, then: Happenings) -> Happenings:
    """What was noticed in two spells, as one; what began in the first is told as it stood at the end."""
    later = {write.url for write in then.writes} | {download.url for download in then.downloads}
    return Happenings(
        new_tabs=first.new_tabs + then.new_tabs,
        closed_tabs=first.closed_tabs + then.closed_tabs,
        dialogs=first.dialogs + then.dialogs,
        answered=first.answered + then.answered,
        prints=first.prints + then.prints,
        downloads=tuple(one for one in first.downloads if one.path or one.url not in later) + then.downloads,
        writes=tuple(one for one in first.writes if one.status or one.url not in later) + then.writes,
        console_errors=first.console_errors + then.console_errors,
        file_chooser_open=then.file_chooser_open,
        crashed=first.crashed or then.crashed,
        told=first.told + then.told,
    )


def happenings_text(noticed: Happenings) -> str:
    """What the browser noticed during an act, for the model; empty when nothing did."""
    parts = [
        f"{write.method} {page_words(write.url)} → {_status(write.status, write.failure)}"
        for write in noticed.writes[:5]
    ]
    parts += [f"dialog “[{one.kind}] {page_words(one.message, 500)}”" for one in noticed.dialogs]
    parts += [download_text(one) for one in noticed.downloads]
    parts += [_answered(one) for one in noticed.answered]
    parts += [f"the page asked to print{_times(noticed.prints)}; nothing was printed"] if noticed.prints else []
    parts += [_new_tab(tab) for tab in noticed.new_tabs]
    parts += [f"tab {tab} closed" for tab in noticed.closed_tabs]
    if noticed.file_chooser_open:
        parts.append("a file chooser is open: answer it with browser_file_upload")
    if noticed.crashed and not any(told.startswith("the page crashed") for told in noticed.told):
        parts.append("the page crashed")
    parts += map(page_words, noticed.told)
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


def _answered(answer: DialogAnswer) -> str:
    how = "accepted" if answer.accepted else "dismissed"
    return f"the person {how} the {answer.dialog.kind} “{page_words(answer.dialog.message, 100)}”"


def _new_tab(tab: TabInfo) -> str:
    who = "the person opened tab" if tab.opened_by_person else "new tab"
    if tab.active:
        return f"{who} {tab.id}, the active one now"
    return f"{who} {tab.id} (browser_tabs selects it): “{page_words(tab.title)}” {page_words(tab.url)}"


def _times(count: int) -> str:
    return f" {count} times" if count > 1 else ""


def _same_value(now: str, wanted: str) -> bool:
    return " ".join(now.split()) == " ".join(wanted.split())


def _status(status: int | None, failure: str) -> str:
    if status is not None:
        return str(status)
    return failure or "no answer yet"
