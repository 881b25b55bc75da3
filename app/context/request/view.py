"""Which observations, results and quotes of a transcript are live, dead, or folded away."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from app.domain.events import AssistantSaid, Folded, HandedBack, QuoteKept, StoredEvent, Summarised, ToolAnswered
from app.domain.ids import DocumentId, ObservationId, QuoteId, TabId, ToolCallId
from app.domain.observation import Observation, ShownAs

RECORDS: frozenset[ShownAs] = frozenset(("recalled", "file"))
"""Nothing on these can be acted on, from the start."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation at its place in the transcript, with the line that says how it came about."""

    seq: int
    observation: Observation
    action: str


@dataclass(slots=True)
class OutOfView:
    """What no longer stands in the model's view, with what stands in its place."""

    pages: dict[ObservationId, str] = field(default_factory=dict)
    results: dict[ToolCallId, str] = field(default_factory=dict)
    calls: dict[ToolCallId, str] = field(default_factory=dict)
    quotes: set[QuoteId] = field(default_factory=set)
    upto: int = 0  # everything to this event is told in the summary
    summary: str = ""
    summed_up: str = ""  # the part of it that is not kept word for word

    def add(self, event: Folded | Summarised) -> None:
        if isinstance(event, Summarised):
            self.upto, self.summary, self.summed_up = event.upto, event.text, event.summed_up
            return
        self.pages.update(event.stubs)
        self.results.update(event.results)
        self.calls.update(event.calls)
        self.quotes.update(event.quotes)

    def has_page(self, seen: Seen) -> bool:
        return seen.seq <= self.upto or seen.observation.id in self.pages


def out_of_view(events: Sequence[StoredEvent]) -> OutOfView:
    """Everything that folds and summaries took out of the view."""
    found = OutOfView()
    for stored in events:
        if isinstance(stored.event, Folded | Summarised):
            found.add(stored.event)
    return found


@dataclass(frozen=True, slots=True)
class Edits:
    """What folds and summaries did to what was sent before: numbers of events.

    `bare` are the model's answers that cannot be replayed as they came: reasoning is bound to the exact prefix before
    it, so an edit takes it from all answers between itself and its fold. `newest` is the first event that the newest
    fold changed; all before it is sent as it was.
    """

    bare: frozenset[int] = frozenset()
    newest: int | None = None


def edits_of(events: Sequence[StoredEvent]) -> Edits:
    """What became of the answers in view."""
    found: set[int] = set()
    newest: int | None = None
    answers: list[int] = []
    place: dict[str, int] = {}
    for stored in events:
        event = stored.event
        if isinstance(event, AssistantSaid):
            answers.append(stored.seq)
            place.update({f"call {one.id}": stored.seq for one in event.calls})
        elif isinstance(event, ToolAnswered):
            place[f"result {event.call}"] = stored.seq
        elif isinstance(event, QuoteKept) and event.quote.by == "person":
            place[f"quote {event.quote.id}"] = stored.seq
        if isinstance(event, ToolAnswered | HandedBack) and event.observation is not None:
            place[f"page {event.observation.id}"] = stored.seq
        elif isinstance(event, Summarised):
            newest = 0
            found.update(answers)
        elif isinstance(event, Folded):
            newest = first = min((place[name] for name in _edited(event) if name in place), default=stored.seq)
            found.update(seq for seq in answers if seq >= first)
    return Edits(frozenset(found), newest)


def _edited(fold: Folded) -> Iterator[str]:
    yield from (f"page {name}" for name, _ in fold.stubs)
    yield from (f"result {name}" for name, _ in fold.results)
    yield from (f"call {name}" for name, _ in fold.calls)
    yield from (f"quote {name}" for name in fold.quotes)


def observations(events: Iterable[StoredEvent]) -> Iterator[Seen]:
    """Every observation the model was shown, in the order of the events."""
    for stored in events:
        event = stored.event
        if isinstance(event, ToolAnswered) and event.observation is not None:
            yield Seen(stored.seq, event.observation, action_of(event))
        elif isinstance(event, HandedBack) and event.observation is not None:
            yield Seen(stored.seq, event.observation, "")


def live_ids(seen: Sequence[Seen]) -> frozenset[ObservationId]:
    """The newest whole page of the current document of the active tab, and what came after it there.

    Everything else is dead: it can never act again. A page that was recalled is dead from the start; of pictures and
    reports of pictures only the newest lives.
    """
    now = newest(seen)
    if now is None:
        return frozenset()
    live: set[ObservationId] = set()
    has_picture = False  # only the newest picture can be acted on
    for item in reversed(seen):
        one = item.observation
        if one.shown_as in RECORDS or (one.tab, one.document) != (now.tab, now.document):
            continue
        if one.picture is not None:
            if has_picture:
                continue
            has_picture = True
        live.add(one.id)
        if one.shown_as == "whole":
            break
    return frozenset(live)


def newest(seen: Sequence[Seen]) -> Observation | None:
    """The newest look at a page that was not only recalled, and no file."""
    return next((one.observation for one in reversed(seen) if one.observation.shown_as not in RECORDS), None)


def last_answer(events: Sequence[StoredEvent]) -> int:
    """The number of the model's last answer; what came after it was not read yet, and stays for one request."""
    return next((one.seq for one in reversed(events) if isinstance(one.event, AssistantSaid)), 0)


def action_of(event: ToolAnswered) -> str:
    """How a result came about, in a few words."""
    if event.receipt is None:
        return event.name
    failed = " (failed)" if event.receipt.status == "failed" else ""
    return f"{event.receipt.verb} {event.receipt.target}".strip() + failed


@dataclass(frozen=True, slots=True)
class Chain:
    """The newest whole view of a document and the changes after it: their characters, and whether all is in view.

    `newest` is the last of them; a summary took the whole view along when it `is_summed_up`.
    """

    whole: int = 0
    after: int = 0
    links: int = 0
    in_view: bool = False
    is_summed_up: bool = False
    newest: ObservationId | None = None

    @property
    def is_long(self) -> bool:
        """Whether a new whole view serves the model better than one more change to the old one."""
        return self.links >= MOST_LINKS or self.after > max(MOST_AFTER * self.whole, LEAST_AFTER)


MOST_LINKS = 40
MOST_AFTER = 3
LEAST_AFTER = 12_000  # characters


def chain_of(events: Sequence[StoredEvent], tab: TabId, document: DocumentId) -> Chain:
    """What the model was shown of this document since its newest whole view."""
    out = out_of_view(events)
    after = links = 0
    in_view = True
    newest: ObservationId | None = None
    for item in observations(reversed(events)):
        one = item.observation
        if one.shown_as not in ("whole", "changes") or (one.tab, one.document) != (tab, document):
            continue
        newest = newest or one.id
        in_view = in_view and not out.has_page(item)
        if one.shown_as == "whole":
            return Chain(len(one.shown), after, links, in_view, item.seq <= out.upto, newest)
        after, links = after + len(one.shown), links + 1
    return Chain()
