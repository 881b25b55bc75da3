"""Makes the receipt of what a call applied to the page, and the words in which the model reads it."""

import re
from dataclasses import dataclass
from typing import Literal

from app.agent.answers import NOTHING, happenings_text, refusal, status_of
from app.agent.ladder import SCROLLED, Effect, warning_line
from app.agent.observing import Seeing
from app.context.page.header import focus_of, scroll_of
from app.context.page.shield import page_words
from app.context.page.shown import Shown
from app.domain.ids import Ref, ToolCallId
from app.domain.pages import ActFault, Happenings, Outcome
from app.domain.records import ProgressWarning, Receipt
from app.guard.decide import Refused

SUBMITTED = "typed, then pressed enter in"
"""The verb of a text that was sent off: its field was read before Enter and may hold something else after it."""
_SENTENCE = re.compile(r"(?:The|A|It|There|This|Nothing) ")
_TOLD_BY_THE_PAGE = ("nothing else changed", "the page changed")
_VALUE = 2_000  # characters of a value or a reason that are told


@dataclass(frozen=True, slots=True)
class Applied:
    """One act as far as it got; `outcome` is None when it was refused and nothing was done."""

    verb: str
    target: str
    outcome: Outcome | None = None
    refused: Refused | None = None
    wanted: str | None = None
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Several:
    """What several acts of one call came to besides their outcomes; `surprise` is why the rest were not run."""

    unit: Literal["fields", "steps"] = "fields"
    noticed: Happenings = NOTHING
    surprise: str = ""


def receipt_of(
    call: ToolCallId,
    applied: tuple[Applied, ...],
    before: Seeing,
    after: Seeing,
    noticed: Happenings,
    effect: Effect,
    unit: str = "fields",
) -> Receipt:
    """Of several acts the first that did not work is told, else one whose field holds something else, else the last."""
    tried = tuple(one for one in applied if one.outcome or one.refused)
    main = next(filter(went_wrong, tried), next(filter(did_not_hold, tried), tried[-1]))
    done = sum(one.outcome is not None and not went_wrong(one) for one in tried)
    how_many = f"{done} {unit}" if done == len(applied) else f"{done} of {len(applied)} {unit}"
    outcome = main.outcome or Outcome("failed", main.refused.reason if main.refused else "")
    return Receipt(
        tool_call_id=call,
        verb=_told_verb(main) if len(applied) == 1 else "filled in" if unit == "fields" else "did",
        target=main.target if len(applied) == 1 else how_many,
        status=status_of(outcome, moved=_did_something(effect, noticed), wanted=main.wanted),
        effect=_effect(outcome, before, after, noticed, effect, at=main.target if len(applied) > 1 else ""),
        page_before=before.observation.url,
        page_after=after.observation.url,
        value_now=outcome.value_after if len(applied) == 1 and main.verb != SUBMITTED else None,
        writes=noticed.writes,
        dialogs=tuple(one.message for one in noticed.dialogs),
        downloads=noticed.downloads,
        new_tabs=tuple(tab.title or tab.url for tab in noticed.new_tabs),
    )


def result_text(
    applied: tuple[Applied, ...],
    receipt: Receipt,
    noticed: Happenings,
    *,
    new_page: bool,
    settled: bool,
    requests: int = 0,
    warning: ProgressWarning | None,
    surprise: str = "",
    submissions: tuple[str, ...] = (),
) -> str:
    """What the model reads of them: a line for each, what it submitted, what the browser noticed, and a warning."""
    lines = [_line(one, receipt, new_page=new_page) for one in applied[:1]]
    if len(applied) > 1:
        lines = [*_lines(applied, surprise), *_together(applied, receipt)]
    lines += submissions
    more = happenings_text(noticed)
    if more:
        lines.append(f"Noticed: {more}.")
    if noticed.console_errors and receipt.status in ("not_confirmed", "uncertain"):
        lines.append(_script_errors(noticed.console_errors))
    if not settled:
        running = f"{requests} request{'s' * (requests > 1)} still running" if requests else "it is still changing"
        lines.append(f"The page has not settled: {running}. Wait for it, or look again, before you rely on it.")
    if warning is not None:
        lines.append(warning_line(warning))
    return "\n".join(lines)


