"""Where tools of this kind broke before: cuts in the middle, bases nobody was shown, whole pages for small changes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from app.context.changes.apply import apply
from app.context.page.render import parse_shown, refs_of, render_shown
from app.context.page.shown import CHANGES_LIMIT, Shown, show
from app.context.refs.identity import RefTable
from app.domain.ids import DocumentId, ObservationId, TabId
from app.domain.pages import Look, TabInfo
from app.domain.snapshot import walk
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says
from tests.unit.context.test_cut import TABLE
from tests.unit.context.test_identity import look
from tests.unit.context.test_shown import body, see


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what it says, and whether its price stands there or that it is sold out."""

    number: int
    price: str = "in stock"


def shop(rows: Sequence[Row], *, first_ref: int = 100, order: str = "number", wrapped: bool = False) -> Look:
    """A shop with a menu, a table and a foot; the driver counts the rows' elements from `first_ref` on."""
    inner = "    " if wrapped else "  "
    text = ['- navigation "Main" [ref=e1]:', '  - link "Home" [ref=e2]', '  - link "Basket" [ref=e3]']
    text += ["- main [ref=e4]:"] + (['  - region "Offers of the week" [ref=e5]:'] if wrapped else [])
    text += [f'{inner}- heading "Mugs by {order}" [level=1] [ref=e6]', f'{inner}- table "Mugs" [ref=e7]:']
    around: dict[str, str] = {}
    for at, row in enumerate(rows):
        ref = first_ref + 10 * at
        text += [
            f"{inner}  - row [ref=e{ref}]:",
            f"{inner}    - cell [ref=e{ref + 1}]:",
            f'{inner}      - link "Mug {row.number}" [ref=e{ref + 2}]',
            f'{inner}    - cell "{row.price}" [ref=e{ref + 3}]',
            f"{inner}    - cell [ref=e{ref + 4}]:",
            f'{inner}      - button "Add to basket" [ref=e{ref + 5}]',
        ]
        around |= {f"e{ref + 2}": f"Mug {row.number}", f"e{ref + 5}": f"Mug {row.number} {row.price}"}
    text += ["- contentinfo [ref=e8]:", '  - link "Terms" [ref=e9]']
    return look("\n".join(text), around=around)


def cards(count: int, *, first_ref: int = 100, word: str = "Add") -> Look:
    """A list whose items all say the same, so that nothing tells their buttons apart."""
    items = [
        f'  - listitem [ref=e{ref}]:\n    - text: A mug\n    - button "{word}" [ref=e{ref + 1}]'
        for ref in range(first_ref, first_ref + 3 * count, 3)
    ]
    return look("\n".join(['- heading "Mugs" [ref=e1]', '- list "All" [ref=e2]:', *items]))


LINKS = "\n".join(f'- link "Link {at}" [ref=e{at}] [box=0,{20 * at},99,20]' for at in range(1, 50_001))
ROWS = [Row(number) for number in range(60)]


def change(before: Look, after: Look, limit: int = 14_000) -> tuple[Shown, Shown, str]:
    """Both looks, and the changes, which are carried out as well."""
    first = see(before, limit=limit)
    second = see(after, first, id="o2", limit=limit)
    assert second.shown_as == "changes", f"{second.shown_as} of {len(second.text)} characters"
    assert second.base is not None
    assert apply(body(first), body(second)) == second.base.tree
    alive = {str(node.ref) for node in walk(second.tree) if node.ref}
    assert set(refs_of(render_shown(second.base.tree))) <= alive
    return first, second, body(second)


def test_b2_a_page_is_cut_once_at_the_limit_that_is_said_and_between_nodes() -> None:
    shown = see(look(TABLE), limit=3_000)
    assert len(shown.text) <= 3_000
    assert re.search(r"(\d+) of 602 nodes shown, (\d+) controls left out", shown.text)
    lines = body(shown).split("\n")
    assert all(re.match(r" *- (row|main|table|…)", line) for line in lines)
    assert all("|" in line for line in lines if "- row" in line)


def test_b3_the_base_of_changes_is_what_was_shown_after_the_cut() -> None:
    first, second, said = change(look(TABLE), look(TABLE.replace('"Item 150"', '"Item 15x"')), limit=2_000)
    assert "Item 150" not in body(first)
    assert said.count("1 line changed since") == 1
    assert "Item 15" not in said
    assert second.base is not None
    assert len(render_shown(second.base.tree)) < 2_000


def test_b3_every_entry_of_changes_names_what_the_reader_has() -> None:
    """A change deep in a cut page is told under lines that were shown, or apply would find nothing."""
    for row in range(0, 200, 40):
        change(look(TABLE), look(TABLE.replace(f'"Item {row}"', '"Item x"')), limit=2_000)


async def test_b4_a_conversation_gets_no_changes_of_a_page_that_only_another_has_seen() -> None:
    page = FakePage("http://shop.test/", '- heading "Shop" [level=1] [ref=e1]\n- button "Next" [ref=e2]', title="Shop")
    opened = calls(("browser_navigate", '{"url": "http://shop.test/"}'))
    one = await desk([page], opened, calls(("browser_snapshot", "{}")), says("ok"))
    other = await desk([page], calls(("browser_click", '{"target": "e2"}')), opened, says("ok"))
    await one.play()
    await other.play()
    assert {answer.observation.shown_as for answer in other.answers if answer.observation} == {"whole"}
    assert other.answers[0].is_error


