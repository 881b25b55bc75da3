"""The demo in the window, up to the last step that is the person's alone; the shop counts the orders."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from app.demo_site import DemoSite
from app.domain.events import QuoteKept, WarningRaised
from app.runtime.factories import Factories
from app.ui.opening import PICTURE_SIZE
from app.ui.rows import QuestionRow, QuoteRow, ReceiptRow, Row, WarningRow
from tests.e2e import stored
from tests.e2e.desk import Desk


def kinds_in_sight(desk: Desk) -> set[type[Row]]:
    """What kinds of rows can be seen whole without scrolling."""
    view = desk.window.chat.view
    top = view.scroll_bar.value()
    bottom = top + view.scroll_bar.pageStep()
    cards = zip(view.rows[view.column.first :], view.column.cards, strict=True)
    return {type(row) for row, card in cards if top <= card.y() and card.geometry().bottom() <= bottom}


@pytest.mark.timeout(90)
def test_the_demo_orders_once_and_only_after_the_person_has_allowed_it(
    open_desk: Callable[..., Desk], home: Path
) -> None:
    sites: list[DemoSite] = []

    def watched(made: Factories) -> Factories:
        def start(port: int) -> DemoSite:
            sites.append(made.start_practice_site(port))
            return sites[-1]

        return dataclasses.replace(made, start_practice_site=start)

    desk = open_desk(watched)
    desk.press(desk.welcome_button("demo"))
    desk.until(lambda: desk.question() and desk.state == "Waiting for you", "the question before the order")
    asked = desk.question().asked
    assert asked.question_kind == "consent"
    assert ("Button", "Place order") in asked.about
    assert sites[0].orders() == ()
    assert desk.window.top_bar.demo.isVisible()
    desk.window.resize(PICTURE_SIZE)
    desk.until(
        lambda: {QuoteRow, ReceiptRow, WarningRow, QuestionRow} <= kinds_in_sight(desk), "all of it in one picture"
    )

    desk.press_on_card("Allow once")
    desk.until(desk.end, "the end of the turn")
    assert (desk.end().end, desk.end().open_items) == ("done", ())
    (order,) = sites[0].orders()
    assert order.number in desk.answer()
    events = stored.events(home)
    assert desk.stored == events
    assert set(stored.results_per_call(events).values()) == {1}
    assert sum(isinstance(one.event, QuoteKept) for one in events) == 4
    assert any(isinstance(one.event, WarningRaised) for one in events)
