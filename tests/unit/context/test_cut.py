import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.changes.follow import follow
from app.context.page.cut import Cut, cut
from app.context.page.lean import lean, without_needless_urls
from app.context.page.leaving_out import MOST_OPTIONS, OPTIONS_SHOWN, count_nodes, walk_shown
from app.context.page.parse import parse
from app.context.page.render import LEFT_OUT, quoted, render, shown
from app.context.page.roles import INTERACTIVE_ROLES
from app.context.page.shield import shield
from app.context.refs.identity import RefTable, identify
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode, walk
from tests.unit.context.random_pages import Page, pages
from tests.unit.context.test_identity import look
from tests.unit.context.test_parse import RECORDED


def page_of(text: str) -> SnapshotNode:
    return lean(identify(RefTable(), look(text)).tree)


def rows(count: int, *, first: int = 0, top: int = 0) -> str:
    lines = []
    for row in range(first, first + count):
        box = f"[box=0,{top + 20 * row},300,20]"
        lines.append(f"    - row [ref=e{1000 + 10 * row}] {box}:")
        lines.append(f'      - cell "Item {row}" [ref=e{1001 + 10 * row}] {box}')
        lines.append(f'      - button "Open {row}" [ref=e{1002 + 10 * row}] {box}')
    return "\n".join(lines)


FILLER = "\n".join(f"  - paragraph [box=0,{30 * at},900,30]: Words number {at} of a long text" for at in range(400))
TABLE = f'- main [ref=e1] [box=0,0,1280,9000]:\n  - table "Stock" [ref=e2] [box=0,0,1280,9000]:\n{rows(200)}'


def test_a_page_within_the_limit_is_left_alone() -> None:
    tree = page_of('- button "A" [ref=e1]')
    assert cut(tree, 1000) == Cut(tree, (), 1, 1)


def test_what_is_left_out_is_counted_on_a_line_in_its_place() -> None:
    made = cut(page_of(TABLE), 2_000)
    text = render(made.tree)
    assert len(text) <= 2_000
    (gone,) = made.omitted
    assert gone.controls + text.count("[ref=") == 200
    last = text.rsplit("\n", 1)[1]
    assert last.startswith(f"    - … left out: {gone.controls} row ({gone.controls} button; ")
    assert made.nodes_shown + gone.nodes == made.nodes_total == 602


def test_the_container_of_what_is_left_out_gets_a_ref_to_ask_for_it() -> None:
    made = cut(page_of(TABLE), 2_000, name=lambda node: Ref("e900") if node.driver_ref == "e2" else None)
    assert '- table "Stock" [ref=e900]:' in render(made.tree)


def test_a_few_named_parts_that_are_left_out_are_named() -> None:
    links = "\n".join(f'    - link "Link number {at} of the foot" [ref=e{at}]' for at in range(100, 160))
    text = f'- main [box=0,0,9,9]:\n{FILLER}\n- contentinfo "Foot" [ref=e2] [box=0,9000,9,9]:\n{links}'
    made = cut(page_of(text), 900, name=lambda node: Ref("e77"))
    assert '- … left out: contentinfo "Foot" [ref=e77] (60 link; ' in render(made.tree)


@pytest.mark.parametrize(
    "kept",
    [
        '- dialog "Sure?" [box=0,9000,300,100]:\n  - button "Yes" [ref=e5] [box=0,9050,30,20]',
        '- button "Has the focus" [active] [ref=e5] [box=0,9000,30,20]',
        "- alert [box=0,9000,300,20]: Card refused",
        '- textbox "Far field" [ref=e5] [box=0,9000,30,20]',
        '- form "Far form" [box=0,9000,300,200]:\n  - button "Send" [ref=e5] [box=0,9100,30,20]',
        '- heading "Far heading" [box=0,9000,300,20]',
    ],
)
def test_what_matters_most_is_kept_wherever_it_stands(kept: str) -> None:
    made = cut(page_of(f"- main [box=0,0,1280,12000]:\n{FILLER}\n{kept}"), 3_000)
    assert made.omitted
    assert kept.split("[", maxsplit=1)[0].rstrip(" :") in render(made.tree)


