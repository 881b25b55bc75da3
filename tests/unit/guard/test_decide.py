"""What may happen to a target is decided on facts read just now, and every refusal carries the way on."""

from dataclasses import replace

import pytest

from app.context.refs.meaning import probe_meaning
from app.domain.acts import Click, Hover, ScrollBy, TargetAct, Type
from app.domain.ids import DocumentId, Ref, TabId
from app.domain.observation import RefRecord
from app.domain.pages import Cover, FormFacts, Probe
from app.domain.snapshot import Mark, SnapshotNode
from app.guard.consent import Effect, effect_of
from app.guard.decide import Allowed, AskPerson, Refused, decide

FORM = FormFacts("POST", "https://shop.test/order", (("amount", "10"),))


def probe(
    name: str = "Save", role: str = "button", around: str = "", marks: tuple[Mark, ...] = (), **facts: object
) -> Probe:
    base = Probe(
        "ok",
        node=SnapshotNode(role, name, around=around, marks=marks, driver_ref="e3"),
        frame_url="https://shop.test/cart",
        visible=True,
        enabled=True,
    )
    return replace(base, **facts)  # type: ignore[arg-type]


def record(of: Probe) -> RefRecord:
    meaning = probe_meaning(of)
    assert meaning is not None
    return RefRecord(Ref("e7"), TabId(1), "", DocumentId("d1"), "e3", meaning)


def test_an_unchanged_usable_target_is_allowed() -> None:
    assert decide(record(probe()), probe(), Click(), None) == Allowed()


@pytest.mark.parametrize(
    ("now", "act", "kind", "says"),
    [
        (probe("Delete account"), Click(), "changed", 'now button "Delete account"'),
        (probe(role="link"), Click(), "changed", 'now link "Save"'),
        (probe(around="row of Bob"), Click(), "changed", "stands in “row of Bob”"),
        (probe(frame_url="https://evil.test/cart"), Click(), "changed", "evil.test"),
        (Probe("gone"), Click(), "gone", "no longer on the page"),
        (Probe("other_document"), Click(), "gone", "no longer on the page"),
        (Probe("other_tab"), Click(), "other_tab", "on tab 1"),
        (Probe("dialog_open"), Click(), "dialog", "a dialog is open"),
        (Probe("unresponsive"), Click(), "unresponsive", "does not answer"),
        (probe(visible=False), Click(), "invisible", "cannot be seen"),
        (probe(enabled=False), Click(), "disabled", "is disabled"),
        (probe(cover=Cover('dialog "Cookies"')), Click(), "covered", 'covered by dialog "Cookies"'),
        (probe(readonly=True), Type("x"), "readonly", "is read-only"),
        (probe(marks=("password",)), Type("hunter2"), "secret", "secrets are the person's"),
    ],
)
def test_anything_else_is_refused_with_its_reason(now: Probe, act: TargetAct, kind: str, says: str) -> None:
    decision = decide(record(probe()), now, act, None)
    assert isinstance(decision, Refused)
    assert decision.kind == kind
    assert says in decision.reason


def test_a_covered_or_hidden_target_may_still_be_scrolled_to() -> None:
    assert decide(record(probe()), probe(visible=False), ScrollBy(), None) == Allowed()


@pytest.mark.parametrize(
    ("name", "consequence"),
    [
        ("Place order", "pay"),
        ("Buy now", "pay"),
        ("Jetzt bestellen", "pay"),
        ("Send", "send"),
        ("Post comment", "send"),
        ("Delete account", "delete"),
        ("Sign up", "account"),
    ],
)
def test_consequential_buttons_are_asked_about_with_what_will_leave(name: str, consequence: str) -> None:
    wanted = probe(name, submits=True, form=FORM)
    decision = decide(record(wanted), wanted, Click(), None)
    assert isinstance(decision, AskPerson)
    assert decision.effect.consequence == consequence
    assert decision.effect.fields == (("amount", "10"),)
    assert decision.effect.origin == "https://shop.test"


def test_an_allowance_counts_only_for_exactly_the_same_effect() -> None:
    wanted = probe("Pay", submits=True, form=FORM)
    allowed = effect_of(wanted, Click())
    assert decide(record(wanted), wanted, Click(), allowed) == Allowed()
    dearer = probe("Pay", submits=True, form=replace(FORM, fields=(("amount", "1000"),)))
    assert isinstance(decide(record(dearer), dearer, Click(), allowed), AskPerson)
    elsewhere = probe("Pay", submits=True, form=replace(FORM, action="https://evil.test/order"))
    assert isinstance(decide(record(elsewhere), elsewhere, Click(), allowed), AskPerson)


@pytest.mark.parametrize(
    ("of", "act"),
    [
        (probe("Search", submits=True, form=replace(FORM, method="GET")), Click()),
        (probe("Delete", role="button"), Hover()),
        (probe("Sender", role="button"), Click()),
        (probe("Email", role="textbox", form=FORM), Type("x")),
        (probe("Send us a message", role="link", href="https://shop.test/contact"), Click()),
        (probe("", role="generic", words="How we send, share and post " * 4), Click()),
        (probe("Pay by card", role="radio", form=FORM), Click()),
        (probe("Continue", submits=True, form=replace(FORM, words="Your name")), Click()),
        (probe("Reply", role="textbox", tag="textarea"), Type("two\nlines")),
    ],
)
def test_harmless_acts_need_nobody(of: Probe, act: TargetAct) -> None:
    assert effect_of(of, act) is None


def test_enter_in_a_form_that_posts_is_judged_by_the_button_it_presses() -> None:
    field = probe("Amount", role="textbox", form=replace(FORM, submit_name="Pay now"))
    found = effect_of(field, Type("10", submit=True))
    assert isinstance(found, Effect)
    assert (found.consequence, found.control) == ("pay", "Pay now")


@pytest.mark.parametrize(
    ("of", "act", "consequence"),
    [
        (probe("Continue", words="Place order", submits=True, form=FORM), Click(), "pay"),
        (probe("Place order", submits=True, form=replace(FORM, method="GET")), Click(), "pay"),
        (probe("Delete", role="link", href="https://shop.test/cart#"), Click(), "delete"),
        (probe("Delete", role="link", submits=True, form=replace(FORM, method="DELETE")), Click(), "delete"),
        (probe("", role="generic", words="Buy now"), Click(), "pay"),
        (probe("Pl\u200bace \uff4frder"), Click(), "pay"),
        (probe("Buy now", role="button", tag="div"), Type("\n", slowly=True), "pay"),
        (probe("Amount", "textbox", form=replace(FORM, submit_name="Pay")), Type("1\n", slowly=True), "pay"),
        (probe("Message", "textbox", tag="textarea"), Type("hello", submit=True), "send"),
        (
            probe("Yes, I'm sure", submits=True, form=replace(FORM, action="https://a.test/1/delete/")),
            Click(),
            "delete",
        ),
        (probe("Continue", submits=True, form=replace(FORM, words="You will be charged $9")), Click(), "pay"),
        (probe("Go", submits=True, form=replace(FORM, fields=(("Action", "Delete all"),))), Click(), "delete"),
    ],
)
def test_a_harmless_name_role_or_way_of_pressing_hides_no_consequence(
    of: Probe, act: TargetAct, consequence: str
) -> None:
    found = effect_of(of, act)
    assert isinstance(found, Effect)
    assert found.consequence == consequence