def _script_errors(errors: tuple[str, ...]) -> str:
    """Often the reason why nothing came of an act."""
    more = f" and {len(errors) - 1} more (browser_console_messages)" if len(errors) > 1 else ""
    return f"Error in the page's script: “{page_words(errors[0], 150)}”{more}."


def _lines(applied: tuple[Applied, ...], surprise: str) -> list[str]:
    """A line for each act that was tried, and one for all that were not."""
    lines = [_line(one, None, new_page=False) for one in applied if one.outcome or one.refused]
    left = [one.target for one in applied if not (one.outcome or one.refused)]
    if left:
        why = f"{surprise}; read the page first" if surprise else "the one before failed"
        lines.append(f"Not run, because {why}: {'; '.join(left)}.")
    return lines


def _together(applied: tuple[Applied, ...], receipt: Receipt) -> list[str]:
    """What came of all of them, where it is not said of one."""
    return (
        [] if any(map(went_wrong, applied)) or receipt.effect in _TOLD_BY_THE_PAGE else [f"In all: {receipt.effect}."]
    )


def fault_of(applied: tuple[Applied, ...]) -> ActFault | None:
    """The class of what stood in the way of the first that did not work."""
    for one in applied:
        if one.refused is not None:
            return one.refused.fault
        if one.outcome is not None and one.outcome.status != "done":
            return one.outcome.fault or ("failed" if one.outcome.status == "failed" else "timeout")
    return None


def beside_the_page(after: Seeing, applied: tuple[Applied, ...], noticed: Happenings) -> tuple[str, ...]:
    """What an act did that the page itself need not show, so that it is not taken for nothing.

    A scroll that moved is never the same again; all else is the same when it comes again.
    """
    found = [f"{SCROLLED}{after.observation.id}" for one in applied if one.outcome is not None and one.outcome.scrolled]
    found += [f"it holds {one.outcome.value_after}" for one in applied if one.outcome and one.outcome.value_after]
    found += [f"caret at {one.outcome.caret}" for one in applied if one.outcome and one.outcome.caret]
    found += [f"download {one.suggested_name}" for one in noticed.downloads]
    found += [f"new tab {tab.url}" for tab in noticed.new_tabs]
    found += ["closed a tab"] * len(noticed.closed_tabs) + ["opened a file chooser"] * noticed.file_chooser_open
    return tuple(found)


def is_new(before: Seeing, after: Seeing) -> bool:
    """Whether another document is shown than before."""
    return before.observation.document != after.observation.document


def _did_something(effect: Effect, noticed: Happenings) -> bool:
    return (
        effect.moved
        or effect.redrawn
        or bool(noticed.writes or noticed.downloads or noticed.new_tabs or noticed.prints)
        or noticed.file_chooser_open
    )


def _told_verb(one: Applied) -> str:
    """What was not done is not told as if it was."""
    failed = one.refused is not None or (one.outcome is not None and one.outcome.status == "failed")
    return f"not {one.verb}" if failed else one.verb


def went_wrong(one: Applied) -> bool:
    """Whether it did not do what it was for, as far as the browser knows."""
    return one.refused is not None or (one.outcome is not None and one.outcome.status != "done")


def did_not_hold(one: Applied) -> bool:
    """Whether its field holds something else than was wanted."""
    return one.outcome is not None and status_of(one.outcome, moved=True, wanted=one.wanted) == "contradicted"


def _effect(
    outcome: Outcome, before: Seeing, after: Seeing, noticed: Happenings, effect: Effect, *, at: str = ""
) -> str:
    """What came of it; `at` names the field of several that it is about."""
    if outcome.status == "failed":
        return f"stopped at {at}: {_why(outcome)}" if at else _why(outcome)
    if outcome.status == "uncertain":
        return f"it may or may not have happened: {_why(outcome)}"
    if outcome.reason and not effect.moved:
        return _why(outcome)
    if is_new(before, after):
        return f"the page is now “{page_words(after.observation.title or after.observation.url)}”"
    if after.look.dialog not in (None, before.look.dialog):
        return "a dialog opened, and the page waits for its answer"
    if effect.moved:
        return _moved(before, after)
    by_itself = "; only what changes by itself did" if effect.only_by_itself else ""
    nothing = "no visible effect" if outcome.value_after is None else "nothing else changed"
    return (_beside(before, after, noticed, redrawn=effect.redrawn) or nothing) + by_itself


