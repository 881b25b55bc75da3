from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.page.parse import parse
from app.context.refs.identity import RefTable, can_be_acted_on, identify, probe_meaning, retire_all
from app.context.refs.meaning import frame_path, frame_prefix, meaning_of, stable
from app.domain.ids import DocumentId, Ref, TabId
from app.domain.observation import Meaning
from app.domain.pages import Dialog, Look, Probe, TabInfo
from app.domain.snapshot import FrameInfo, SnapshotNode, walk
from tests.unit.context.random_pages import edit, forget, random_page


def look(
    text: str,
    *,
    tab: int = 1,
    document: str = "d1",
    url: str = "http://site.test/a",
    frames: Mapping[str, tuple[str, str]] | None = None,
    around: Mapping[str, str] | None = None,
    tabs: tuple[int, ...] = (1, 2),
) -> Look:
    """A look at a snapshot; `frames` are document and address by prefix, `around` the surroundings by driver ref."""
    main = FrameInfo("", DocumentId(document), url, is_main=True)
    others = [FrameInfo(prefix, DocumentId(doc), at, is_main=False) for prefix, (doc, at) in (frames or {}).items()]
    return Look(
        tab=TabId(tab),
        document=DocumentId(document),
        url=url,
        title="Title",
        tree=_placed(parse(text), around or {}),
        frames=(main, *others),
        tabs=tuple(TabInfo(TabId(each), url, "Title", active=each == tab) for each in tabs),
        viewport_width=1280,
        viewport_height=800,
    )


def _placed(node: SnapshotNode, around: Mapping[str, str]) -> SnapshotNode:
    children = tuple(_placed(child, around) for child in node.children)
    return replace(node, around=around.get(node.driver_ref, ""), children=children)


def refs(tree: SnapshotNode) -> dict[str, str]:
    """Our refs by the driver's."""
    return {node.driver_ref: str(node.ref) for node in walk(tree) if node.ref}


def test_only_what_can_be_acted_on_gets_a_ref_in_order_of_the_page() -> None:
    text = """- generic [active] [ref=e1]:
  - heading "Hi" [ref=e2]
  - button "Go" [ref=e3]
  - generic [cursor=pointer] [ref=e4]: Open
  - generic "Editor" [ref=e5]: text
  - iframe [ref=e6]
  - generic [active] [ref=e7]
  - option "no ref of the driver"
  - img [ref=e8]"""
    assert refs(identify(RefTable(), look(text)).tree) == {"e3": "e1", "e4": "e2", "e5": "e3", "e6": "e4", "e7": "e5"}


def test_what_the_page_says_can_be_clicked_or_dragged_gets_a_ref() -> None:
    page = look('- listitem "A" [ref=e1]\n- listitem "B" [ref=e2]\n- listitem "C" [ref=e3]')
    first, second, third = page.tree.children
    marked = replace(
        page.tree, children=(replace(first, marks=("draggable",)), replace(second, marks=("clickable",)), third)
    )
    assert refs(identify(RefTable(), replace(page, tree=marked)).tree) == {"e1": "e1", "e2": "e2"}


def test_the_same_node_keeps_its_ref_whatever_its_state_value_or_place() -> None:
    first = identify(RefTable(), look('- button "Save" [ref=e5]\n- textbox "Name" [ref=e6]'))
    second = identify(
        first.table, look('- region "New":\n  - textbox "Name" [disabled] [ref=e6]: Bob\n  - button "Save" [ref=e5]')
    )
    assert refs(second.tree) == {"e5": "e1", "e6": "e2"}
    assert (second.replaced, second.gone) == ((), ())


