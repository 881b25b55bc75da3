"""Each request that is held is decided on by what was allowed, and put on record before it leaves."""

import asyncio
import itertools
from dataclasses import dataclass, field, replace

import pytest

from app.agent.asking import Asking
from app.agent.control import Control, NeedsPerson
from app.agent.submitting import Submitting
from app.agent.transcript import Transcript
from app.domain.errors import StoreError
from app.domain.events import PersonAnswered, PersonAsked, StoredEvent, SubmissionKept, UserSaid
from app.domain.ids import ConversationId, ToolCallId
from app.domain.submissions import CameBack, Fields, Leaving, Submission
from app.guard.consent import Effect
from app.guard.decide import Refused
from tests.fakes.record import MemoryRecord

SITE = "https://shop.example"
ITEM: Fields = (("item", "mug"),)
ORDER = Effect("pay", "Place order", SITE, "POST", f"{SITE}/order", (("Item", "mug"),), sends=ITEM)
LEAVES = Leaving(1, "POST", f"{SITE}/order", "document", (*ITEM, ("csrf", "a")))
PLAIN = Leaving(1, "PUT", f"{SITE}/things/3", "fetch", (("title", "Buy milk"),))
_calls = (ToolCallId(f"call{number}") for number in itertools.count(1))


@dataclass
class Desk:
    record: MemoryRecord
    transcript: Transcript
    submitting: Submitting
    asked: list[PersonAsked] = field(default_factory=list)
    says: str = "yes"
    shown: list[StoredEvent] = field(default_factory=list)

    async def person(self, asked: PersonAsked) -> PersonAnswered:
        self.asked.append(asked)
        return PersonAnswered(asked.question_id, self.says)

    @property
    def records(self) -> tuple[Submission, ...]:
        return self.submitting.book.records

    async def press(self, effect: Effect = ORDER) -> Refused | None:
        """The agent's press, as far as it may come about."""
        call = next(_calls)
        refused = await self.submitting.may_press(effect, call)
        if refused is None:
            await self.submitting.begin(call, f"clicked {effect.control}")
        return refused

    async def leaves(self, leaving: Leaving = LEAVES) -> str:
        return await self.submitting.gatekeeper.may_leave(leaving)

    async def comes_back(self, status: int | None = 303, failure: str = "") -> None:
        await self.submitting.gatekeeper.came_back(CameBack(1, status, failure))

    async def ordered(self) -> None:
        """Once, as it should be."""
        await self.press()
        assert await self.leaves() == "followed"
        await self.comes_back()


async def desk(
    consent: str = "ask", *, attended: bool = True, record: MemoryRecord | None = None, name: str = "c"
) -> Desk:
    """With a record, another start of the program, in a conversation of that name."""
    kept = record or MemoryRecord()
    conversation = ConversationId(name)
    if record is None or name != "c":
        await kept.create(conversation, "test")
    transcript = Transcript(kept, conversation, await kept.events(conversation), lambda stored: None)
    one = Desk(kept, transcript, Submitting(transcript, time_scale=0.01))
    asking = Asking(transcript, Control(), attended=False, consent=consent)
    if attended:
        asking.reach = one.person
    one.submitting.attend(asking)
    return one


async def test_what_was_allowed_leaves_once_and_its_record_is_written_before_it() -> None:
    one = await desk()
    await one.press()
    assert one.records[0].state == "intended"
    assert await one.leaves() == "followed"
    stored = [event.event for event in await one.record.events(ConversationId("c"))]
    assert [event.submission.state for event in stored if isinstance(event, SubmissionKept)] == ["intended", "sent"]
    assert await one.leaves(replace(LEAVES, hold=2)) == "dropped", "a second one by the same press"
    assert len(one.asked) == 1


async def test_a_repeat_is_blocked_with_its_proof_and_asked_about_only_when_it_is_tried_once_more() -> None:
    one = await desk()
    await one.ordered()
    refused = await one.press()
    assert refused is not None
    assert "submitted already as s1" in refused.reason
    assert len(one.asked) == 1
    one.says = "no"
    assert await one.press() is not None
    assert "Something like it was submitted before: s1" in one.asked[-1].text
    assert ("s1 had Item", "mug") in one.asked[-1].about


async def test_a_request_that_no_button_promised_is_put_to_the_person_with_what_it_holds() -> None:
    one = await desk()
    one.says = "no"
    await one.submitting.begin(next(_calls), "clicked button “Next”")
    assert await one.leaves() == "dropped"
    assert ("Site", SITE) in one.asked[0].about
    assert ("item", "mug") in one.asked[0].about
    assert not any(name == "csrf" for name, _ in one.asked[0].about), "a token tells a person nothing"
    assert one.records[0].state == "denied"
    assert "Held back, not sent: POST" in one.submitting.book.news().held_back[0]


async def test_without_anybody_to_ask_it_is_not_sent_and_the_call_needs_the_person() -> None:
    one = await desk(attended=False)
    await one.submitting.begin(next(_calls), "clicked button “Next”")
    assert await one.leaves() == "dropped"
    with pytest.raises(NeedsPerson):
        await one.submitting.gatekeeper.decided()
    assert one.records[0].state == "denied"


