"""What the page scripts tell of a tree is put in its place: left-out things, words that act, labels of hidden boxes."""

import pytest

from app.browser.marking import facts_of, mark
from app.domain.snapshot import Box, SnapshotNode

BOX = [0, 0, 40, 20]


def _page(*children: SnapshotNode) -> SnapshotNode:
    return SnapshotNode("page", children=(SnapshotNode("generic", driver_ref="e1", children=children),))


def _marked(tree: SnapshotNode, **answer: object) -> SnapshotNode:
    return mark(tree, facts_of([answer])).children[0]


def test_a_word_that_acts_is_taken_out_of_the_text_around_it() -> None:
    tree = _page(SnapshotNode("paragraph", driver_ref="e2", text="Read the terms first"))
    left = [["e9", "generic", "terms", ["e2", "e1"], [], BOX]]
    paragraph = _marked(tree, left=left, marks=[["e9", ["clickable"], "", None]]).children[0]
    assert [(one.role, one.name or one.text, one.marks) for one in paragraph.children] == [
        ("text", "Read the", ()),
        ("generic", "terms", ("clickable",)),
        ("text", "first", ()),
    ]
    assert paragraph.text == ""


def test_something_without_a_line_stands_before_what_begins_below_it() -> None:
    tree = _page(
        SnapshotNode("button", "Above", driver_ref="e2", box=Box(0, 0, 40, 20)),
        SnapshotNode("button", "Below", driver_ref="e3", box=Box(0, 90, 40, 20)),
    )
    left = [["e9", "generic", "", ["e1"], [], [0, 40, 40, 20]]]
    assert [one.driver_ref for one in _marked(tree, left=left).children] == ["e2", "e9", "e3"]


@pytest.mark.parametrize(
    ("inside", "refs"),
    [(["e2"], ["e9", "e2", "e3"]), (["e2", "e3"], ["e2", "e3"])],
    ids=["a wrapper of one thing takes it in", "a wrapper of several is not put in"],
)
def test_a_wrapper_without_a_line(inside: list[str], refs: list[str]) -> None:
    tree = _page(SnapshotNode("button", "One", driver_ref="e2"), SnapshotNode("button", "Two", driver_ref="e3"))
    body = _marked(tree, left=[["e9", "generic", "", ["e1"], inside, BOX]])
    found = [one.driver_ref for child in body.children for one in (child, *child.children)]
    assert found == refs


def test_what_has_a_line_already_is_not_put_in_again() -> None:
    tree = _page(SnapshotNode("button", "One", driver_ref="e2"))
    body = _marked(tree, left=[["e2", "button", "One", ["e1"], [], BOX]])
    assert [one.driver_ref for one in body.children] == ["e2"]


@pytest.mark.parametrize(("checked", "states"), [(True, ("checked",)), (False, ())])
def test_the_label_of_a_hidden_box_is_shown_as_the_box(checked: bool, states: tuple[str, ...]) -> None:
    children = (SnapshotNode("checkbox", "Night"), SnapshotNode("text", text="Night"))
    tree = _page(SnapshotNode("generic", driver_ref="e2", children=children))
    box = _marked(tree, marks=[["e2", ["clickable"], "", ["checkbox", checked]]]).children[0]
    assert (box.role, box.name, box.states, box.children) == ("checkbox", "Night", states, ())
