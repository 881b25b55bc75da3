"""Recorded conversations for the tests of the window."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from app.domain.events import (
    ActIntended,
    AssistantSaid,
    BrowserNoticed,
    ConversationStarted,
    Folded,
    HandedBack,
    ModelChosen,
    Paused,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    QuotePinned,
    RecordedEvent,
    Resumed,
    StoredEvent,
    SubmissionKept,
    TakenOver,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    TurnRejected,
    UserSaid,
    WarningRaised,
)
from app.domain.ids import BlobHash, ConversationId, DocumentId, ObservationId, QuoteId, SubmissionId, TabId, ToolCallId
from app.domain.messages import ToolCall, Usage, WireItems
from app.domain.observation import Observation, ShownAs
from app.domain.pages import NetworkWrite
from app.domain.records import ProgressWarning, Quote, Receipt, ReceiptStatus, TaskCard, TaskFact
from app.domain.submissions import Submission, SubmissionState

CONVERSATION = ConversationId("c1")
CARD = TaskCard("a lantern", ("look",), ("order",), (TaskFact("cheap", QuoteId("q1")),))
NOON = 1_772_452_800.0
SHOP = "https://harbour-lights.example/lanterns?sort=price"


def stored(events: Iterable[RecordedEvent], first: int = 1, step_seconds: float = 7.0) -> tuple[StoredEvent, ...]:
    return tuple(
        StoredEvent(CONVERSATION, seq, NOON + seq * step_seconds, event) for seq, event in enumerate(events, first)
    )


def started(demo: bool = False) -> ConversationStarted:
    return ConversationStarted("system", (), "chain", demo)


def said(text: str, *calls: tuple[str, str, str], step: int = 1) -> AssistantSaid:
    made = tuple(ToolCall(ToolCallId(call), name, arguments) for call, name, arguments in calls)
    wire = WireItems("openai-chat", "test-model", "{}")
    return AssistantSaid(step, text, made, "tool_calls" if calls else "end", Usage(), "openai", "test-model", wire)


def look(id: str = "o1", title: str = "Lanterns", shown_as: ShownAs = "whole", nodes: int = 34) -> Observation:
    return Observation(
        id=ObservationId(id),
        tab=TabId(1),
        document=DocumentId("d1"),
        url=SHOP,
        title=title,
        shown_as=shown_as,
        shown=f"page of {title}",
        tree=BlobHash("0" * 64),
        reading=BlobHash("1" * 64),
        fence="fence",
        nodes_shown=nodes,
        nodes_total=nodes + 12,
        next_ref=nodes + 1,
    )


def receipt(
    call: str,
    verb: str = "clicked",
    target: str = "button “Save”",
    status: ReceiptStatus = "confirmed",
    effect: str = "2 added, 1 changed",
) -> Receipt:
    return Receipt(ToolCallId(call), verb, target, status, effect, SHOP, "https://harbour-lights.example/basket")


def acted(call: str, made: Receipt, seen: Observation | None = None) -> ToolAnswered:
    return ToolAnswered(
        ToolCallId(call), "browser_click", f"{made.verb} {made.target}: {made.effect}", False, made, seen
    )


def quote(id: str = "q1", text: str = "The Sturdy Lantern costs $45.00 and ships in two days.") -> Quote:
    return Quote(QuoteId(id), text, "price and delivery", ObservationId("o1"), SHOP, "Lanterns", 12, NOON, "ab" * 32)


def asked(id: str = "k1", kind: str = "consent") -> PersonAsked:
    return PersonAsked(
        id,
        kind,  # type: ignore[arg-type]
        "This pays or orders something. Shall the agent press “Place order” on harbour-lights.example?",
        (("yes", "Allow once"), ("no", "Do not"), ("takeover", "I do it myself")),
        (
            ("Button", "Place order"),
            ("Site", "https://harbour-lights.example"),
            ("name", "Ada Example"),
            ("total", "$45.00"),
        ),
    )


def warning(rung: str = "warning") -> WarningRaised:
    return WarningRaised(
        ProgressWarning(
            rung,  # type: ignore[arg-type]
            "“Check stock” was pressed 3 times and the page stayed the same.",
            "Read the outcome back, try another way, or let the person take over.",
        )
    )


ANSWER = """The **Sturdy Lantern** is the cheapest that ships this week [q1].

| Lantern | Price | Ships in |
|---|---:|---|
| Sturdy | $45.00 | 2 days |
| Storm | $61.50 | 9 days |

