import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.page.addresses import shortened
from app.context.page.lean import lean, without_needless_urls
from app.context.page.parse import parse
from app.context.page.render import render
from app.context.page.shield import shield
from app.context.refs.identity import RefTable, identify
from app.domain.snapshot import SnapshotNode, walk
from tests.unit.context.random_pages import Page, pages
from tests.unit.context.test_parse import RECORDED

_PATH = '- navigation "You are here":\n  - link "Home"\n  - link "Mugs"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- generic [ref=e1]:\n  - generic [ref=e2]: Hello\n  - text: you", "- text: Hello\n- text: you"),
        ("- generic [cursor=pointer] [ref=e1]: Open", "- generic [cursor=pointer]: Open"),
        ('- button "Go" [ref=e1] [cursor=pointer]', '- button "Go"'),
        ('- link "Mug $5":\n  - generic: Mug\n  - generic: $5', '- link "Mug $5"'),
        ('- link "Mug":\n  - img "Photo"\n  - text: Mug', '- link "Mug":\n  - img "Photo"'),
        ('- heading "Mug":\n  - link "Mug" [ref=e1]', '- heading "Mug":\n  - link "Mug"'),
        ('- generic:\n  - text: Name\n  - textbox "Name" [ref=e1]: Bob', '- textbox "Name": Bob'),
        ('- checkbox "News" [ref=e1]\n- text: News', '- checkbox "News"'),
        ('- text: Name\n- button "Name"', '- text: Name\n- button "Name"'),
        (
            "- paragraph:\n  - text: Steel, with\n  - emphasis: beech\n  - text: grip",
            "- paragraph: Steel, with beech grip",
        ),
        ('- paragraph:\n  - textbox "A"', '- textbox "A"'),
        ("- img [box=0,0,16,16]\n- img [box=0,0,300,200]", "- img"),
        ("- list:\n  - listitem: \n- separator", ""),
        (
            '- row:\n  - cell "1"\n  - cell:\n    - link "Mug" [ref=e1]:\n      - /url: /m\n  - cell\n  - cell "x | y"',
            '- row: 1 | link "Mug" | "" | "x | y"',
        ),
        (
            '- row:\n  - cell:\n    - button "-"\n    - textbox "Qty": "2"\n  - cell "a \\"b\\""',
            '- row: button "-" & textbox "Qty": 2 | "a \\"b\\""',
        ),
        (
            '- listitem:\n  - link "A":\n    - /url: /a\n  - paragraph: all of it',
            '- listitem: link "A" | all of it',
        ),
        (
            "- listitem:\n  - text: two\n  - list:\n    - listitem: one",
            "- listitem:\n  - text: two\n  - list:\n    - listitem: one",
        ),
        (
            '- combobox "C" [ref=e1]:\n  - option "A"\n  - option "B" [selected]',
            '- combobox "C": option "A" | option "B" [selected]',
        ),
        (
            '- row [ref=e1]:\n  - rowheader "Users":\n    - link "Users" [ref=e2]\n  - cell "yes"',
            '- row: link "Users" | yes',
        ),
        (
            "- text: Welcome,\n- strong: Ada\n- text: .\n- generic: Next block",
            "- text: Welcome, Ada .\n- text: Next block",
        ),
        ("- contentinfo [ref=e1]\n- status [ref=e2]\n- dialog [ref=e3]", "- dialog"),
        ('- link "js":\n  - /url: javascript:void(0)', '- link "js"'),
        ('- table:\n  - rowgroup:\n    - row:\n      - cell "1"', "- table:\n  - row: 1"),
        ('- navigation "You are here":\n  - link "Home"\n  - text: ›\n  - link "Mugs"', _PATH),
        ('- generic "New" [ref=e1] [cursor=pointer]:\n  - button "New" [ref=e2]', '- button "New"'),
        (
            '- button [ref=e1]:\n  - img "Snake"\n  - generic "Start a terminal" [ref=e2]:\n    - paragraph: Terminal',
            "- button: Snake Start a terminal Terminal",
        ),
        (
            '- button [ref=e1]:\n  - img "Python"\n  - generic "Python" [ref=e2]:\n    - paragraph: Python',
            "- button: Python",
        ),
        ('- generic "Row" [ref=e1]:\n  - button "Go" [ref=e2]', '- generic "Row":\n  - button "Go"'),
        ('- row:\n  - cell "–"\n  - cell "2"', "- row: – | 2"),
        ('- listitem:\n  - checkbox "Done: Milk" [ref=e1]\n  - text: Milk', '- listitem: checkbox "Done: Milk"'),
        ('- listitem:\n  - checkbox "Done: Milk" [ref=e1]\n  - text: Mil', '- listitem: checkbox "Done: Milk" | Mil'),
        (
            '- link "More":\n  - /url: /a\n- link "More":\n  - /url: /b',
            '- link "More" [url=/a]\n- link "More" [url=/b]',
        ),
    ],
)
def test_what_tells_nothing_is_dropped(before: str, after: str) -> None:
    assert render(without_needless_urls(lean(parse(before)))) == after


def cards(count: int, button: str = "Add") -> str:
    return "\n".join(
        f"- generic [ref=e{at}0]:\n  - generic [ref=e{at}1]: Mug {at}\n  - generic [ref=e{at}2]:\n"
        f'    - button "{button}" [ref=e{at}3]\n    - link "Details" [ref=e{at}4]:\n      - /url: /mug/{at}'
        for at in range(1, count + 1)
    )