def test_what_is_in_the_viewport_comes_before_the_rest() -> None:
    scrolled = "\n".join(f"  - paragraph [box=0,{30 * at - 6000},900,30]: Words number {at}" for at in range(400))
    text = render(cut(page_of(f"- main [box=0,-6000,1280,12000]:\n{scrolled}"), 2_000).tree)
    assert all(f"number {at}\n" in text for at in range(200, 226))
    assert "number 199\n" not in text or "number 300\n" not in text


def test_the_viewport_of_a_frame_is_found_through_its_place_on_the_page() -> None:
    inner = "\n".join(f"    - paragraph [box=0,{30 * at},300,30]: Inner {at}" for at in range(100))
    text = f"- generic [box=0,0,1280,5000]:\n  - iframe [ref=e9] [box=0,700,300,3000]:\n{inner}\n{FILLER}"
    shown_text = render(cut(page_of(text), 1_500).tree)
    assert "Inner 2" in shown_text
    assert "Inner 50" not in shown_text


def test_the_main_part_comes_before_the_fringe() -> None:
    links = "\n".join(f'    - link "Fringe {at}" [ref=e{at}] [box=0,9000,9,9]' for at in range(100, 200))
    text = f"- generic:\n  - navigation [box=0,9000,99,99]:\n{links}\n  - main [box=0,2000,9,9]:\n{rows(40, top=2000)}"
    shown_text = render(cut(page_of(text), 3_500).tree)
    assert "Open 39" in shown_text
    assert "Fringe 199" not in shown_text


def test_a_giant_text_does_not_crowd_out_the_rest() -> None:
    text = f'- paragraph [box=0,0,9,9]: {"long " * 4000}\n- button "Small" [ref=e1] [box=0,0,9,9]'
    made = cut(page_of(text), 1_000)
    assert '- button "Small"' in render(made.tree)
    assert "left out: 1 paragraph" in render(made.tree)


def test_long_lists_of_choices_keep_the_first_and_the_chosen() -> None:
    options = "\n".join(f'  - option "Land {at}"{" [selected]" if at == 90 else ""}' for at in range(120))
    made = cut(page_of(f'- combobox "Country" [ref=e1]:\n{options}'), 14_000)
    line = render(made.tree)
    assert line.count("option") == OPTIONS_SHOWN + 1 + 1
    assert 'option "Land 90" [selected] | … left out: 104 option' in line
    assert len(options.split("\n")) > MOST_OPTIONS
    assert made.nodes_shown == made.nodes_total - 104


@given(page=pages(), limit=st.integers(60, 600))
@settings(max_examples=60, deadline=None)
def test_everything_is_shown_or_counted(page: Page, limit: int) -> None:
    tree = lean(shield(identify(RefTable(), page.look()).tree, "f00d"))
    made = cut(tree, limit)
    refs = Counter(str(node.ref) for node in walk(tree) if node.ref)
    visible = [node for node in walk_shown(made.tree) if node.role != LEFT_OUT]
    hidden = [
        part for node in walk_shown(made.tree) if node.role == LEFT_OUT for part in walk(node) if part is not node
    ]
    assert Counter(str(node.ref) for node in [*visible, *hidden] if node.ref) == refs
    assert sum(one.controls for one in made.omitted) == sum(1 for node in hidden if node.ref)
    assert made.nodes_shown == len(visible) - 1
    assert made.nodes_total == count_nodes(tree)
    text = render(made.tree)
    assert len(text) <= max(limit, 170) or not made.omitted
    for node in visible:
        assert node.role == "page" or node in list(walk(made.tree))


def controls_of(nodes: Iterable[SnapshotNode]) -> Counter[tuple[str, str]]:
    return Counter((node.role, node.name) for node in nodes if node.role in INTERACTIVE_ROLES and node.driver_ref)


