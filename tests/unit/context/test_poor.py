"""A page whose text shows little says so once, in the header of its whole view."""

import pytest

from app.context.page.header import header, known_of
from app.context.page.parse import parse
from app.domain.ids import DocumentId, ObservationId, TabId
from app.domain.pages import Look

HINT = "hint: much of this page is not in its text"
ICONS = "\n".join(f"- button [ref=e{number}]" for number in range(1, 7))
TEXT = "\n".join(f"- paragraph: Line {number}" for number in range(12))


def look(snapshot: str, drawn: float = 0.0) -> Look:
    document = DocumentId("d1")
    return Look(TabId(1), document, "http://site.test/", "Page", parse(snapshot), (), (), 1280, 720, drawn=drawn)


@pytest.mark.parametrize(
    ("snapshot", "drawn", "poor"),
    [
        (TEXT, 0.0, False),
        (TEXT, 0.3, False),
        (TEXT, 0.6, True),
        ("- generic: Game", 0.3, True),
        ("- generic: Game", 0.1, False),
        (ICONS, 0.0, True),
        (ICONS + "\n" + "\n".join(f'- button "B{n}" [ref=e{n}]' for n in range(10, 30)), 0.0, False),
    ],
)
def test_a_page_whose_text_shows_little_says_how_to_see_it(snapshot: str, drawn: float, poor: bool) -> None:
    seen = look(snapshot, drawn)
    shown = header(seen, ObservationId("o1"), tree=seen.tree, what="whole page")
    assert (HINT in shown) is poor


def test_it_is_said_with_the_whole_page_only() -> None:
    seen = look(TEXT, 0.6)
    known = known_of(seen, seen.tree)
    assert HINT not in header(seen, ObservationId("o2"), tree=seen.tree, what="same as o1", known=known)
