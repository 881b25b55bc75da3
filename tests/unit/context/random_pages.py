"""Random pages and random edits of them, as a page's own scripts make them; for properties."""

from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from app.domain.ids import DocumentId, TabId
from app.domain.pages import Look, TabInfo
from app.domain.snapshot import Box, FrameInfo, SnapshotNode

WORDS = [
    "Save",
    "Remove",
    "Mug",
    "a: b",
    'so "quoted"',
    "x > y #2",
    "| bar & co",
    "[ref=e1]",
    "… left out: 3 row",
    "12",
    "日本",
]
CONTROLS = ["button", "link", "textbox", "checkbox"]
BLOCKS = ["generic", "list", "listitem", "row", "cell", "region", "paragraph", "main", "dialog"]


@dataclass(slots=True)
class Element:
    """An element of the page: it can be changed, moved and made anew."""

    role: str
    name: str = ""
    text: str = ""
    states: tuple[str, ...] = ()
    around: str = ""
    id: int = 0
    children: list["Element"] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """A page that lives: it counts the driver's refs as the driver does."""

    root: Element = field(default_factory=lambda: Element("page"))
    document: int = 1
    last_id: int = 0
    url: str = "http://site.test/"
    scroll: int = 0

    def number(self, element: Element) -> None:
        """New elements get new driver refs, those that have one keep it."""
        if element.role not in ("text", "page") and not element.id:
            self.last_id += 1
            element.id = self.last_id
        for child in element.children:
            self.number(child)

    def look(self, tab: int = 1) -> Look:
        self.number(self.root)
        document = DocumentId(f"d{tab}.{self.document}")
        return Look(
            tab=TabId(tab),
            document=document,
            url=self.url,
            title="A page",
            tree=snapshot(self.root, -self.scroll),
            frames=(FrameInfo("", document, self.url, is_main=True),),
            tabs=(TabInfo(TabId(1), self.url, "A page", active=True), TabInfo(TabId(2), self.url, "B", active=False)),
            viewport_width=1280,
            viewport_height=100,
            screens_above=self.scroll / 100,
        )


def snapshot(element: Element, top: int = 0) -> SnapshotNode:
    children = tuple(snapshot(child, top + 20 * at) for at, child in enumerate(element.children))
    return SnapshotNode(
        role=element.role,
        name=element.name,
        text="" if children else element.text,
        states=element.states,
        driver_ref=f"e{element.id}" if element.id else "",
        box=Box(0, top, 100, 20) if element.role != "text" else None,
        around=element.around,
        children=children,
    )


def leaves() -> st.SearchStrategy[Element]:
    text = st.builds(Element, st.just("text"), text=st.sampled_from(WORDS))
    control = st.builds(
        Element,
        st.sampled_from(CONTROLS),
        st.sampled_from(["", *WORDS]),
        text=st.sampled_from(["", "", "value"]),
        states=st.sampled_from([(), ("disabled",)]),
        around=st.sampled_from(["", "row A", "row B"]),
    )
    return text | control


def elements() -> st.SearchStrategy[Element]:
    return st.recursive(
        leaves(),
        lambda inner: st.builds(
            Element,
            st.sampled_from(BLOCKS),
            st.sampled_from(["", "", "Named"]),
            children=st.lists(inner, max_size=4),
        ),
        max_leaves=14,
    )


def pages() -> st.SearchStrategy[Page]:
    return st.builds(
        lambda children: Page(Element("page", children=children)), st.lists(elements(), min_size=1, max_size=4)
    )


EDITS = [
    "add",
    "remove",
    "rename",
    "state",
    "text",
    "around",
    "move",
    "wrap",
    "unwrap",
    "reverse",
    "anew",
    "all anew",
    "copy",
]


def edit(draw: st.DrawFn, page: Page) -> str:
    """One random thing that a page's script does; says what."""
    kind = draw(st.sampled_from(EDITS))
    inside = _inside(page.root)
    if kind == "scroll":
        page.scroll = draw(st.integers(0, 20)) * 20
        return kind
    if kind == "all anew":
        _forget(page.root)
        return kind
    if not inside or kind == "add":
        parent = draw(st.sampled_from([page.root, *[one for _, one in inside if one.role in BLOCKS]]))
        parent.children.insert(draw(st.integers(0, len(parent.children))), draw(elements()))
        return "add"
    parent, element = draw(st.sampled_from(inside))
    _change(draw, page, kind, parent, element)
    return kind


def _change(draw: st.DrawFn, page: Page, kind: str, parent: Element, element: Element) -> None:
    at = next(place for place, child in enumerate(parent.children) if child is element)
    if kind == "remove":
        del parent.children[at]
    elif kind == "rename":
        if element.role != "text":
            element.name, element.id = draw(st.sampled_from(WORDS)), 0
    elif kind == "state":
        element.states = () if element.states else ("disabled",)
    elif kind == "text":
        element.text = draw(st.sampled_from(WORDS))
    elif kind == "around":
        element.around = draw(st.sampled_from(["row A", "row C"]))
    elif kind == "move":
        below = [one for _, one in _inside(element)]
        targets = [
            one for _, one in _inside(page.root) if one.role in BLOCKS and one is not element and one not in below
        ]
        target = draw(st.sampled_from([page.root, *targets]))
        del parent.children[at]
        target.children.insert(draw(st.integers(0, len(target.children))), element)
    elif kind == "wrap":
        parent.children[at] = Element("region", draw(st.sampled_from(["", "Wrapper"])), children=[element])
    elif kind == "unwrap":
        parent.children[at : at + 1] = element.children
    elif kind == "reverse":
        parent.children.reverse()
    elif kind == "anew":
        _forget(element)
    else:
        parent.children.append(_copy(element))


def _inside(element: Element) -> list[tuple[Element, Element]]:
    return [pair for child in element.children for pair in [(element, child), *_inside(child)]]


def _forget(element: Element) -> None:
    element.id = 0
    for child in element.children:
        _forget(child)


def _copy(element: Element) -> Element:
    return replace(element, id=0, children=[_copy(child) for child in element.children])