async def test_b5_no_number_of_partial_looks_moves_the_base() -> None:
    buttons = "\n".join(f'- button "Order number {at} of the long list" [ref=e{at}]' for at in range(10, 200))
    page = FakePage("http://shop.test/", buttons, title="Shop")
    partial = calls(
        ("browser_find", '{"text": "order"}'),
        ("browser_snapshot", '{"page": 1}'),
        ("browser_snapshot", '{"text": true}'),
        ("browser_find", '{"text": "list"}'),
    )
    one = await desk(
        [page],
        calls(("browser_navigate", '{"url": "http://shop.test/"}')),
        partial,
        calls(("browser_click", '{"target": "e5"}')),
        says("ok"),
    )
    await one.play()
    seen = [answer.observation for answer in one.answers if answer.observation]
    assert [each.shown_as for each in seen] == ["whole", "partial", "partial", "partial", "partial", "same"]
    assert seen[-1].base == seen[0].id


@pytest.mark.parametrize(
    ("after", "most"),
    [
        ({"wrapped": True}, 260),
        ({"first_ref": 70_000}, 0),
        ({"wrapped": True, "first_ref": 70_000}, 260),
    ],
)
def test_b6_a_wrapper_or_a_redraw_is_a_short_change(after: dict[str, object], most: int) -> None:
    first = see(shop(ROWS))
    second = see(shop(ROWS, **after), first, id="o2")  # type: ignore[arg-type]
    if most == 0:
        assert second.shown_as == "same"
    else:
        assert len(change(shop(ROWS), shop(ROWS, **after))[2]) <= most  # type: ignore[arg-type]
    assert {str(node.ref) for node in walk(first.tree) if node.ref} <= {str(node.ref) for node in walk(second.tree)}


def test_b6_a_list_drawn_anew_with_the_same_labels_is_told_by_its_new_refs() -> None:
    _, second, said = change(cards(60), cards(60, first_ref=70_000))
    assert said == "renumbered e1-e60 -> e61-e120"
    assert "60 renumbered, " in second.text


def test_b6_a_list_drawn_anew_that_also_changed_says_both() -> None:
    _, _, said = change(cards(60), cards(59, first_ref=70_000))
    assert len(said) <= 120


@pytest.mark.parametrize(
    ("after", "most"),
    [
        pytest.param([*ROWS[1:], ROWS[0]], 100, id="a row moved to the end"),
        pytest.param(ROWS[::-1], 90, id="sorted the other way"),
        pytest.param(sorted(ROWS, key=lambda row: str(row.number)), 700, id="sorted as words"),
        pytest.param([*ROWS[10:], *map(Row, range(60, 70))], 1_200, id="scrolled by a window"),
        pytest.param([*ROWS[:30], Row(30, "sold out"), *ROWS[31:]], 200, id="a price changed"),
        pytest.param(ROWS[:20], 170, id="filtered"),
    ],
)
@pytest.mark.parametrize("first_ref", [100, 70_000])
def test_b6_a_table_that_moves_is_a_short_change(after: list[Row], most: int, first_ref: int) -> None:
    assert len(change(shop(ROWS), shop(after, first_ref=first_ref))[2]) <= most


@pytest.mark.parametrize("recycled", [True, False])
def test_b6_the_next_page_of_a_paged_table_names_no_old_row_but_the_first_and_the_last(recycled: bool) -> None:
    many = [*ROWS, *map(Row, range(100, 200))]
    pages = [[*many[:100], *map(Row, range(start, start + 20))] for start in (300, 320)]
    _, _, said = change(shop(pages[0]), shop(pages[1], first_ref=100 if recycled else 70_000))
    assert "Mug 310" not in said
    assert all(f"Mug {number}" in said for number in range(320, 340))
    assert len(said) <= 20 * 90 + 200


def test_b6_a_page_of_rows_that_is_most_of_what_is_shown_comes_whole() -> None:
    first = see(shop(ROWS[:20]))
    assert see(shop([Row(number + 500) for number in range(20)]), first, id="o2").shown_as == "whole"


def test_b16_changes_longer_than_their_own_limit_are_a_whole_page() -> None:
    many = [Row(number) for number in range(150)]
    first = see(shop(many))
    few = see(shop([*many[:20], *[Row(row.number, "gone") for row in many[20:40]], *many[40:]]), first, id="o2")
    assert few.shown_as == "changes"
    assert len(body(few)) <= CHANGES_LIMIT
    lots = see(
        shop([*many[:20], *[Row(row.number, "gone for good") for row in many[20:90]], *many[90:]]), first, id="o2"
    )
    assert lots.shown_as == "whole"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(f"- paragraph [ref=e1]: {'word ' * 1_000_000}\n{LINKS[:1000]}", id="5 MB of text"),
        pytest.param(LINKS, id="50,000 links"),
        pytest.param(TABLE.replace("Item", "Item " * 500), id="long rows"),
    ],
)
def test_a12_a_first_page_of_any_size_gives_a_useful_view_within_the_limit(page: str) -> None:
    shown = see(look(page), limit=6_000)
    assert len(shown.text) <= 6_000
    assert "controls left out (browser_find" in shown.text
    assert "… left out: " in body(shown)
    assert shown.nodes_shown >= 1
    assert "[ref=" in body(shown)


def test_a12_many_open_tabs_leave_room_for_the_page() -> None:

    tabs = tuple(
        TabInfo(TabId(at), f"http://site.test/{'x' * 90}{at}", "T" * 120, active=at == 1) for at in range(1, 80)
    )
    shown = see(replace(look(TABLE), tabs=tabs), limit=6_000)
    assert len(shown.text) <= 6_000
    assert "Item 3 |" in body(shown)


def test_a_base_of_another_conversation_or_document_is_never_compared_with() -> None:
    first = see(shop(ROWS))
    other = show(shop(ROWS), RefTable(next_number=900), None, id=ObservationId("o1"), fence="f1f1")
    assert other.shown_as == "whole"
    assert first.base is not None
    assert parse_shown(body(first)) == first.base.tree
    assert first.base.document == DocumentId("d1")
