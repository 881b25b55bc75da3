"""Pictures in the request: the newest lives, older ones go with the next fold, and never more than a few are sent."""

from dataclasses import replace

from app.context.request.folding import MOST_PICTURES, STUB_CAP, plan_fold
from app.context.request.projection import pictures_in_view, project
from app.context.request.view import live_ids, observations
from app.domain.events import ConversationStarted, Folded, RecordedEvent, StoredEvent, ToolAnswered, UserSaid
from app.domain.ids import BlobHash, ConversationId, ObservationId, ToolCallId
from app.domain.messages import PictureBlock, Request, ToolResultBlock, UserMessage
from app.domain.observation import Observation, PictureFacts
from tests.unit.context.test_projection import observation, said

FACTS = PictureFacts("viewport", 1280, 720, 1.0, 0, 0, 0, 0, "digest")


def answered(number: int, seen: Observation, name: str, picture: bool = False) -> ToolAnswered:
    blob = BlobHash(f"{number:064d}") if picture else None
    return ToolAnswered(ToolCallId(f"c{number}"), name, "done", False, None, seen, blob, "image/png" if blob else "")


def page(number: int, document: int) -> list[RecordedEvent]:
    return [said(number), answered(number, observation(number, 1, document, "whole"), "browser_navigate")]


def shot(
    number: int, document: int, facts: PictureFacts = FACTS, name: str = "browser_take_screenshot"
) -> list[RecordedEvent]:
    seen = replace(observation(number, 1, document, "partial", 0), shown=f"o{number} · picture", picture=facts)
    return [said(number), answered(number, seen, name, picture=True)]


def stored(*events: RecordedEvent) -> list[StoredEvent]:
    started = ConversationStarted("system", (), "chain")
    return [
        StoredEvent(ConversationId("c"), at, 0.0, one) for at, one in enumerate((started, UserSaid("go"), *events), 1)
    ]


def folded(events: list[StoredEvent]) -> list[StoredEvent]:
    """With the fold that is due, if any."""
    fold = plan_fold(events, "chain")
    return [*events, StoredEvent(ConversationId("c"), len(events) + 1, 0.0, fold)] if fold else events


def pictures_of(request: Request) -> list[str]:
    blocks = [block for one in request.messages if isinstance(one, UserMessage) for block in one.content]
    parts = [part for block in blocks if isinstance(block, ToolResultBlock) for part in block.content]
    return [part.label for part in parts if isinstance(part, PictureBlock)]


def sent(events: list[StoredEvent]) -> list[str]:
    return pictures_of(project(events, model="m", pictures=dict.fromkeys(pictures_in_view(events), b"png")))


def test_only_the_newest_picture_of_the_page_lives() -> None:
    events = stored(*page(1, 1), *shot(2, 1), *shot(3, 1))
    assert live_ids(list(observations(events))) == {ObservationId("o1"), ObservationId("o3")}


def test_a_picture_is_labelled_with_its_observation_and_its_size() -> None:
    assert sent(stored(*page(1, 1), *shot(2, 1))) == ["o2, 1280 × 720 pixels"]


def test_older_pictures_leave_with_the_page_they_were_of() -> None:
    events = folded(stored(*page(1, 1), *shot(2, 1), *shot(3, 1), *page(4, 2), said(5)))
    assert isinstance(events[-1].event, Folded)
    assert sent(events) == []
    text = repr(project(events, model="m"))
    assert "[o3, an older picture, folded: 1280 × 720 pixels · Page 1 · http://site.test/1" in text


def test_never_more_than_a_few_pictures_are_in_one_request() -> None:
    events = stored(*page(1, 1))
    for number in range(2, 12):
        events = folded([*events, *_numbered(events, shot(number, 1))])
        assert len(sent(events)) <= MOST_PICTURES
        assert sent(events)[-1] == f"o{number}, 1280 × 720 pixels"


def _numbered(events: list[StoredEvent], more: list[RecordedEvent]) -> list[StoredEvent]:
    return [StoredEvent(ConversationId("c"), len(events) + at, 0.0, one) for at, one in enumerate(more, 1)]


def test_between_two_folds_a_new_picture_moves_none_of_the_others() -> None:
    before = stored(*page(1, 1), *shot(2, 1))
    after = [*before, *_numbered(before, shot(3, 1))]
    assert plan_fold(after, "chain") is None
    assert sent(after)[: len(sent(before))] == sent(before)


def test_a_picture_that_only_another_model_saw_is_not_sent() -> None:
    report = replace(FACTS, report=True)
    assert sent(stored(*page(1, 1), *shot(2, 1, report, "look"))) == []


def test_an_older_report_leaves_a_line_that_says_what_was_there() -> None:
    report = replace(FACTS, report=True)
    asked, looked = shot(2, 1, report, "look")
    assert isinstance(looked, ToolAnswered)
    assert looked.observation is not None
    seen = replace(
        looked.observation, shown="o2 · picture\n[page f]\nblockers: none\npage context: A shop of lamps\n[end f]"
    )
    events = folded(stored(*page(1, 1), asked, replace(looked, observation=seen), *page(3, 2), said(4)))
    fold = events[-1].event
    assert isinstance(fold, Folded)
    (line,) = [text for name, text in fold.stubs if name == "o2"]
    assert line.startswith(
        "[o2, an older report, folded: 1280 × 720 pixels · Page 1 · http://site.test/1 · A shop of lamps"
    )
    assert line.endswith('recall(observation="o2") shows the report]')
    assert len(line) <= STUB_CAP
