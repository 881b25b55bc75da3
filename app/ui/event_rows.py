"""Which row shows an event that needs no other event to be understood."""

from app.domain.events import (
    BrowserNoticed,
    FileKept,
    Folded,
    HandedBack,
    ModelChosen,
    Paused,
    QuoteKept,
    RecordedEvent,
    Resumed,
    RoomWarned,
    Summarised,
    TakenOver,
    ToolAnswered,
    TurnRejected,
    UserSaid,
)
from app.domain.observation import Observation
from app.domain.providers import TITLES
from app.ui.rows import FileRow, FoldRow, LookRow, MarkerRow, QuoteRow, ReceiptRow, Row, ToolRow, UserRow, WithdrawnRow
from app.ui.state_words import sentence

_SHOWN_ELSEWHERE = ("keep_quote", "task_card", "ask_user")


def plain_rows(event: RecordedEvent, key: str, at: float) -> tuple[Row, ...]:
    """The rows of an event that is no call, question, warning or end of a turn."""
    match event:
        case UserSaid():
            return (UserRow(key, at, event.text),)
        case TurnRejected():
            return (WithdrawnRow(key, at, event.text, event.reason),)
        case QuoteKept():
            return (QuoteRow(key, at, event.quote),)
        case FileKept():
            return (FileRow(key, at, event.file),)
        case Folded():
            return (FoldRow(key, at, event.what, event.lines, event.characters_before, event.characters_after),)
        case HandedBack():
            return _rows_of_hand_back(event, key, at)
        case _:
            marker = _marker(event, key, at)
            return (marker,) if marker else ()


def tool_row(event: ToolAnswered, arguments: str, key: str, at: float) -> Row | None:
    """None for a call whose outcome stands in a row of its own already."""
    look = event.observation
    if event.receipt is not None:
        shown = f"{_how(look)}\n{look.shown}" if look is not None else ""
        return ReceiptRow(key, at, event.receipt, arguments, event.text, shown)
    if event.is_error:
        return ToolRow(key, at, event.name, True, arguments, event.text)
    if event.name in _SHOWN_ELSEWHERE:
        return None
    if event.picture is not None:
        return _picture_row(event, key, at)
    if look is not None and not event.text.strip():
        return _look_row(look, key, at)
    result = event.text if look is None else f"{event.text}\n{look.shown}"
    return ToolRow(key, at, event.name, False, arguments, result)


def _picture_row(event: ToolAnswered, key: str, at: float) -> MarkerRow:
    look = event.observation
    page = f"“{look.title}”" if look is not None and look.title else "the page"
    if event.asked_model:
        said = f"{event.text}\n{look.shown}" if look is not None else event.text
        return MarkerRow(key, at, "muted", "search", f"{event.asked_model} reported what is on {page}.", "", said)
    is_blind = look is not None and look.picture is not None and look.picture.report
    seen = "The model cannot see it" if is_blind else "The model looks at it"
    return MarkerRow(
        key, at, "muted", "search", f"Took a picture of {page}.", f"{seen}; this window cannot show it yet."
    )


def _rows_of_hand_back(event: HandedBack, key: str, at: float) -> tuple[Row, ...]:
    look = event.observation
    if not event.by_person:
        return (_look_row(look, key, at, event.text),) if look is not None else ()
    said = f"You said: {event.note}" if event.note else ""
    full = f"What the agent was told: {event.text}"
    marker = MarkerRow(key, at, "agent", "hand-back", "You handed back.", said, full)
    return (marker, _look_row(look, f"{key}-look", at)) if look is not None else (marker,)


def _marker(event: RecordedEvent, key: str, at: float) -> MarkerRow | None:
    match event:
        case TakenOver():
            words = "You took over. What you type into the page is not recorded."
            return MarkerRow(key, at, "person", "hand", words, sentence(event.reason))
        case BrowserNoticed():
            return MarkerRow(key, at, "muted", "globe", event.text, event.download.path if event.download else "")
        case RoomWarned():
            words = "The model’s room runs short; it was asked to note what it needs."
            return MarkerRow(key, at, "muted", "warning", words, "", event.text)
        case Summarised():
            words = "The beginning was summed up, so that the model can go on. Everything is still on record."
            return MarkerRow(key, at, "muted", "search", words, "", event.text)
        case Paused():
            return MarkerRow(key, at, "muted", "pause", "Paused.")
        case Resumed():
            return MarkerRow(key, at, "muted", "play", "Going on.")
        case ModelChosen():
            words = f"Answers come from {event.model} ({TITLES.get(event.provider, event.provider)})."
            is_script = event.provider == "scripted"
            return MarkerRow(key, at, "muted", "pilot", "A script answers." if is_script else words, event.base_url)
        case _:
            return None


def _look_row(look: Observation, key: str, at: float, text: str = "") -> LookRow:
    full = "\n\n".join(part for part in (text, look.shown) if part)
    return LookRow(key, at, look.title, look.url, _how(look), full)


def _how(look: Observation) -> str:
    shown, of_all = f"{look.nodes_shown:,}", f"{look.nodes_total:,}"
    elements = f"{of_all} elements" if look.nodes_total <= look.nodes_shown else f"{shown} of {of_all} elements"
    match look.shown_as:
        case "whole":
            return f"the page, {elements}"
        case "changes":
            return f"what changed, {elements}"
        case "same":
            return "nothing had changed"
        case "partial":
            return "a part of the page"
        case "recalled":
            return "an older page, as it was"
        case "file":
            return "a file"
        case "none":
            return "not shown to the model"
