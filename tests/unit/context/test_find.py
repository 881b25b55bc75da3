import re

import pytest

from app.context.page.find import MOST_CHARACTERS, MOST_MATCHES, find, found_words, searched, subtree, to_depth
from app.context.page.render import render
from app.context.refs.identity import RefTable, identify
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode
from tests.unit.context.test_identity import look

PAGE = """- main [ref=e1]:
  - table "Stock" [ref=e2]:
    - row [ref=e3]:
      - cell "1" [ref=e4]
      - cell [ref=e5]:
        - link "Mug" [ref=e6]:
          - /url: /mug?colour=red
      - cell "£5" [ref=e7]
      - cell [ref=e8]:
        - button "Add to cart" [ref=e9]
    - row [ref=e10]:
      - cell "2" [ref=e11]
      - cell "Pot, sold out" [ref=e12]
  - paragraph [ref=e13]:
    - text: Free delivery
    - link "from £50" [ref=e14]
  - iframe [ref=e15]"""


MUG = "- row: 1 | £5"
MUG_CONTROLS = '  - link "Mug" [ref=e1] [url=/mug?colour=red]\n  - button "Add to cart" [ref=e2]'


def tree() -> SnapshotNode:
    return identify(RefTable(), look(PAGE)).tree


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("add TO  cart", [f'in main > table "Stock":\n{MUG}\n{MUG_CONTROLS}']),
        ("colour=red", [f'in main > table "Stock":\n{MUG}\n{MUG_CONTROLS}']),
        ("sold out", ['in main > table "Stock":\n- row: 2 | Pot, sold out']),
        ("from £50", ['in main > paragraph:\n- link "from £50" [ref=e3]']),
        ("delivery from £50", ["in main:\n- paragraph"]),
        ("nowhere", []),
    ],
)
def test_matches_come_with_their_refs_and_their_place(text: str, lines: list[str]) -> None:
    assert list(find(tree(), text).texts) == lines


def test_a_pattern_finds_what_it_fits() -> None:
    found = find(tree(), regex=re.compile(r"£\d+$"))
    assert [text.splitlines()[1] for text in found.texts] == [MUG, '- link "from £50" [ref=e3]']


def test_all_matches_are_counted_and_come_page_by_page() -> None:
    buttons = "\n".join(f'- button "Same {at}" [ref=e{at}]' for at in range(1, 96))
    page = identify(RefTable(), look(buttons)).tree
    first, last, beyond = (find(page, "same", page=number) for number in (1, 3, 4))
    assert (len(first.texts), first.first, first.total, first.pages) == (MOST_MATCHES, 1, 95, 3)
    assert (len(last.texts), last.first) == (15, 81)
    assert '"Same 95"' in last.texts[-1]
    assert (beyond.texts, beyond.total) == ((), 95)
    assert found_words(first) == "Found at 95 places, here 1-40, the most exact first; page=2 shows the next"
    assert found_words(last) == "Found at 95 places, here 81-95, the most exact first"
    assert found_words(find(tree(), "sold out")) == "Found at 1 place"


def test_a_page_of_matches_is_no_longer_than_a_page() -> None:
    long = "\n".join(f'- button "Same {at} {"long " * 100}" [ref=e{at}]' for at in range(1, 96))
    found = find(identify(RefTable(), look(long)).tree, "same")
    assert sum(map(len, found.texts)) <= MOST_CHARACTERS
    assert found.pages > 3


def test_what_says_just_the_phrase_comes_first() -> None:
    page = '- link "Open order list" [ref=e1]\n- link "Order" [ref=e2]\n- link "order" [ref=e3]\n- text: An order came'
    found = find(identify(RefTable(), look(page)).tree, "order")
    assert [text.partition(" [")[0] for text in found.texts] == [
        '- link "Order"',
        '- link "order"',
        '- link "Open order list"',
        "- text: An order came",
    ]


def test_a_phrase_that_is_nowhere_is_looked_for_by_its_words() -> None:
    found = find(tree(), "cart add")
    assert list(found.texts) == [f'in main > table "Stock":\n{MUG}\n{MUG_CONTROLS}']
    assert found_words(found) == "The phrase is nowhere; all its words stand at 1 place"


def test_a_pattern_matches_a_row_as_it_is_shown_with_bars_between_its_cells() -> None:
    found = find(tree(), regex=re.compile(r"Mug \| £5"))
    assert found.total == 1
    assert 'link "Mug"' in found.texts[0]


def test_what_was_searched_is_said_for_a_search_without_a_hit() -> None:
    said = searched(tree())
    assert said == "names, texts, values and addresses of all 16 nodes with its frame, shown or left out"


def test_a_part_of_the_page_is_opened_to_a_depth() -> None:
    whole = identify(
        RefTable(), look('- list "L" [cursor=pointer] [ref=e1]:\n  - listitem:\n    - list:\n      - listitem: deep')
    ).tree
    part = subtree(whole, Ref("e1"))
    assert part
    assert render(part) == '- list "L" [cursor=pointer] [ref=e1]:\n  - listitem:\n    - list:\n      - listitem: deep'
    assert render(to_depth(part, 1)) == (
        '- list "L" [cursor=pointer] [ref=e1]:\n  - listitem: … 2 nodes below this depth'
    )
    assert subtree(whole, Ref("e99")) is None
