import pytest
from hypothesis import given, settings

from app.context.page.lean import lean
from app.context.page.render import ShownNode, label_of, own_ref, parse_shown, refs_of, render, render_shown, shown
from app.context.page.shield import shield
from app.context.refs.identity import RefTable, identify
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode
from tests.unit.context.random_pages import Page, pages


@pytest.mark.parametrize(
    ("node", "line"),
    [
        (SnapshotNode("button", "Save", states=("disabled",), ref=Ref("e17")), '- button "Save" [disabled] [ref=e17]'),
        (SnapshotNode("textbox", "Name", "Bob", ("active",), ref=Ref("e2")), '- textbox "Name" [ref=e2]: Bob'),
        (
            SnapshotNode("textbox", "Pin", "••••", marks=("password", "readonly")),
            '- textbox "Pin" [password] [readonly]: ••••',
        ),
        (SnapshotNode("text", text="white on white", marks=("unseen",)), "- text [unseen]: white on white"),
        (SnapshotNode("button", hint="icon [trash]", ref=Ref("e1")), "- button [hint: icon ［trash］] [ref=e1]"),
        (SnapshotNode("textbox", "Sails", hint="date"), '- textbox "Sails" [hint: date]'),
        (SnapshotNode("textbox", "Q", placeholder="a [b]"), '- textbox "Q" [placeholder: a ［b］]'),
        (SnapshotNode("link", "L", url="/a?b[]=1"), '- link "L" [url=/a?b［］=1]'),
        (SnapshotNode("text", text=""), '- text: ""'),
        (SnapshotNode("text", text="two\nlines"), '- text: "two\\nlines"'),
        (SnapshotNode("text", text="a\u2028b\x85c"), '- text: "a\\u2028b\\u0085c"'),
        (SnapshotNode("text", text="key: value"), "- text: key: value"),
        (SnapshotNode("text", text="like a block:"), '- text: "like a block:"'),
        (SnapshotNode("text", text='"quoted"'), '- text: "\\"quoted\\""'),
        (SnapshotNode("text", text="… left out: 3 row"), '- text: "… left out: 3 row"'),
        (SnapshotNode("button", 'a "b" \\', ref=Ref("e1")), '- button "a \\"b\\" \\\\" [ref=e1]'),
        (SnapshotNode("button", "B", marks=("clickable", "covered")), '- button "B"'),
    ],
)
def test_a_node_is_one_line(node: SnapshotNode, line: str) -> None:
    assert render(SnapshotNode("page", children=(node,))) == line


@given(pages())
@settings(max_examples=60, deadline=None)
def test_what_is_rendered_is_read_back_line_by_line(page: Page) -> None:
    tree = shield(identify(RefTable(), page.look()).tree, "f00d")
    for made in (shown(tree), shown(lean(tree))):
        text = render_shown(made)
        assert parse_shown(text) == made
        assert all(line.lstrip().startswith("- ") for line in text.split("\n") if text)


@pytest.mark.parametrize(
    ("line", "own", "all_refs", "label"),
    [
        ('button "Save" [disabled] [ref=e2]: x', "e2", ["e2"], 'button "Save" [ref=e2]'),
        (
            'row: 1 | link "M" [ref=e3] | button "B" [ref=e4]',
            "",
            ["e3", "e4"],
            'row: 1 | link "M" | button "B"',
        ),
        ('row [selected] [ref=e1]: link "M" [ref=e3]', "e1", ["e1", "e3"], "row [ref=e1]"),
        ("text: " + "long " * 30, "", [], "text: long long long long long long long long l…"),
    ],
)
def test_a_line_knows_its_own_ref_from_those_in_its_cells(line: str, own: str, all_refs: list[str], label: str) -> None:
    assert (own_ref(line), refs_of(line), label_of(line)) == (own, all_refs, label)


def test_an_empty_page_is_an_empty_text() -> None:
    assert render_shown(ShownNode("page")) == ""
    assert parse_shown("") == ShownNode("page")