def test_a_node_that_was_made_anew_keeps_its_ref_when_nothing_else_could_be_meant() -> None:
    first = identify(RefTable(), look('- button "Save" [ref=e5]\n- button "Back" [ref=e6]'))
    second = identify(first.table, look('- button "Back" [ref=e16]\n- button "Save" [ref=e15]'))
    assert refs(second.tree) == {"e15": "e1", "e16": "e2"}
    assert second.table.records[Ref("e1")].driver_ref == "e15"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('- button "Add" [ref=e1]\n- button "Add" [ref=e2]', '- button "Add" [ref=e11]\n- button "Add" [ref=e12]'),
        ('- button "Add" [ref=e1]', '- button "Add" [ref=e11]\n- button "Add" [ref=e12]'),
        ('- button "Add" [ref=e1]\n- button "Add" [ref=e2]', '- button "Add" [ref=e11]'),
    ],
)
def test_nodes_made_anew_that_cannot_be_told_apart_get_new_refs(before: str, after: str) -> None:
    first = identify(RefTable(), look(before))
    second = identify(first.table, look(after))
    assert not set(refs(first.tree).values()) & set(refs(second.tree).values())
    assert set(second.gone) == set(refs(first.tree).values())


def test_equal_buttons_made_anew_are_told_apart_by_their_rows() -> None:
    rows = {"e1": "Mug", "e2": "Pot"}
    first = identify(RefTable(), look('- button "Add" [ref=e1]\n- button "Add" [ref=e2]', around=rows))
    again = {"e12": "Mug", "e11": "Pot"}
    second = identify(first.table, look('- button "Add" [ref=e11]\n- button "Add" [ref=e12]', around=again))
    assert refs(second.tree) == {"e12": "e1", "e11": "e2"}


def test_a_recycled_row_gives_its_button_the_ref_of_the_row_it_now_shows() -> None:
    text = '- button "Delete" [ref=e1]\n- button "Delete" [ref=e2]'
    first = identify(RefTable(), look(text, around={"e1": "Mail 1", "e2": "Mail 2"}))
    second = identify(first.table, look(text, around={"e1": "Mail 2", "e2": "Mail 3"}))
    assert refs(second.tree) == {"e1": "e2", "e2": "e3"}
    assert second.gone == (Ref("e1"),)
    assert not second.table.records[Ref("e1")].alive


def test_rows_that_are_recycled_upwards_keep_their_places_in_mind() -> None:
    text = "\n".join(f'- button "Delete" [ref=e{at}]' for at in (1, 2, 3))
    table = identify(RefTable(), look(text, around={"e1": "Mail 1", "e2": "Mail 2", "e3": "Mail 3"})).table
    up = look(text, around={"e1": "Mail 0", "e2": "Mail 1", "e3": "Mail 2"})
    found = identify(table, up)
    assert refs(found.tree) == {"e1": "e4", "e2": "e1", "e3": "e2"}
    assert set(found.table.nodes.values()) == {"e4", "e1", "e2"}
    assert refs(identify(found.table, up).tree) == refs(found.tree)


@pytest.mark.parametrize(
    ("after", "around", "now"),
    [
        ('- button "Saved" [ref=e9]', "", Meaning("button", "Saved", "", "site.test/a")),
        ('- button "Save" [ref=e5]', "Row 2", Meaning("button", "Save", "Row 2", "site.test/a")),
    ],
)
def test_a_changed_meaning_gives_a_new_ref_and_says_what_replaced_what(after: str, around: str, now: Meaning) -> None:
    first = identify(RefTable(), look('- main [ref=e1]:\n  - button "Save" [ref=e5]', around={"e5": ""}))
    page = look(f"- main [ref=e1]:\n  {after}", around={"e5": around, "e9": around})
    second = identify(first.table, page)
    (change,) = second.replaced
    assert (change.old, change.new) == (Ref("e1"), Ref("e2"))
    assert change.old_meaning == Meaning("button", "Save", "", "site.test/a")
    assert change.new_meaning == now
    assert second.gone == (Ref("e1"),)
    dead = second.table.records[Ref("e1")]
    assert (dead.alive, dead.successor) == (False, None)
    where = ", in another place: it stands in “Row 2” now" if around else ""
    assert dead.fate == f'it was replaced by e2 button "{now.name}"{where}'


def test_a_button_that_changes_back_is_a_new_thing_each_time() -> None:
    table, seen = RefTable(), []
    for name, driver_ref in (("Save", "e5"), ("Saved", "e6"), ("Save", "e8")):
        found = identify(table, look(f'- button "{name}" [ref={driver_ref}]'))
        table = found.table
        seen += refs(found.tree).values()
    assert seen == ["e1", "e2", "e3"]