async def test_a_page_that_changes_what_was_allowed_is_asked_about_even_when_yes_was_said_beforehand() -> None:
    one = await desk("yes")
    one.says = "no"
    await one.press()
    assert one.asked == []
    assert await one.leaves(replace(LEAVES, fields=(("item", "gold watch"),))) == "dropped"
    assert "The page changed what you allowed: item" in one.asked[0].text
    assert one.records[0].state == "denied"


async def test_what_cannot_be_put_on_record_does_not_leave() -> None:
    one = await desk()
    await one.press()
    full = StoreError("The disk is full.", fault="full", next_step="Free some space.")
    one.record.break_with(full)
    assert await one.leaves() == "dropped"
    with pytest.raises(StoreError):
        await one.submitting.gatekeeper.decided()


async def test_a_redirect_of_the_same_site_belongs_to_it_and_one_to_another_site_is_asked_about() -> None:
    one = await desk()
    await one.press()
    await one.leaves()
    await one.submitting.gatekeeper.came_back(CameBack(1, 307))
    assert await one.leaves(replace(LEAVES, hold=2, url=f"{SITE}/order/2", follows=1)) == "followed"
    secure = f"{SITE.replace('https', 'http')}/order/3"
    assert await one.leaves(replace(LEAVES, hold=4, url=secure, follows=2)) == "followed", "of the same site too"
    assert (len(one.records), one.records[0].requests) == (1, 3)
    one.says = "no"
    elsewhere = replace(LEAVES, hold=3, url="https://other.test/order", follows=2)
    assert await one.leaves(elsewhere) == "dropped"
    assert ("Site", "https://other.test") in one.asked[-1].about


async def test_an_unknown_one_is_checked_first_and_only_the_person_lets_it_happen_again() -> None:
    one = await desk()
    await one.press()
    await one.leaves()
    await one.comes_back(None, "ConnectionReset")
    assert one.records[0].state == "unknown"
    one.says = "check"
    refused = await one.press()
    assert refused is not None
    assert [label for _, label in one.asked[-1].choices] == [
        "Check first",
        "It did not happen: allow one",
        "Stop here",
    ]
    one.says = "yes"
    assert await one.press() is None
    assert await one.leaves(replace(LEAVES, hold=2)) == "followed"
    assert one.records[1].repeats == "s1"


async def test_nobody_is_asked_about_an_unknown_one_that_could_not_answer() -> None:
    one = await desk("yes", attended=False)
    await one.press()
    await one.leaves()
    await one.comes_back(500)
    refused = await one.press()
    assert refused is not None
    assert "it is not known whether" in refused.reason


async def test_after_a_crash_what_was_under_way_is_unknown_and_stays_blocked() -> None:
    before = await desk("yes")
    await before.press()
    await before.leaves()
    one = await desk("yes", attended=False, record=before.record)
    await one.submitting.book.recover()
    assert one.records[0].state == "unknown"
    assert await one.press() is not None
    assert "NOT KNOWN" in one.submitting.book.news().records[0]


async def test_what_the_person_does_is_never_held_up_and_is_known_again() -> None:
    one = await desk()
    one.submitting.situation.person_drives = lambda: True
    assert await one.leaves() == "passed", "there is no conversation yet that it could stand in"
    await one.transcript.add(UserSaid("order a mug"))
    one.submitting.situation.person_drives = lambda: True
    assert await one.leaves() == "followed"
    await one.comes_back()
    one.submitting.situation.person_drives = lambda: False
    assert one.records[0].actor == "person"
    await one.submitting.begin(next(_calls), "clicked button “Next”")
    assert await one.leaves(replace(LEAVES, hold=2)) == "dropped"
    assert one.asked == []


async def test_a_plain_change_passes_and_the_same_again_is_free_once_the_person_says_so_for_the_site() -> None:
    one = await desk()
    one.submitting.situation.note_typed("Buy milk")
    answers = (("no", "followed"), ("no", "dropped"), ("site", "followed"), ("no", "followed"))
    for number, (says, outcome) in enumerate(answers):
        await one.submitting.begin(next(_calls), f"clicked button “Save {number}”")
        one.says = says
        assert await one.leaves(PLAIN) == outcome
        await one.comes_back(200)
    assert len(one.asked) == 2


async def test_what_nobody_entered_is_the_page_s_own_way_of_working() -> None:
    one = await desk()
    for _ in range(3):
        await one.submitting.begin(next(_calls), "clicked button “One more”")
        assert await one.leaves(replace(PLAIN, method="PATCH", fields=(("by", "1"),))) == "passed"
    assert (one.asked, one.records) == ([], ())


async def test_a_page_that_sends_twice_by_one_press_sends_once() -> None:
    one = await desk()
    one.submitting.situation.note_typed("Buy milk")
    await one.submitting.begin(next(_calls), "clicked button “Save”")
    assert await one.leaves(PLAIN) == "followed"
    assert await one.leaves(replace(PLAIN, hold=2)) == "dropped"
    assert one.asked == []


