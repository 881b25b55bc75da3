import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.changes.apply import apply
from app.context.changes.comparing import changes, ranges, render_changes
from app.context.page.lean import lean, without_needless_urls
from app.context.page.render import ShownNode, parse_shown, render_shown, shown
from app.context.page.shield import shield
from app.context.refs.identity import Identified, RefTable, identify
from app.domain.pages import Look
from tests.unit.context.random_pages import edit, random_page
from tests.unit.context.test_identity import look

BIG = '- button "Save" [ref=e2]'


def both(before: str, after: str, replaced: tuple[tuple[str, str], ...] = ()) -> str:
    """The changes between two shown texts; they are carried out as well, so no example can be wrong."""
    old, new = parse_shown(before), parse_shown(after)
    text = render_changes(changes(old, new, replaced))
    assert apply(before, text) == new
    return text


def _rows(*numbers: int) -> str:
    return "- list:\n" + "\n".join(f'  - listitem: row {at} | button "Add" [ref=e{at}]' for at in numbers)


ROWS = _rows(*range(1, 13))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (BIG, BIG, ""),
        (BIG, '- button "Save" [disabled] [ref=e2]', 'in page:\n  ~ button "Save" [disabled] [ref=e2]'),
        (
            '- main:\n  - form "Pay":\n    - text: Card\n    - button "Pay" [ref=e2]\n    - link "Help" [ref=e3]',
            '- main:\n  - form "Pay":\n    - text: Card\n    - alert: No\n    - button "Pay" [ref=e2]',
            'in main > form "Pay":\n  = 1 as before\n  + alert: No\n  x link "Help" [ref=e3]',
        ),
        ("- text: 3 left", "- text: 2 left", "in page:\n  ~ text: 2 left"),
        (
            '- button "A" [ref=e1]\n- text: x\n- text: y',
            '- button "A" [ref=e1]\n- text: x\n- text: z',
            "in page:\n  = 2 as before\n  ~ text: z",
        ),
        (
            '- list:\n  - link "A" [ref=e1]\n  - link "B" [ref=e2]\n  - link "C" [ref=e3]',
            '- list:\n  - link "C" [ref=e3]\n  - link "A" [ref=e1]\n  - link "B" [ref=e2]',
            'in list:\n  > e3 (link "C" [ref=e3])',
        ),
        (
            '- heading "T"\n- button "A" [ref=e1]\n- button "B" [ref=e2]',
            '- region "Box":\n  - heading "T"\n  - button "A" [ref=e1]\n  - button "B" [ref=e2]',
            (
                'in page:\n  + region "Box":\n    - heading "T"\n'
                '    > 2 of page #2 (button "A" [ref=e1] … button "B" [ref=e2])\n  x heading "T"'
            ),
        ),
        (
            "- row: 1 | a\n- row: 2 | b\n- row: 3 | c\n- row: 4 | d",
            "- row: 4 | d",
            "in page:\n  x 3 row: 1 | a … row: 3 | c",
        ),
        (ROWS, _rows(3, 7, 11), "in list:\n  x all but: e3, e7, e11\ngone: e1-e2, e4-e6, e8-e10, e12"),
        (ROWS, _rows(1, 3, 5, 8, 9, 10, 11, 12), "in list:\n  x these: e2, e4, e6, e7\ngone: e2, e4, e6-e7"),
        (
            '- list:\n  - listitem: link "A" [ref=e1]\n- list:\n  - listitem: link "B" [ref=e2]',
            '- list:\n  - listitem: link "A" [ref=e1]\n- list:\n  - listitem: link "B" [selected] [ref=e2]',
            'in list#2:\n  ~ listitem: link "B" [selected] [ref=e2]',
        ),
        (
            '- form "F":\n  - group "G":\n    - button "A" [ref=e1]\n    - text: t',
            "- text: gone",
            'in page:\n  + text: gone\n  x form "F" (4 lines)\ngone: e1',
        ),
    ],
)
def test_a_change_is_short_and_says_where(before: str, after: str, said: str) -> None:
    assert both(before, after) == said


def test_a_replaced_control_names_both_refs() -> None:
    said = both('- button "Save" [ref=e2]', '- button "Saved" [disabled] [ref=e9]', (("e2", "e9"),))
    assert said == 'in page:\n  ~ replaced e2 button "Save" -> button "Saved" [disabled] [ref=e9]'


def test_a_control_replaced_inside_a_row_is_told_at_the_end() -> None:
    said = both('- row: 1 | button "On" [ref=e2]', '- row: 1 | button "Off" [ref=e9]', (("e2", "e9"),))
    assert said.endswith('~ row: 1 | button "Off" [ref=e9]\nreplaced e2 -> e9\ngone: e2')


def test_a_row_that_moved_and_changed_says_both() -> None:
    before = '- row: a | link "A" [ref=e1]\n- row: b | link "B" [ref=e2]\n- row: c | link "C" [ref=e3]'
    after = '- row: c2 | link "C" [ref=e3]\n- row: a | link "A" [ref=e1]\n- row: b | link "B" [ref=e2]'
    assert both(before, after) == 'in page:\n  > e3 now row: c2 | link "C" [ref=e3]'