- I put one into the basket
- the order is *not* sent; see [the basket](https://harbour-lights.example/basket)

```
total = 45.00
```
"""


def whole_errand(demo: bool = True) -> tuple[RecordedEvent, ...]:
    """One of every kind of event, in an order that could have happened."""
    return (
        started(demo),
        UserSaid("Find the cheapest lantern that ships this week, put one into the basket and get it ready to order."),
        ModelChosen("scripted", "demo", ""),
        said("I look at the shop first.", ("t1", "browser_navigate", '{"url": "https://harbour-lights.example"}')),
        acted("t1", receipt("t1", "went to", "harbour-lights.example", effect="the page loaded"), look()),
        said("", ("t2", "browser_snapshot", "{}")),
        ToolAnswered(ToolCallId("t2"), "browser_snapshot", "", False, observation=look("o2", "Lanterns", "changes")),
        said("", ("t3", "browser_find", '{"text": "ships"}')),
        ToolAnswered(ToolCallId("t3"), "browser_find", "3 places: Sturdy, Storm, Harbour", False),
        QuoteKept(quote()),
        QuoteKept(quote("q2", "灯台ランタンは二日で届きます。送料は無料で、日本全国どこへでもお届けします。")),
        QuotePinned(QuoteId("q1"), True),
        TaskCardKept(CARD, ToolCallId("t3")),
        ActIntended(ToolCallId("t4"), "clicking “Check stock”"),
        acted("t4", receipt("t4", "clicked", "button “Check stock”", "not_confirmed", "no visible effect")),
        acted("t5", receipt("t5", "clicked", "button “Check stock”", "contradicted", "another dialog opened")),
        warning("hint"),
        warning(),
        Paused(),
        Resumed(),
        TurnRejected("the answer was cut off before its end", "The cheapest lan", "test-model"),
        ToolAnswered(ToolCallId("t6"), "browser_click", "e17 is gone: its page is gone. Now: e31 “Save”.\nmore", True),
        Folded(((ObservationId("o1"), "o1 Lanterns"), (ObservationId("o2"), "o2 Lanterns, changes")), 42_000, 3_100),
        TakenOver("asked by the agent"),
        HandedBack("The address field now holds 12 characters.", "I signed in", look("o3", "Checkout")),
        BrowserNoticed("A dialog asked “Leave this page?” and was answered with no."),
        asked(),
        PersonAnswered("k1", "yes"),
        acted(
            "t7",
            Receipt(
                ToolCallId("t7"), "clicked", "button “Place order”", "confirmed", "the page changed to “Thank you”",
                "Checkout", "Thank you", "Ada", (NetworkWrite("POST", "https://harbour-lights.example/order", 303),),
            ),
        ),
        said(ANSWER),
        TurnEnded("partly", "Two of three things are done.", ("the invoice was not downloaded",)),
    )  # fmt: skip


def long_errand(events: int) -> tuple[RecordedEvent, ...]:
    """As many events as asked for, in the usual mixture."""
    return tuple(_endless(events))


def _endless(events: int) -> Iterator[RecordedEvent]:
    yield started()
    yield UserSaid("Read every page of the catalogue.")
    for place in count(1):
        for event in (
            said(f"Page **{place}** is next.", (f"t{place}", "browser_click", "{}"), step=place),
            acted(f"t{place}", receipt(f"t{place}", target=f"link “Page {place}”"), look(f"o{place}", f"Page {place}")),
            QuoteKept(quote(f"q{place}", f"Item {place} costs ${place}.00.")),
        ):
            yield event
            events -= 1
            if events <= 2:
                return


def submission(number: int = 1, state: SubmissionState = "settled", **more: Any) -> Submission:
    """An order that was sent by the call of the same number, as it stands in that state."""
    record = Submission(
        id=SubmissionId(f"s{number}"),
        state=state,
        consequence="pay",
        origin="https://harbour-lights.example",
        call=ToolCallId(f"t{number}"),
        control="Place order",
        method="POST",
        url="https://harbour-lights.example/order",
        shown=(("Name", "Ada Example"), ("Total", "$45.00")),
        requests=1,
        began_at=NOON,
        sent_at=NOON + 1,
        asked=True,
    )
    return replace(record, **more)


LOST = "no answer came (net::ERR_EMPTY_RESPONSE). The browser itself may have sent it more than once."


def broken_off(*records: Submission) -> tuple[RecordedEvent, ...]:
    """A conversation that ends while the calls of these submissions have no result."""
    calls = tuple((str(one.call), "browser_click", "{}") for one in records)
    begun = [(ActIntended(one.call, f"clicking “{one.control}”"), SubmissionKept(one)) for one in records if one.call]
    return (started(), UserSaid("Order it."), said("", *calls), *(event for pair in begun for event in pair))