async def test_what_was_entered_anew_since_is_meant_and_asked_about_at_once() -> None:
    one = await desk()
    one.submitting.situation.note_typed("mug")
    await one.ordered()
    one.submitting.situation.note_typed("mug")
    assert await one.press() is None
    assert "submitted before: s1" in one.asked[-1].text


async def test_a_page_that_sends_by_itself_what_was_sent_before_is_held_back() -> None:
    one = await desk()
    await one.ordered()
    await one.submitting.begin(next(_calls), "reloaded the page", presses=False)
    assert await one.leaves(replace(LEAVES, hold=2)) == "dropped"
    assert "Held back" in one.submitting.book.news().held_back[0]


async def test_what_came_of_no_press_counts_as_not_sent_and_may_be_tried_again() -> None:
    one = await desk("yes")
    await one.press()
    one.submitting.end()
    assert await one.press() is None
    assert one.records[0].state == "not_sent"


async def test_questions_and_a_page_s_own_business_never_wait_for_a_person() -> None:
    one = await desk()
    hears = asyncio.Event()

    async def person(asked: PersonAsked) -> PersonAnswered:
        hears.set()
        await asyncio.sleep(3600)
        return PersonAnswered(asked.question_id, "no")

    asking = Asking(one.transcript, Control(), attended=False)
    asking.reach = person
    one.submitting.attend(asking)
    await one.submitting.begin(next(_calls), "clicked button “Next”")
    waits = asyncio.create_task(one.leaves())
    await hears.wait()
    search = Leaving(2, "POST", f"{SITE}/search", "fetch", (("q", "mug"),))
    assert await asyncio.wait_for(one.leaves(search), 5) == "passed"
    waits.cancel()


async def test_what_is_unknown_in_another_conversation_is_checked_first_in_this_one_too() -> None:
    before = await desk()
    await before.press()
    await before.leaves()
    await before.comes_back(None, "ConnectionReset")
    one = await desk("yes", attended=False, record=before.record, name="another")
    refused = await one.press()
    assert refused is not None
    assert "s1 of an earlier conversation" in refused.reason
    lamp = replace(ORDER, fields=(("Item", "lamp"),), sends=(("item", "lamp"),))
    assert await one.press(replace(lamp, origin="https://other.test", action="https://other.test/order")) is None


async def test_what_was_allowed_for_one_call_is_not_spent_by_another() -> None:
    """It was allowed, but something came to lie over the button, which another call takes away first."""
    one = await desk()
    wanted = next(_calls)
    assert await one.submitting.may_press(ORDER, wanted) is None
    await one.submitting.begin(next(_calls), "clicked button “Close”")
    assert one.records == ()
    assert await one.submitting.may_press(ORDER, wanted) is None
    await one.submitting.begin(wanted, "clicked button “Place order”")
    assert [record.state for record in one.records] == ["intended"]
    assert len(one.asked) == 1


async def test_two_records_made_at_once_have_two_names() -> None:
    one = await desk()
    await one.press()
    other = replace(LEAVES, hold=2, url=f"{SITE}/api/messages", resource="fetch", fields=(("text", "hello"),))
    await asyncio.gather(one.leaves(), one.leaves(other))
    assert sorted(record.id for record in one.records) == ["s1", "s2"]


async def test_an_allowed_address_that_does_something_is_not_opened_again_in_other_spellings() -> None:
    one = await desk()
    delete = Effect("delete", "Delete", SITE, "GET", f"{SITE}/item/delete?id=5", ())
    await one.press(delete)
    opens = Leaving(1, "GET", f"{SITE}/item/delete?id=5", "document", (("id", "5"),))
    assert await one.leaves(opens) == "followed"
    await one.comes_back()
    for spelling in ("", "#x", "&y=1"):
        await one.submitting.begin(next(_calls), "opened an address", presses=False)
        assert await one.leaves(replace(opens, hold=2, url=opens.url + spelling)) == "dropped"
    assert await one.leaves(replace(opens, hold=3, url=f"{SITE}/item/delete?id=6")) == "passed"


async def test_a_question_that_nobody_can_answer_any_more_holds_nothing_up() -> None:
    one = await desk()
    control = Control()
    hears = asyncio.Event()

    async def person(asked: PersonAsked) -> PersonAnswered:
        hears.set()
        await asyncio.sleep(3600)
        return PersonAnswered(asked.question_id, "no")

    asking = Asking(one.transcript, control, attended=False)
    asking.reach = person
    one.submitting.attend(asking)
    await one.submitting.begin(next(_calls), "clicked button “Next”")
    waits = asyncio.create_task(one.leaves())
    await hears.wait()
    await control.stop()
    assert await asyncio.wait_for(waits, 5) == "dropped"
    await asyncio.wait_for(one.submitting.gatekeeper.decided(), 5)
    assert one.records[0].state == "denied"
