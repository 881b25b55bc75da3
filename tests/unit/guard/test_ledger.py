"""What a record may become, and what anything like it gets afterwards."""

from dataclasses import replace

import pytest

from app.domain.ids import SubmissionId
from app.domain.submissions import CameBack, Submission, SubmissionState
from app.guard.ledger import Claim, after_loss, became, outcome_of, verdict

NOW = 1_790_000_000.0
SITE = "https://shop.example"
FIELDS = (("item", "mug"), ("csrf", "a"))
SENT = Submission(
    SubmissionId("s1"),
    "sent",
    "pay",
    SITE,
    control="Place order",
    method="POST",
    url=f"{SITE}/order",
    shown=(("Item", "mug"),),
    sends=FIELDS,
    fields=FIELDS,
    sent_at=NOW,
)
REQUEST = Claim("pay", SITE, "POST", f"{SITE}/order", (("item", "mug"), ("csrf", "b")), is_request=True)
PRESS = Claim(
    "pay",
    SITE,
    "POST",
    f"{SITE}/order",
    (("Item", "mug"),),
    control="Place order",
    sends=(("item", "mug"), ("csrf", "c")),
)


def in_state(state: SubmissionState) -> Submission:
    return replace(SENT, state=state)


@pytest.mark.parametrize("claim", [REQUEST, PRESS], ids=["request", "press"])
@pytest.mark.parametrize(
    ("state", "answer"),
    [
        ("intended", "wait"),
        ("held", "wait"),
        ("sent", "wait"),
        ("answered", "done"),
        ("settled", "done"),
        ("unknown", "check"),
        ("refused", "ask"),
        ("denied", "free"),
        ("not_sent", "free"),
    ],
)
def test_the_same_again_gets_what_became_of_it_allows(state: SubmissionState, answer: str, claim: Claim) -> None:
    assert verdict([in_state(state)], claim, NOW).answer == answer


@pytest.mark.parametrize("claim", [REQUEST, PRESS], ids=["request", "press"])
@pytest.mark.parametrize(
    ("state", "answer"),
    [("settled", "ask"), ("unknown", "check"), ("sent", "wait"), ("refused", "free"), ("denied", "free")],
)
def test_much_the_same_is_put_to_the_person_once_it_was_sent(state: SubmissionState, answer: str, claim: Claim) -> None:
    more = (("gift", "yes please"),)
    record = replace(in_state(state), fields=(*FIELDS, *more), sends=(*FIELDS, *more), shown=(*SENT.shown, *more))
    assert verdict([record], claim, NOW).answer == answer


def test_another_thing_at_the_same_site_is_free_unless_one_like_it_may_have_happened() -> None:
    other = replace(REQUEST, fields=(("item", "lamp"),))
    assert verdict([in_state("settled")], other, NOW).answer == "free"
    assert verdict([in_state("unknown")], other, NOW).answer == "ask"
    assert verdict([in_state("unknown")], replace(other, origin="https://other.test"), NOW).answer == "free"


def test_the_newest_of_several_alike_counts() -> None:
    again = replace(in_state("settled"), id=SubmissionId("s2"))
    found = verdict([in_state("unknown"), again], REQUEST, NOW)
    assert (found.answer, found.record) == ("done", again)


def test_what_waits_for_an_answer_too_long_may_have_happened() -> None:
    assert verdict([SENT], REQUEST, NOW + 61).answer == "check"


@pytest.mark.parametrize(
    ("back", "state"),
    [
        (CameBack(1, 200), "answered"),
        (CameBack(1, 303), "answered"),
        (CameBack(1, 422), "refused"),
        (CameBack(1, 502), "unknown"),
        (CameBack(1, None, "ConnectionReset"), "unknown"),
        (CameBack(1, None, "ConnectionRefused", never_left=True), "not_sent"),
    ],
)
def test_the_end_of_a_request_says_no_more_than_is_known(back: CameBack, state: str) -> None:
    assert outcome_of(back)[0] == state


def test_a_failed_request_says_that_the_browser_may_have_sent_it_more_than_once() -> None:
    assert "more than once" in outcome_of(CameBack(1, None, "ConnectionReset"))[1]


def test_at_a_loss_what_was_under_way_is_unknown_and_what_is_known_stays() -> None:
    for state in ("intended", "held", "sent"):
        assert after_loss(in_state(state), "gone", NOW).state == "unknown"
    for state in ("settled", "refused", "denied", "not_sent", "answered"):
        assert after_loss(in_state(state), "gone", NOW).state == state


def test_no_record_takes_a_step_that_no_submission_takes() -> None:
    for state in ("denied", "not_sent", "settled"):
        with pytest.raises(ValueError, match="does not become sent"):
            became(in_state(state), "sent")
