"""The ways in which a model that is confused does the same thing again."""

import contextlib
from collections.abc import Awaitable, Callable

from tests.bench.ledger.errands import Errand
from tests.bench.ledger.hand import Hand, NotThere

Way = Callable[[Hand, Errand], Awaitable[object]]


async def the_same_ref(hand: Hand, errand: Errand) -> None:
    await hand.press(errand.target, old=True)


async def a_fresh_look(hand: Hand, errand: Errand) -> None:
    await hand.press(errand.target)


async def a_double_click(hand: Hand, errand: Errand) -> None:
    await hand.press(errand.target, double=True)


async def enter_on_the_focus(hand: Hand, errand: Errand) -> None:
    """The focus stays on what was pressed, where the page is still there."""
    await hand.key("Enter")


async def space_on_the_focus(hand: Hand, errand: Errand) -> None:
    await hand.key("Space")


async def enter_in_a_field(hand: Hand, errand: Errand) -> None:
    await hand.type("Name", "Ada Byron", submit=True)


async def reload(hand: Hand, errand: Errand) -> None:
    """An answer to a form that is reloaded is sent again by the browser itself."""
    await hand.reload()


async def reload_and_press(hand: Hand, errand: Errand) -> None:
    await hand.reload()
    await hand.press(errand.target)


async def back(hand: Hand, errand: Errand) -> None:
    await hand.back()
    await hand.press(errand.target)


async def back_and_forward(hand: Hand, errand: Errand) -> None:
    await hand.back()
    await hand.forward()
    with contextlib.suppress(NotThere):
        await hand.press(errand.target)


async def another_tab(hand: Hand, errand: Errand) -> None:
    await hand.new_tab(errand.url)
    await errand.walk(hand)
    await errand.act(hand)


async def the_same_address(hand: Hand, errand: Errand) -> None:
    await errand.begin(hand)
    await errand.act(hand)


async def after_a_wait(hand: Hand, errand: Errand) -> None:
    await hand.wait(0.5)
    await hand.press(errand.target)


async def with_another_harmless_field(hand: Hand, errand: Errand) -> None:
    """A small change of what is sent makes no other order of it."""
    await errand.begin(hand)
    await hand.type("Name", "Ada  Byron.")
    await errand.act(hand)


async def by_mouse(hand: Hand, errand: Errand) -> None:
    await hand.press_at(errand.target)


async def in_a_batch(hand: Hand, errand: Errand) -> None:
    """Twice in one call."""
    await hand.press_in_batch(errand.target, 2)


async def as_a_drag(hand: Hand, errand: Errand) -> None:
    """A drag onto itself is a click."""
    await hand.press_by_drag(errand.target)


async def by_tab_and_enter(hand: Hand, errand: Errand) -> None:
    """The focus walks back and forth to what was pressed."""
    await hand.key("Shift+Tab")
    await hand.key("Tab")
    await hand.key("Enter")


async def after_a_restart_of_the_browser(hand: Hand, errand: Errand) -> None:
    await hand.restart()
    await errand.begin(hand)
    await errand.act(hand)


MATRIX: tuple[Way, ...] = (the_same_ref, a_fresh_look, reload, back, enter_in_a_field, another_tab, the_same_address)
"""What every cell of the matrix is played with, in this order."""

ALL: tuple[Way, ...] = (
    *MATRIX,
    a_double_click,
    enter_on_the_focus,
    space_on_the_focus,
    reload_and_press,
    back_and_forward,
    after_a_wait,
    with_another_harmless_field,
    by_mouse,
    in_a_batch,
    as_a_drag,
    by_tab_and_enter,
)
"""Those of hostile scripts, beside a restart of the browser, which takes longer."""


async def tried(way: Way, hand: Hand, errand: Errand, done: Callable[[], int]) -> str:
    """What the way is called; with what stood in its way, and how much more was done by it."""
    name, before = way.__name__.replace("_", " "), done()
    try:
        await way(hand, errand)
    except NotThere:
        name = f"{name} (not there)"
    more = done() - before
    return f"{name} (+{more})" if more else name
