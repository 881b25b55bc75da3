import pytest

from app.context.page.shown import Shown, show
from app.context.refs.identity import RefTable
from app.domain.ids import DocumentId, ObservationId, TabId
from app.domain.pages import Look, TabInfo
from app.domain.snapshot import SnapshotNode

TABS = (TabInfo(TabId(1), "http://a.example/", "Members", True),)


def look(first: int, url: str = "http://a.example/") -> Look:
    rows = tuple(
        SnapshotNode("button", f"Invite member {number}", driver_ref=f"e{number}")
        for number in range(first, first + 30)
    )
    tree = SnapshotNode("page", children=(SnapshotNode("main", children=rows),))
    return Look(TabId(1), DocumentId("d1"), url, "Members", tree, (), TABS, 1280, 800)


def first_look() -> Shown:
    return show(look(1), RefTable(), None, id=ObservationId("o1"), fence="abc123", terse=True)


@pytest.mark.parametrize(("url", "is_said"), [("http://a.example/", False), ("http://a.example/#two", True)])
def test_a_terse_whole_view_does_not_say_again_where_it_is(url: str, is_said: bool) -> None:
    first = first_look()
    assert "url: http://a.example/" in first.text
    again = show(
        look(1, url), first.table, first.base, id=ObservationId("o2"), fence="abc124", want="whole", terse=True
    )
    assert again.shown_as == "whole"
    assert ("url: " in again.text) == is_said
    assert "Invite member 30" in again.text


def test_a_view_that_stands_for_too_many_changes_can_be_kept_short_and_says_what_is_left_out() -> None:
    first = first_look()
    moved = show(look(200), first.table, first.base, id=ObservationId("o2"), fence="abc124", fallback=600)
    assert moved.shown_as == "whole"
    assert len(moved.text) <= 600
    assert "controls left out" in moved.text
    asked = show(look(200), first.table, first.base, id=ObservationId("o3"), fence="abc125", want="whole", fallback=600)
    assert "Invite member 229" in asked.text, "a look that was asked for is whole"
