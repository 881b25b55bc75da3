"""Editing a journal in Wagtail: find posts, change them, fold sections, save drafts, search."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Back, Click, Fill, Open, Step

POSTS = (
    (3, "Boats 2: swell and rope", "swell"),
    (16, "Weather 3: anchor and current", "anchor"),
    (29, "Market 4: buoy and current", "buoy"),
    (42, "People 5: tide and lantern", "lantern"),
    (3, "Boats 7: quay and buoy", "quay"),
)
SAVE = Aim("button", "")  # its words are no part of its name


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/admin/"), "The Harbour Journal")
    yield Step(Click(Aim("link", "Snippets")), "Topics")
    for section, title, word in POSTS:
        yield from _edit(section, title)
        yield from _look_around(word)


def _edit(section: int, title: str) -> Iterator[Step]:
    yield Step(Open(f"/admin/pages/{section}/"), title)
    yield Step(Click(Aim("checkbox", "Select", nth=1)))
    yield Step(Click(Aim("link", title)), "Editing Post page")
    yield Step(Fill(Aim("textbox", "Author*"), f"Eve of {title[:6]}"))
    yield Step(Click(Aim("checkbox", "On the front page")))
    yield Step(Click(Aim("button", "Toggle section", nth=1)))
    yield Step(Click(Aim("tab", "Promote")), "Slug")
    yield Step(Click(Aim("tab", "Content")), "Author")
    yield Step(Fill(Aim("textbox", "Title*"), f"{title}, revised"))
    yield Step(Click(SAVE), "revised")
    yield Step(Click(Aim("button", "Toggle status")), "Status")
    yield Step(Click(Aim("button", "Toggle status")))


def _look_around(word: str) -> Iterator[Step]:
    yield Step(Click(Aim("link", "History")), "History")
    yield Step(Back())
    yield Step(Click(Aim("button", "Pages")))
    yield Step(Click(Aim("button", "Pages")))
    yield Step(Click(Aim("link", "Dashboard")), "Site summary")
    yield Step(Fill(Aim("textbox", "Search term"), word))
    yield Step(Open(f"/admin/pages/search/?q={word}"), word)
    yield Step(Click(Aim("link", "Title")))