def test_a_node_that_was_hidden_for_a_while_finds_its_ref_again() -> None:
    first = identify(RefTable(), look('- menuitem "Cut" [ref=e5]\n- menuitem "Copy" [ref=e6]'))
    without = identify(first.table, look('- menuitem "Copy" [ref=e6]'))
    assert without.gone == (Ref("e1"),)
    assert without.table.records[Ref("e1")].fate == "it is no longer on the page"
    back = identify(without.table, look('- menuitem "Cut" [ref=e5]\n- menuitem "Copy" [ref=e6]'))
    assert refs(back.tree) == {"e5": "e1", "e6": "e2"}
    assert back.table.records[Ref("e1")].alive


def test_a_new_document_ends_all_refs_of_the_old_one_and_tells_where_it_went() -> None:
    first = identify(RefTable(), look('- button "Go" [ref=e3]\n- button "Stay" [ref=e4]'))
    second = identify(first.table, look('- button "Go" [ref=e3]', document="d2", url="http://site.test/b"))
    assert refs(second.tree) == {"e3": "e3"}
    assert second.gone == (Ref("e1"), Ref("e2"))
    gone = second.table.records[Ref("e1")]
    assert gone.fate == "its page is gone (went to http://site.test/b)"
    assert gone.successor is None


def test_a_reload_names_what_the_same_thing_is_now() -> None:
    first = identify(RefTable(), look('- button "Go" [ref=e3]\n- button "Stay" [ref=e4]'))
    second = identify(first.table, look('- button "Go" [ref=e3]', document="d2"))
    assert second.table.records[Ref("e1")].successor == Ref("e3")
    assert second.table.records[Ref("e2")].successor is None


def test_a_frame_that_went_elsewhere_ends_only_its_own_refs() -> None:
    text = '- button "Outer" [ref=e1]\n- iframe [ref=e2]:\n  - button "Read more" [ref=f1e3]'
    first = identify(RefTable(), look(text, frames={"f1": ("d1.1", "http://site.test/in")}))
    after = text.replace("Read more", "Delete account")
    second = identify(first.table, look(after, frames={"f1": ("d1.2", "http://site.test/danger")}))
    assert refs(second.tree) == {"e1": "e1", "e2": "e2", "f1e3": "e4"}
    assert second.gone == (Ref("e3"),)
    assert second.table.records[Ref("e3")].fate == "its frame is gone (went to http://site.test/danger)"


def test_nodes_of_a_frame_that_nobody_knows_get_no_ref() -> None:
    found = identify(RefTable(), look('- button "A" [ref=e1]\n- button "B" [ref=f7e1]'))
    assert refs(found.tree) == {"e1": "e1"}


def test_a_frame_without_a_prefix_never_stands_for_the_main_one() -> None:
    page = look('- button "A" [ref=e1]')
    stray = FrameInfo("", DocumentId("other"), "http://ads.test/", is_main=False)
    found = identify(RefTable(), replace(page, frames=(*page.frames, stray)))
    assert found.table.records[Ref("e1")].document == "d1"


def test_refs_of_another_tab_live_on_and_are_never_given_again() -> None:
    first = identify(RefTable(), look('- button "A" [ref=e3]', tab=1))
    second = identify(first.table, look('- button "B" [ref=e3]', tab=2, document="d9"))
    assert refs(second.tree) == {"e3": "e2"}
    assert second.table.records[Ref("e1")].alive
    third = identify(second.table, look('- button "A" [ref=e3]', tab=1))
    assert refs(third.tree) == {"e3": "e1"}


def test_the_refs_of_a_closed_tab_are_dead() -> None:
    first = identify(RefTable(), look('- button "A" [ref=e3]', tab=2))
    second = identify(first.table, look('- button "B" [ref=e3]', tab=1, document="d9", tabs=(1,)))
    assert second.table.records[Ref("e1")].fate == "its tab was closed"
    assert second.gone == (Ref("e1"),)


