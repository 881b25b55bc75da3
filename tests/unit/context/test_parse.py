import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.page.parse import DEPTH_LIMIT, parse
from app.domain.snapshot import Box, SnapshotNode, walk
from tests.unit.context.driver_text import printed

RECORDED = sorted((Path(__file__).parent / "snapshots").glob("*.txt"))

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12) | st.sampled_from(
    [
        "a: b",
        "it's",
        '"q"',
        "- x",
        "x #y",
        "[ref=e1]",
        "{}",
        "yes",
        "42",
        "a\\n",
        "tab\t",
        "ends:",
        "new\nline",
        " ",
        "|",
        "/url: x",
    ]
)
states = st.lists(
    st.sampled_from(["checked", "disabled", "level=2", "active", "pressed=mixed"]), unique=True, max_size=2
)
boxes = st.builds(Box, *[st.integers(-5000, 99999).map(float)] * 2, *[st.integers(0, 9999).map(float)] * 2)


@st.composite
def driver_nodes(draw: st.DrawFn, depth: int = 3) -> SnapshotNode:
    if draw(st.integers(0, 3)) == 0:
        return SnapshotNode("text", text=draw(words))
    ref = draw(st.sampled_from(["", "e7", "f12e3"]))
    kids = draw(st.lists(driver_nodes(depth - 1), max_size=3)) if depth else []
    return SnapshotNode(
        draw(st.sampled_from(["button", "generic", "row", "link"])),
        draw(st.just("") | words),
        text="" if kids else draw(st.just("") | words),
        states=tuple(draw(states)),
        url=draw(st.just("") | words),
        driver_ref=ref,
        pointer=bool(ref) and draw(st.booleans()),
        box=draw(st.none() | boxes),
        children=tuple(kids),
    )


@pytest.mark.parametrize(
    ("line", "node"),
    [
        ('- button "Off" [disabled] [ref=e5]', SnapshotNode("button", "Off", states=("disabled",), driver_ref="e5")),
        (
            '- textbox "Name" [active] [ref=f1e2]: Bob',
            SnapshotNode("textbox", "Name", "Bob", ("active",), driver_ref="f1e2"),
        ),
        ('- slider "vol": "30"', SnapshotNode("slider", "vol", "30")),
        ("- 'link \"About: us\" [ref=e8]'", SnapshotNode("link", "About: us", driver_ref="e8")),
        ('- \'button "it\'\'s \\"so\\" #1"\': "a: b"', SnapshotNode("button", 'it\'s "so" #1', "a: b")),
        ('- paragraph: "- x\\n\\x85\\\\"', SnapshotNode("paragraph", text="- x\n\x85\\")),
        (
            "- generic [ref=e1] [cursor=pointer] [box=-8,0.5,10,20]",
            SnapshotNode("generic", driver_ref="e1", pointer=True, box=Box(-8, 0.5, 10, 20)),
        ),
        ("- checkbox [checked=mixed]", SnapshotNode("checkbox", states=("checked=mixed",))),
        ("- text: 2 < 3 [ref=e1]", SnapshotNode("text", text="2 < 3 [ref=e1]")),
    ],
)
def test_a_line_of_the_driver_is_read_exactly(line: str, node: SnapshotNode) -> None:
    assert parse(line).children == (node,)


def test_addresses_and_placeholders_belong_to_the_node_above_them() -> None:
    tree = parse('- link "A" [ref=e1]:\n  - /url: "x: y"\n- textbox "B":\n  - /placeholder: Your name\n  - text: Bob')
    assert tree.children[0].url == "x: y"
    assert tree.children[1].placeholder == "Your name"
    assert tree.children[1].children == (SnapshotNode("text", text="Bob"),)


@pytest.mark.parametrize("line", ["- ???", "- /unknown: thing", '- button "open', '- button "a" tail: x'])
def test_what_is_not_known_stays_as_text(line: str) -> None:
    assert parse(line).children == (SnapshotNode("text", text=line[2:]),)


def test_lines_without_a_dash_continue_the_text_above() -> None:
    assert parse("- paragraph: |\n    one\n    two: 2").children[0].text == "one\ntwo: 2"


@given(st.lists(driver_nodes(), max_size=4))
@settings(max_examples=50, deadline=None)
def test_what_the_driver_prints_is_read_back_as_it_was(nodes: list[SnapshotNode]) -> None:
    text = printed(SnapshotNode("page", children=tuple(nodes)))
    assert printed(parse(text)) == text
    assert len(list(walk(parse(text)))) >= len(nodes)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_snapshots_are_read_without_loss(path: Path) -> None:
    """An empty address is the one thing not kept apart from none."""
    text = path.read_text(encoding="utf-8")
    kept = text.replace(
        'link "empty" [ref=e39] [cursor=pointer] [box=19,1028,40,17]:\n    - /url: ""',
        'link "empty" [ref=e39] [cursor=pointer] [box=19,1028,40,17]',
    )
    assert printed(parse(text)) == kept


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert parse(text).role == "page"


def test_endless_nesting_is_kept_flat_and_loses_nothing() -> None:
    text = "\n".join(f"{'  ' * depth}- generic [ref=e{depth}]:" for depth in range(3000))
    tree = parse(text)
    assert sum(1 for _ in walk(tree)) == 3001
    assert _depth(tree) <= DEPTH_LIMIT + 1


def test_half_a_million_characters_are_read_quickly() -> None:
    row = """        - row [ref=e{0}] [box=1,2,3,4]:
          - cell "{0}" [ref=f1e{0}]
          - link "L: {0}" [ref=e{0}]:
            - /url: /x/{0}
"""
    text = "- table:\n" + "".join(row.format(number) for number in range(4000))
    assert len(text) > 450_000
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 1.5


def _depth(node: SnapshotNode) -> int:
    return 1 + max((_depth(child) for child in node.children), default=0)
