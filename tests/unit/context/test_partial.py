"""Parts of a page: below a ref, to a depth, page by page, as text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.page.lean import lean, without_needless_urls
from app.context.page.paging import text_page, tree_page
from app.context.page.partial import Part, read_part
from app.context.page.render import parse_shown, render
from app.context.page.shield import shield
from app.context.refs.identity import RefTable, identify
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode
from tests.unit.context.random_pages import Page, pages
from tests.unit.context.test_cut import TABLE
from tests.unit.context.test_identity import look

HEADED = '- heading "Stock list" [level=1] [ref=e1]\n- paragraph [ref=e2]: All that there is\n' + TABLE


def tree(text: str = HEADED) -> SnapshotNode:
    return identify(RefTable(), look(text)).tree


def all_parts(page: SnapshotNode, wanted: Part, size: int) -> list[str]:
    found = []
    while (
        read := read_part(page, Part(wanted.ref, wanted.depth, wanted.boxes, len(found) + 1, wanted.as_text), size)
    ).text:
        found.append(read.text)
    return found


def test_the_whole_page_can_be_read_part_by_part() -> None:
    parts = all_parts(tree(), Part(), 2_000)
    assert all(len(part) <= 2_000 for part in parts)
    first = read_part(tree(), Part(page=1), 2_000)
    assert first.words == f"Page 1 of {len(parts)} of the whole page, nothing left out; page=2 shows the next:"
    last = read_part(tree(), Part(page=len(parts)), 2_000)
    assert last.words == f"Page {len(parts)} of {len(parts)} of the whole page, nothing left out; this is the end:"
    assert re.findall(r"Open (\d+)", "\n".join(parts)) == [str(row) for row in range(200)]


def test_a_part_that_goes_on_stands_under_the_nodes_around_it() -> None:
    second = read_part(tree(), Part(page=2), 2_000).text
    assert second.startswith('- main:\n  - table "Stock":\n    - row: Item ')


def test_a_page_beyond_the_last_one_is_refused_with_how_many_there_are() -> None:
    count = len(all_parts(tree(), Part(), 2_000))
    assert read_part(tree(), Part(page=count + 1), 2_000).reason == (
        f"there is no page {count + 1}: the whole page has {count} pages"
    )
    assert (
        read_part(tree("- text: short"), Part(page=2), 2_000).reason == "there is no page 2: the whole page has 1 page"
    )


def test_a_ref_that_is_not_there_is_refused_with_a_way_on() -> None:
    read = read_part(tree(), Part(ref=Ref("e999")), 2_000)
    assert (read.reason, read.way_on) == ("e999 is not on the page", "Find it again on the newest page.")


def test_the_text_of_a_page_comes_with_headings_and_in_parts() -> None:
    parts = all_parts(tree(), Part(as_text=True), 1_000)
    assert parts[0].startswith("# Stock list\nAll that there is\n")
    assert "Item 199" in parts[-1]
    assert all(len(part) <= 1_000 for part in parts)
    assert read_part(tree(), Part(as_text=True), 1_000).words.startswith(
        f"Page 1 of {len(parts)} of the text of the whole"
    )


def test_only_the_text_below_a_ref_is_read() -> None:
    page = tree('- article "A" [ref=e1] [cursor=pointer]:\n  - heading "One" [level=2]\n- article "B" [ref=e2]')
    assert read_part(page, Part(ref=Ref("e1"), as_text=True), 500).text == "A\n## One"


def test_boxes_and_a_depth_come_on_request() -> None:
    page = tree(
        '- list "L" [ref=e1] [cursor=pointer] [box=1,2,3,4]:\n  - listitem:\n    - list:\n      - listitem: deep'
    )
    assert read_part(page, Part(ref=Ref("e1"), depth=1, boxes=True), 500).text == (
        '- list "L" [box=1,2,3,4] [cursor=pointer] [ref=e1]:\n  - listitem: … 2 nodes below this depth'
    )


def test_a_text_that_can_be_pointed_at_has_its_box_too() -> None:
    page = tree('- generic [ref=e1] [box=1,2,300,40]: Words to be marked\n- button "Go" [ref=e2] [box=1,50,40,20]')
    assert read_part(page, Part(boxes=True), 500).text == (
        '- text [box=1,2,300,40]: Words to be marked\n- button "Go" [box=1,50,40,20] [ref=e1]'
    )


def test_a_row_longer_than_a_part_has_its_controls_on_lines_of_their_own() -> None:
    cells = "\n".join(f'  - cell [ref=e{2 * at}]:\n    - button "Do {at}" [ref=e{2 * at + 1}]' for at in range(1, 200))
    parts = all_parts(tree(f"- row [ref=e1]:\n{cells}"), Part(), 1_000)
    assert all(len(part) <= 1_000 for part in parts)
    assert len(re.findall(r'- button "Do \d+" \[ref=', "\n".join(parts))) == 199


def test_a_giant_name_hides_no_ref() -> None:
    parts = all_parts(tree(f'- link "{"long " * 10_000}" [ref=e1]\n- button "B" [ref=e2]'), Part(), 1_000)
    assert "more characters)" in parts[0]
    assert [part.count("[ref=") for part in parts] == [2]


@pytest.mark.parametrize("size", [60, 100, 1000])
def test_a_block_longer_than_a_part_is_divided_between_words(size: int) -> None:
    text = f"short\n{'word ' * 400}end\n{'x' * 300}"
    count = text_page(text, 1, size).count
    parts = [text_page(text, number, size).text for number in range(1, count + 1)]
    assert all(len(part) <= size for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert not any("wor\n" in part or part.endswith("wor") for part in parts)


@given(page=pages(), size=st.integers(80, 900))
@settings(max_examples=60, deadline=None)
def test_every_control_stands_in_one_of_the_parts(page: Page, size: int) -> None:
    whole = without_needless_urls(lean(shield(identify(RefTable(), page.look()).tree, "f00d")))
    count = tree_page(whole, 1, size).count
    parts = [tree_page(whole, number, size).text for number in range(1, count + 1)]
    wanted = re.findall(r"\[ref=e\d+\]", render(whole))
    assert set(re.findall(r"\[ref=e\d+\]", "\n".join(parts))) == set(wanted)
    assert all(parse_shown(part).children for part in parts if part)