def test_a_dialog_that_freezes_the_page_ends_no_ref() -> None:
    first = identify(RefTable(), look('- button "A" [ref=e3]'))
    frozen = replace(look(""), dialog=Dialog(TabId(1), "alert", "Hi"), frames=())
    second = identify(first.table, frozen)
    assert second.table.records[Ref("e1")].alive
    assert refs(identify(second.table, look('- button "A" [ref=e3]')).tree) == {"e3": "e1"}


def test_after_a_hand_back_also_the_same_node_has_a_new_ref() -> None:
    first = identify(RefTable(), look('- button "A" [ref=e3]'))
    table = retire_all(first.table, "a person had the browser")
    second = identify(table, look('- button "A" [ref=e3]'))
    assert refs(second.tree) == {"e3": "e2"}
    assert (table.records[Ref("e1")].alive, table.records[Ref("e1")].fate) == (False, "a person had the browser")


@pytest.mark.parametrize(
    ("node", "frame_url", "href"),
    [
        (SnapshotNode("button", "Pay", driver_ref="e3", around="Mug 14:03:22 left"), "http://a.test/x?q#f", ""),
        (SnapshotNode("link", "Next", url="/p/2", driver_ref="e3"), "http://a.test/x", "http://a.test/p/2"),
        (SnapshotNode("link", "Menu", url="#", driver_ref="e3"), "http://a.test/x", "http://a.test/x#"),
    ],
)
def test_look_and_probe_mean_the_same_while_nothing_changed(node: SnapshotNode, frame_url: str, href: str) -> None:
    at_look = meaning_of(node, [FrameInfo("", DocumentId("d1"), frame_url, is_main=True)])
    bare = replace(node, url="", children=())
    assert probe_meaning(Probe("ok", bare, frame_url=frame_url, href=href)) == at_look


def test_a_route_changes_what_a_button_means_but_not_what_a_link_means() -> None:
    text = (
        '- button "Delete" [ref=e1]\n- link "Help" [ref=e2]:\n  - /url: /help\n- link "Menu" [ref=e3]:\n  - /url: "#"'
    )
    first = identify(RefTable(), look(text, url="http://site.test/mail/1"))
    second = identify(first.table, look(text, url="http://site.test/mail/2?a=b"))
    assert refs(second.tree) == {"e1": "e4", "e2": "e2", "e3": "e5"}
    same_route = identify(second.table, look(text, url="http://site.test/mail/2?other#here"))
    assert same_route.gone == ()


def test_a_button_that_counts_down_keeps_its_ref_and_can_be_acted_on() -> None:
    table, given_refs = RefTable(), set()
    for number, left in enumerate((30, 29, 28)):
        found = identify(table, look(f'- button "Resend in {left} s" [ref=e{number + 5}]'))
        table = found.table
        given_refs |= set(refs(found.tree).values())
    assert given_refs == {"e1"}
    now = Probe("ok", SnapshotNode("button", "Resend in 3 s"), frame_url="http://site.test/a")
    assert probe_meaning(now) == table.records[Ref("e1")].meaning


@pytest.mark.parametrize(
    "name", ["Wait 10 seconds", "Pay $10", "10:30", "3 hours ago", "Delete, 3 minutes ago", "Inbox (3)"]
)
def test_a_name_that_tells_things_apart_is_left_whole(name: str) -> None:
    assert meaning_of(SnapshotNode("button", name), ()).name == name


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Order 17, 14:03:22", "Order 17,"),
        ("Posted 3 minutes ago by Bob", "Posted by Bob"),
        ("saved just now", "saved"),
        ("Reserved for you, 04:59 left", "Reserved for you, left"),
        ("time left 4:59", "time left"),
        ("10:30 Dr. Smith", "10:30 Dr. Smith"),
        ("vor 5 Min. gesendet", ". gesendet"),
        ("3分钟前 发布", "发布"),
        ("Room 12", "Room 12"),
    ],
)
def test_parts_that_change_by_themselves_tell_nothing_apart(text: str, kept: str) -> None:
    assert stable(text) == kept


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://a.test:8443/x/y?q=1#f", "a.test:8443/x/y"),
        ("about:srcdoc", "srcdoc"),
        ("data:text/html,<p>1", "data:"),
        ("http://[bad", "http://[bad"),
    ],
)
def test_the_path_of_an_address_leaves_out_query_and_fragment(url: str, path: str) -> None:
    assert frame_path(url) == path


