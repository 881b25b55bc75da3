import re

import pytest

from app.context.find import MOST_MATCHES, find, searched, subtree
from app.context.identity import RefTable, identify
from app.context.render import render
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
        ("add TO  cart", [f'{MUG} (in main > table "Stock")\n{MUG_CONTROLS}']),
        ("colour=red", [f'{MUG} (in main > table "Stock")\n{MUG_CONTROLS}']),
        ("sold out", ['- row: 2 | Pot, sold out (in main > table "Stock")']),
        ("from £50", ['- link "from £50" [ref=e3] (in main > paragraph)']),
        ("delivery from £50", ["- paragraph (in main)"]),
        ("nowhere", []),
    ],
)
def test_matches_come_with_their_refs_and_their_place(text: str, lines: list[str]) -> None:
    assert list(find(tree(), text)) == lines


def test_a_pattern_finds_what_it_fits() -> None:
    found = find(tree(), regex=re.compile(r"£\d+$"))
    assert [text.split(" (")[0] for text in found] == [MUG, '- link "from £50" [ref=e3]']


def test_only_so_many_matches_are_listed_and_the_others_counted() -> None:
    buttons = "\n".join(f'- button "Same {at}" [ref=e{at}]' for at in range(1, 61))
    lines = find(identify(RefTable(), look(buttons)).tree, "same")
    assert len(lines) == MOST_MATCHES + 1
    assert lines[-1] == "… 20 more; search for something more exact"


def test_what_was_searched_is_said_for_a_search_without_a_hit() -> None:
    said = searched(tree())
    assert said == "names, texts, values and addresses of all 16 nodes of the page with its frame, shown or left out"


def test_a_part_of_the_page_is_opened_to_a_depth() -> None:
    whole = identify(
        RefTable(), look('- list "L" [cursor=pointer] [ref=e1]:\n  - listitem:\n    - list:\n      - listitem: deep')
    ).tree
    part = subtree(whole, Ref("e1"))
    assert part
    assert render(part) == '- list "L" [cursor=pointer] [ref=e1]:\n  - listitem:\n    - list:\n      - listitem: deep'
    shallow = subtree(whole, Ref("e1"), 1)
    assert shallow
    assert render(shallow) == '- list "L" [cursor=pointer] [ref=e1]:\n  - listitem: … 2 nodes below this depth'
    assert subtree(whole, Ref("e99")) is None