def test_blocks_that_are_alike_stand_on_a_line_each_as_items_do() -> None:
    found = identify(RefTable(), replace(Page().look(), tree=parse(cards(3))))
    assert render(without_needless_urls(lean(found.tree))).split("\n") == [
        f'- listitem: Mug {at} | button "Add" [ref=e{2 * at - 1}] | link "Details" [ref=e{2 * at}]' for at in (1, 2, 3)
    ]
    two = identify(RefTable(), replace(Page().look(), tree=parse(cards(2))))
    assert "listitem" not in render(lean(two.tree))
    check_nothing_lost(found.tree)


def test_what_nobody_can_see_is_said_once_for_all_that_is_in_it() -> None:
    cells = (SnapshotNode("columnheader", "Name", marks=("unseen",)), SnapshotNode("cell", marks=("unseen",)))
    row = SnapshotNode("row", marks=("unseen",), children=cells)
    hidden = SnapshotNode("generic", text="white", marks=("unseen",), children=(SnapshotNode("button", "B"),))
    page = lean(SnapshotNode("page", children=(row, hidden)))
    assert render(page) == '- row [unseen]: Name | ""\n- text [unseen]: white\n- button "B" [unseen]'


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("/a?b=c", "/a?b=c"),
        (f"/a?{'b' * 200}", "/a?…"),
        (f"/{'a' * 200}?x", f"/{'a' * 59}…{'a' * 39}"),
        (f"data:image/png;base64,{'A' * 500}", "data:image/png;base64,AAAAAAAAAAAAAAAAAA…"),
    ],
)
def test_only_addresses_over_the_limit_are_shortened(url: str, short: str) -> None:
    assert shortened(url) == short


LONG = f"http://shop.test/{'part/' * 30}list?session={'s' * 60}"


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (f"{LONG}&id=5&back=/", f"{LONG}&id=6&back=/", ["&id=5…", "&id=6…"]),
        (f"{LONG}&id=5", f"{LONG}&id=57", ["&id=5…", "&id=57…"]),
        (f"{LONG}#a", f"{LONG}#b", ["#a…", "#b…"]),
        (
            f"http://shop.test/{'x' * 80}/mug/{'y' * 80}",
            f"http://shop.test/{'x' * 80}/pan/{'y' * 80}",
            ["mug…", "pan…"],
        ),
    ],
)
def test_long_addresses_of_links_of_one_name_keep_what_tells_them_apart(one: str, other: str, shown: list[str]) -> None:
    page = f'- link "More":\n  - /url: {one}\n- link "More":\n  - /url: {other}'
    lines = render(without_needless_urls(lean(parse(page)))).split("\n")
    assert len(set(lines)) == 2
    assert all(len(line) < 170 for line in lines)
    assert all(words.strip("&#…") in line for words, line in zip(shown, lines, strict=True))


@pytest.mark.parametrize(
    ("item", "url_is_shown"),
    [
        ('- listitem:\n  - link "PDF":\n    - /url: /{}', True),
        ('- listitem:\n  - text: Report {}\n  - link "PDF":\n    - /url: /{}', False),
        ('- listitem:\n  - text: Report\n  - link "PDF":\n    - /url: /a{}\n  - link "PDF":\n    - /url: /b{}', True),
    ],
)
def test_the_address_of_a_link_stays_where_nothing_else_tells_it_apart(item: str, url_is_shown: bool) -> None:
    page = "\n".join([item.replace("{}", str(number)) for number in (1, 2)])
    assert ("[url=" in render(without_needless_urls(lean(parse(page))))) is url_is_shown


def test_a_number_beside_a_control_that_names_it_stays() -> None:
    assert render(lean(parse('- listitem:\n  - button "Remove 2 items"\n  - text: "2"'))).endswith("| 2")


@given(pages())
@settings(max_examples=80, deadline=None)
def test_no_control_and_no_word_is_ever_lost(page: Page) -> None:
    tree = identify(RefTable(), page.look()).tree
    check_nothing_lost(tree)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_pages_keep_all_controls_and_words(path: Path) -> None:
    tree = parse(path.read_text(encoding="utf-8"))
    found = identify(RefTable(), replace(Page().look(), tree=tree))
    check_nothing_lost(found.tree)
    assert len(render(without_needless_urls(lean(found.tree)))) < 0.62 * len(path.read_text(encoding="utf-8"))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=5))
@settings(max_examples=80, deadline=None)
def test_cells_with_any_text_stay_on_one_line(texts: list[str]) -> None:
    cells = tuple(SnapshotNode("cell", text) for text in texts)
    row = lean(SnapshotNode("page", children=(SnapshotNode("row", children=cells),)))
    assert "\n" not in render(row)


def check_nothing_lost(tree: SnapshotNode) -> None:
    leaned = lean(tree)
    assert _refs(leaned) == _refs(tree)
    assert not _words(tree) - _words(leaned)
    text = render(without_needless_urls(lean(shield(tree, "f00d"))))
    assert Counter(re.findall(r"\[ref=(e\d+)\]", text)) == _refs(tree)


def _refs(tree: SnapshotNode) -> Counter[str]:
    return Counter(str(node.ref) for node in walk(tree) if node.ref)


def _words(tree: SnapshotNode) -> set[str]:
    return {word for node in walk(tree) for word in f"{node.name} {node.text}".split()}


@pytest.mark.parametrize(
    ("role", "text", "is_kept"),
    [("button", "Invite", False), ("button", "Invited", True), ("textbox", "Invite", True), ("link", "4 left", True)],
)
def test_a_label_that_stands_in_the_name_is_not_said_again_and_a_value_is(role: str, text: str, is_kept: bool) -> None:
    page = SnapshotNode("page", children=(SnapshotNode(role, "Invite member 4", text=text, driver_ref="e1"),))
    (node,) = lean(page).children
    assert (node.text == text) == is_kept