@dataclass(slots=True)
class Witness:
    """Remembers what every ref was given for."""

    things: dict[str, tuple[object, ...]] = field(default_factory=dict)
    retired: set[str] = field(default_factory=set)

    def sees(self, at: Look, tree: SnapshotNode, table: RefTable) -> None:
        shown = [node for node in walk(tree) if node.ref]
        assert len({node.ref for node in shown}) == len(shown)
        documents = {frame.prefix: frame.document for frame in at.frames}
        for node in shown:
            document = documents[frame_prefix(node.driver_ref) or ""]
            thing = (at.tab, document, node.role, node.name, node.around)
            assert self.things.setdefault(str(node.ref), thing) == thing
            assert node.ref not in self.retired
            record = table.records[Ref(str(node.ref))]
            assert (record.alive, record.driver_ref) == (True, node.driver_ref)
        for node in walk(tree):
            assert node.ref or not (node.driver_ref and can_be_acted_on(node))
        alive = {ref for ref, record in table.records.items() if record.alive and record.tab == at.tab}
        assert alive == {node.ref for node in shown}


@given(st.integers(0, 2**32).map(Random))
@settings(max_examples=100)
def test_a_ref_never_denotes_another_thing(chance: Random) -> None:
    witness, table, open_pages = Witness(), RefTable(), {1: random_page(chance), 2: random_page(chance)}
    last: dict[int, tuple[Look, SnapshotNode]] = {}
    for _ in range(chance.randint(2, 8)):
        tab = chance.choice([1, 1, 2])
        event = chance.choice(["edits", "edits", "edits", "reload", "hand back"])
        page = open_pages[tab]
        if event == "reload":
            page.document, page.last_id = page.document + 1, 0
            forget(page.root)
        elif event == "hand back":
            witness.retired |= set(table.records)
            table = retire_all(table, "handed back")
            last.clear()
        for _ in range(chance.randint(0, 3)):
            edit(chance, page)
        now = page.look(tab)
        found = identify(table, now)
        witness.sees(now, found.tree, found.table)
        _same_nodes_keep_their_refs(last.get(tab), now, found.tree)
        assert {pair.old for pair in found.replaced} <= set(found.gone)
        table, last[tab] = found.table, (now, found.tree)


def _same_nodes_keep_their_refs(before: tuple[Look, SnapshotNode] | None, now: Look, tree: SnapshotNode) -> None:
    if before is None or before[0].document != now.document:
        return
    then = {node.driver_ref: node for node in walk(before[1]) if node.ref}
    for node in walk(tree):
        was = then.get(node.driver_ref)
        if was and (was.role, was.name, was.around) == (node.role, node.name, node.around):
            assert node.ref == was.ref


def test_nothing_is_gone_from_a_page_that_was_drawn_anew_while_it_was_read() -> None:
    row = '- button "Sell" [ref=e1]'
    table = identify(RefTable(), look(row, around={"e1": "Alca"})).table
    torn = identify(table, replace(look('- button "Sell" [ref=e2]'), restless=True))
    assert torn.table.records[Ref("e1")].alive
    assert (torn.gone, torn.replaced) == ((), ())
    calm = identify(torn.table, look('- button "Sell" [ref=e3]', around={"e3": "Alca"}))
    assert refs(calm.tree) == {"e3": "e1"}


def test_the_same_button_at_another_address_is_not_offered_as_what_became_of_the_old_one() -> None:
    frame = '- iframe [ref=e1]:\n  - button "Read letter" [ref=f1e2]'
    first = identify(RefTable(), look(frame, frames={"f1": ("d2", "http://site.test/letter/4")}))
    letter = Ref(refs(first.tree)["f1e2"])
    other = identify(first.table, look(frame, frames={"f1": ("d3", "http://site.test/letter/5")}))
    same = identify(first.table, look(frame, frames={"f1": ("d3", "http://site.test/letter/4")}))
    assert not other.table.records[letter].alive
    assert other.table.records[letter].successor is None
    assert same.table.records[letter].successor == refs(same.tree)["f1e2"]