def check_every_control_is_shown_or_counted(tree: SnapshotNode, limit: int) -> None:
    """`tree` is as the driver printed it, with our refs on it."""
    view = without_needless_urls(lean(shield(tree, "f00d")))
    made = cut(view, limit)
    left_out = [node for node in walk_shown(made.tree) if node.role == LEFT_OUT]
    shown_ones = controls_of(node for node in walk_shown(made.tree) if node.role != LEFT_OUT)
    hidden = controls_of(part for node in left_out for part in walk(node))
    assert shown_ones + hidden == controls_of(walk(shield(tree, "f00d")))
    assert sum(one.controls for one in made.omitted) >= hidden.total()
    text = render(made.tree)
    for (role, name), count in shown_ones.items():
        words = f"{role} {quoted(name)}" if name else role
        assert len(re.findall(rf"(?:[-:|&] ){re.escape(words)}(?= \[|:|$| )", text, re.MULTILINE)) >= count


@given(page=pages(), limit=st.integers(60, 2000))
@settings(max_examples=100)
def test_every_control_of_the_drivers_tree_is_in_view_by_role_and_name_or_counted(page: Page, limit: int) -> None:
    check_every_control_is_shown_or_counted(identify(RefTable(), page.look()).tree, limit)


@pytest.mark.parametrize("limit", [14_000, 1_500, 400])
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_control_of_a_recorded_page_is_in_view_or_counted(path: Path, limit: int) -> None:
    tree = parse(path.read_text(encoding="utf-8"))
    check_every_control_is_shown_or_counted(identify(RefTable(), replace(Page().look(), tree=tree)).tree, limit)


def test_the_next_page_shows_what_was_shown_and_counts_what_changed_elsewhere() -> None:
    first = identify(RefTable(), look(TABLE))
    base = shown(cut(lean(first.tree), 2_000).tree)
    after = (
        TABLE.replace('"Item 1"', '"Item one"').replace('"Item 150"', '"Item 15x"').replace('"Item 151"', '"Item 15y"')
    )
    second = identify(first.table, look(after))
    now = follow(base, lean(second.tree)).lines
    old_lines, new_lines = base.children[0].children[0].children, now.children[0].children[0].children
    assert len(old_lines) == len(new_lines)
    assert [line.line for line in new_lines[:3]] != [line.line for line in old_lines[:3]]
    assert new_lines[-1].line == f"{old_lines[-1].line}, 2 lines changed since"
    third = identify(second.table, look(after))
    assert follow(now, lean(third.tree)).lines == now


def test_a_row_that_comes_in_among_those_shown_is_shown() -> None:
    first = identify(RefTable(), look(TABLE))
    base = shown(cut(lean(first.tree), 2_000).tree)
    new_row = '    - row [ref=e7000]:\n      - cell "New" [ref=e7001]\n'
    at = TABLE.index("    - row [ref=e1020]")
    second = identify(first.table, look(TABLE[:at] + new_row + TABLE[at:]))
    now = follow(base, lean(second.tree)).lines
    assert now.children[0].children[0].children[2].line == "row: New"
    assert now.children[0].children[0].children[-1] == base.children[0].children[0].children[-1]


def test_what_comes_instead_of_something_shown_is_shown() -> None:
    """As when a table goes to its next page: all rows are new, and as many of them are shown as before."""
    first = identify(RefTable(), look(TABLE))
    base = shown(cut(lean(first.tree), 2_000).tree)
    other_page = TABLE.replace("Item", "Article").replace("Open", "Buy").replace("[ref=e1", "[ref=e51")
    second = identify(first.table, look(other_page))
    now = follow(base, lean(second.tree)).lines
    before, after = base.children[0].children[0].children, now.children[0].children[0].children
    assert len(before) == len(after)
    assert after[0].line.startswith("row: Article 0 | button")
    assert after[-1].line.startswith("… left out: ")


def test_a_new_part_before_a_left_out_foot_is_shown() -> None:
    links = "\n".join(f'  - link "Foot link number {at}" [ref=e{at}] [box=0,9000,9,9]' for at in range(100, 160))
    page = f'- region "A" [ref=e1] [box=0,0,9,9]:\n  - text: words\n- contentinfo [ref=e2] [box=0,9000,9,9]:\n{links}'
    first = identify(RefTable(), look(page))
    base = shown(cut(lean(first.tree), 210).tree)
    assert base.children[-1].line.startswith("… left out")
    second = identify(first.table, look(page.replace('region "A" [ref=e1]', 'dialog "B" [ref=e500]')))
    assert [line.line[:10] for line in follow(base, lean(second.tree)).lines.children] == ['dialog "B"', "… left out"]