def _beside(before: Seeing, after: Seeing, noticed: Happenings, *, redrawn: bool) -> str:
    """What an act did that left the text of the page as it was; empty when nothing is known of it."""
    if noticed.new_tabs:
        return "a new tab opened; this page did not change"
    if noticed.downloads:
        return "a download began; this page did not change"
    if noticed.file_chooser_open:
        return "the page asks for a file; nothing else changed"
    if noticed.prints:
        return "the page asked to print; it did not change"
    if noticed.writes:
        return "something was sent; this page did not change"
    if redrawn:
        return "what is drawn on the page changed; its text did not. A picture shows it"
    if scroll_of(before.look) != scroll_of(after.look):
        return "it scrolled; the text of the page did not change"
    if focus_of(before.shown.tree) != focus_of(after.shown.tree):
        return "no visible effect, except that the focus moved"
    return ""


def _moved(before: Seeing, after: Seeing) -> str:
    """A page that a dialog froze could not be read, so what changed is told against the page before it."""
    if before.look.dialog is not None and after.shown.shown_as == "same":
        return "the dialog is closed; the text of the page did not change"
    return _counts(after.shown, elsewhere=before.observation.url != after.observation.url)


def _counts(shown: Shown, *, elsewhere: bool) -> str:
    counts = {"added": shown.added, "removed": shown.removed, "changed": shown.changed, "moved": shown.moved}
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    only_the_address = elsewhere and shown.shown_as == "same"
    return told or ("only the address of the page changed" if only_the_address else "the page changed")


def _line(one: Applied, receipt: Receipt | None, *, new_page: bool) -> str:
    """`receipt` when it is the only act, which all that changed is told of."""
    if one.refused is not None:
        return refusal(_named(one.target, one.refused.reason), one.refused.way_on)
    outcome = one.outcome
    if outcome is None:
        return f"Not run: {one.target}."
    if outcome.status == "failed":
        return refusal(_named(one.target, _why(outcome)))
    if outcome.status == "uncertain":
        return f"Uncertain: {one.verb} {one.target}; {_why(outcome)}. It may have happened: check before any repeat."
    if outcome.value_after is not None and one.verb != SUBMITTED:
        page = f" {receipt.effect[0].upper()}{receipt.effect[1:]}." if receipt and new_page else ""
        now = f"“{page_words(outcome.value_after, _VALUE)}”" if outcome.value_after else "empty"
        but = f" But {_why(outcome)}." if outcome.reason else ""
        return f"{one.verb.capitalize()} {one.target}: it is now {now}.{but}{page}"
    http = f" HTTP {outcome.http_status}." if outcome.http_status is not None and outcome.http_status >= 400 else ""
    what = f"{one.verb.capitalize()} {one.target}".rstrip()
    why = _why(outcome) if outcome.reason else ""
    note = f" {why[0].upper()}{why[1:]}." if why and not (receipt and why in receipt.effect) else ""
    return f"{what}: {receipt.effect}.{http}{note}" if receipt else f"{what}.{http}{note}"


def _named(target: str, reason: str) -> str:
    """The reason with its target, unless it names it already or there is none."""
    return f"{target}: {reason}" if target and target not in reason else reason


def _why(outcome: Outcome) -> str:
    """Browsers and pages have their words in a reason: names of options, what lies over a target.

    It follows a colon, so a sentence of its own begins small.
    """
    words = page_words(outcome.reason, _VALUE).removeprefix("Nothing was sent: ").rstrip(".")
    return f"{words[:1].lower()}{words[1:]}" if _SENTENCE.match(words) else words