def test_counts_tell_how_much_of_the_page_is_different() -> None:
    old = parse_shown(
        '- list:\n  - text: a\n  - text: b\n- button "A" [ref=e1]\n- button "B" [ref=e2]\n- link "C" [ref=e3]'
    )
    new = parse_shown('- button "B" [ref=e2]\n- button "A" [disabled] [ref=e1]\n- list:\n  - text: b\n- img "N"')
    assert changes(old, new).counts == "1 added, 2 removed, 1 changed, 2 moved, 1 as before"


@pytest.mark.parametrize(
    ("refs", "text"),
    [((), ""), (("e3",), "e3"), (("e9", "e3", "e10", "e11"), "e3, e9-e11"), (("e1", "e2"), "e1-e2")],
)
def test_refs_are_listed_in_ranges(refs: tuple[str, ...], text: str) -> None:
    assert ranges(refs) == text


@pytest.mark.parametrize(
    "text", ["in main:\n  ~ text: x", "in page:\n  > e7 (x)", 'in page > list "L":\n  x y', "in page\n  = 1 as before"]
)
def test_changes_that_do_not_fit_the_page_are_refused(text: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        apply("- text: a", text)


@given(st.integers(0, 2**32).map(Random))
@settings(max_examples=150)
def test_old_page_and_changes_give_exactly_the_new_page(chance: Random) -> None:
    page = random_page(chance)
    first = identify(RefTable(), page.look())
    old = lines_of(first)
    for _ in range(chance.randint(1, 5)):
        edit(chance, page)
    second = identify(first.table, page.look())
    new = lines_of(second)
    pairs = tuple((pair.old, pair.new) for pair in second.replaced)
    said = render_changes(changes(old, new, pairs))
    assert apply(render_shown(old), said) == new
    assert (said == "") == (old == new)
    left = set(refs_in(render_shown(old))) - set(refs_in(render_shown(new)))
    assert all(any(ref in named(line) for line in said.split("\n")) for ref in left)


def lines_of(found: Identified) -> ShownNode:
    return shown(without_needless_urls(lean(shield(found.tree, "f00d"))))


def refs_in(text: str) -> list[str]:
    return [piece.split("]")[0] for piece in text.split("[ref=")[1:]]


def named(line: str) -> set[str]:
    """The refs a line of changes speaks of, ranges included."""
    found: set[str] = set()
    for word in line.replace(",", " ").replace("]", " ").replace("=", " ").split():
        first, _, last = word.partition("-")
        if first[:1] == "e" and first[1:].isdigit():
            end = int(last[1:]) if last[:1] == "e" and last[1:].isdigit() else int(first[1:])
            found |= {f"e{number}" for number in range(int(first[1:]), end + 1)}
    return found


def big_page(rows: int, *, shift: int = 0, wrapped: bool = False, changed: int = -1) -> Look:
    """Rows that differ by their words; all driver refs move by `shift`."""
    indent = "    " if wrapped else "  "
    text = ["- main [ref=e1]:"] + (['  - region "All of it" [ref=e2]:'] if wrapped else [])
    for row in range(rows):
        number = 10 * row + shift + 10
        price = "sold out" if row == changed else f"{row} coins"
        text += [
            f"{indent}- listitem [ref=e{number}]:",
            f'{indent}  - link "Article number {row} of many" [ref=e{number + 1}] [cursor=pointer]:',
            f"{indent}    - /url: /article/{row}",
            f"{indent}  - generic [ref=e{number + 2}]: {price} for article {row}",
            f'{indent}  - button "Put article {row} into the basket" [ref=e{number + 3}]',
        ]
    return look("\n".join(text))


@pytest.mark.parametrize(
    ("after", "most"),
    [
        ({"shift": 100_000}, 0),
        ({"shift": 100_000, "changed": 17}, 200),
        ({"wrapped": True}, 200),
        ({"wrapped": True, "shift": 100_000}, 200),
    ],
)
def test_a_redrawn_or_wrapped_page_is_a_short_change(after: dict[str, int], most: int) -> None:
    first = identify(RefTable(), big_page(200))
    second = identify(first.table, big_page(200, **after))
    said = render_changes(changes(lines_of(first), lines_of(second)))
    assert len(said) <= most
    assert apply(render_shown(lines_of(first)), said) == lines_of(second)


def test_changes_of_large_pages_take_linear_time() -> None:
    spent = []
    for rows in (500, 2000):
        first = identify(RefTable(), big_page(rows))
        second = identify(first.table, big_page(rows, shift=100_000, changed=rows // 2))
        old, new = lines_of(first), lines_of(second)
        start = time.process_time()
        found = changes(old, new)
        spent.append(time.process_time() - start)
        assert found.changed == 1
    assert spent[1] < max(10 * spent[0], 0.5)
