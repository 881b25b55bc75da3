"""Random pages and random edits of them, as a page's own scripts make them; the same seed makes the same."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

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
FRAME_URL = "http://frame.test/inner"
CONTROLS = ["button", "link", "textbox", "checkbox"]
BLOCKS = ["generic", "list", "listitem", "row", "cell", "region", "paragraph", "main", "dialog", "iframe"]


@dataclass(slots=True)
class Element:
    """An element of the page: it can be changed, moved and made anew."""

    role: str
    name: str = ""
    text: str = ""
    states: tuple[str, ...] = ()
    around: str = ""
    id: int = 0
    frame: int = 0  # of an iframe: which document of the driver's count stands in it
    children: list["Element"] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """A page that lives: it counts the driver's refs and the documents of its frames as the driver does."""

    root: Element = field(default_factory=lambda: Element("page"))
    document: int = 1
    last_id: int = 0
    last_frame: int = 0
    url: str = "http://site.test/"
    scroll: int = 0

    def number(self, element: Element) -> None:
        """New elements get new driver refs, those that have one keep it; so it is with the documents of frames."""
        if element.role not in ("text", "page") and not element.id:
            self.last_id += 1
            element.id = self.last_id
        if element.role == "iframe" and not element.frame:
            self.last_frame += 1
            element.frame = self.last_frame
            for child in element.children:
                forget(child)
        for child in element.children:
            self.number(child)

    def look(self, tab: int = 1) -> Look:
        self.number(self.root)
        document = DocumentId(f"d{tab}.{self.document}")
        inner = [element.frame for _, element in inside(self.root) if element.role == "iframe"]
        return Look(
            tab=TabId(tab),
            document=document,
            url=self.url,
            title="A page",
            tree=snapshot(self.root, -self.scroll),
            frames=(
                FrameInfo("", document, self.url, is_main=True),
                *[FrameInfo(f"f{one}", DocumentId(f"{document}f{one}"), FRAME_URL, is_main=False) for one in inner],
            ),
            tabs=(TabInfo(TabId(1), self.url, "A page", active=True), TabInfo(TabId(2), self.url, "B", active=False)),
            viewport_width=1280,
            viewport_height=100,
            screens_above=self.scroll / 100,
        )


def snapshot(element: Element, top: int = 0, prefix: str = "") -> SnapshotNode:
    below = f"f{element.frame}" if element.role == "iframe" else prefix
    children = tuple(snapshot(child, top + 20 * at, below) for at, child in enumerate(element.children))
    return SnapshotNode(
        role=element.role,
        name=element.name,
        text="" if children else element.text,
        states=element.states,
        driver_ref=f"{prefix}e{element.id}" if element.id else "",
        box=Box(0, top, 100, 20) if element.role != "text" else None,
        around=element.around,
        children=children,
    )


def pages() -> st.SearchStrategy[Page]:
    return st.integers(0, 2**32).map(lambda seed: random_page(Random(seed)))


def random_page(chance: Random, leaves: int = 14) -> Page:
    """A page of a few blocks, nested at most four deep."""
    most = chance.randint(1, leaves)
    return Page(Element("page", children=[random_element(chance, most) for _ in range(chance.randint(1, 4))]))


def random_element(chance: Random, leaves: int = 6, depth: int = 4) -> Element:
    if depth == 0 or leaves <= 1 or chance.random() < 0.3:
        return _leaf(chance)
    count = min(chance.randint(0, 4), leaves)
    children = [random_element(chance, leaves // count, depth - 1) for _ in range(count)]
    return Element(chance.choice(BLOCKS), chance.choice(["", "", "Named"]), children=children)


def _leaf(chance: Random) -> Element:
    if chance.random() < 0.5:
        return Element("text", text=chance.choice(WORDS))
    return Element(
        chance.choice(CONTROLS),
        chance.choice(["", *WORDS]),
        text=chance.choice(["", "", "value"]),
        states=chance.choice([(), ("disabled",)]),
        around=chance.choice(["", "row A", "row B"]),
    )


def edit(chance: Random, page: Page) -> str:
    """One random thing that a page's script does; says what."""
    kind = chance.choice([*ON_ELEMENTS, *ON_PAGES])
    elements = inside(page.root)
    if kind in ON_PAGES or not elements:
        kind = kind if kind in ON_PAGES else "add"
        ON_PAGES[kind](chance, page)
    else:
        parent, element = chance.choice(elements)
        ON_ELEMENTS[kind](chance, page, parent, element)
    return kind


def _add(chance: Random, page: Page) -> None:
    parent = chance.choice([page.root, *[one for _, one in inside(page.root) if one.role in BLOCKS]])
    parent.children.insert(chance.randint(0, len(parent.children)), random_element(chance))


def _scroll(chance: Random, page: Page) -> None:
    page.scroll = 20 * chance.randint(0, 20)


def _frames_go(chance: Random, page: Page) -> None:
    for _, element in inside(page.root):
        element.frame = 0


ON_PAGES: dict[str, Callable[[Random, Page], None]] = {
    "add": _add,
    "scroll": _scroll,
    "all anew": lambda chance, page: forget(page.root),
    "frames go": _frames_go,
}


def _remove(chance: Random, page: Page, parent: Element, element: Element) -> None:
    del parent.children[_place(parent, element)]


def _rename(chance: Random, page: Page, parent: Element, element: Element) -> None:
    if element.role != "text":
        element.name, element.id = chance.choice(WORDS), chance.choice([0, element.id])


def _state(chance: Random, page: Page, parent: Element, element: Element) -> None:
    element.states = () if element.states else ("disabled",)


def _text(chance: Random, page: Page, parent: Element, element: Element) -> None:
    element.text = chance.choice(WORDS)


def _around(chance: Random, page: Page, parent: Element, element: Element) -> None:
    element.around = chance.choice(["row A", "row C"])


def _move(chance: Random, page: Page, parent: Element, element: Element) -> None:
    below = [element, *[one for _, one in inside(element)]]
    targets = [one for _, one in inside(page.root) if one.role in BLOCKS and not any(one is each for each in below)]
    target = chance.choice([page.root, *targets])
    _remove(chance, page, parent, element)
    target.children.insert(chance.randint(0, len(target.children)), element)


def _wrap(chance: Random, page: Page, parent: Element, element: Element) -> None:
    wrapper = Element("region", chance.choice(["", "Wrapper"]), children=[element])
    parent.children[_place(parent, element)] = wrapper


def _unwrap(chance: Random, page: Page, parent: Element, element: Element) -> None:
    at = _place(parent, element)
    parent.children[at : at + 1] = element.children


def _window(chance: Random, page: Page, parent: Element, element: Element, *, is_recycled: bool = False) -> None:
    """A list that only has what is in sight: its first parts go, others come; or the old elements show the others."""
    slots = [_ids(child) for child in parent.children]
    come = [_copy(child) for child in parent.children[: chance.randint(1, 3)]]
    for at, child in enumerate(come):
        child.text, child.around = f"came {at}", f"row {at} of the window"
    parent.children = [*parent.children[len(come) :], *come]
    for child, ids in zip(parent.children, slots, strict=True) if is_recycled else ():
        _take(child, ids)


ON_ELEMENTS: dict[str, Callable[[Random, Page, Element, Element], None]] = {
    "remove": _remove,
    "rename": _rename,
    "state": _state,
    "text": _text,
    "around": _around,
    "move": _move,
    "wrap": _wrap,
    "unwrap": _unwrap,
    "reverse": lambda chance, page, parent, element: parent.children.reverse(),
    "shuffle": lambda chance, page, parent, element: chance.shuffle(parent.children),
    "sort": lambda chance, page, parent, element: parent.children.sort(key=_words),
    "anew": lambda chance, page, parent, element: forget(element),
    "copy": lambda chance, page, parent, element: parent.children.append(_copy(element)),
    "next window": _window,
    "recycle": lambda chance, page, parent, element: _window(chance, page, parent, element, is_recycled=True),
}


def _place(parent: Element, element: Element) -> int:
    return next(place for place, child in enumerate(parent.children) if child is element)


def inside(element: Element) -> list[tuple[Element, Element]]:
    return [pair for child in element.children for pair in [(element, child), *inside(child)]]


def forget(element: Element) -> None:
    """The element is made anew: the driver knows neither it nor what is in it."""
    element.id = element.frame = 0
    for child in element.children:
        forget(child)


def _words(element: Element) -> str:
    return f"{element.role} {element.name} {element.text} {' '.join(map(_words, element.children))}"


def _ids(element: Element) -> tuple[str, int, list[object]]:
    return element.role, element.id, [_ids(child) for child in element.children]


def _take(element: Element, slot: object) -> None:
    """Gives what is shown here the driver's elements that were here before, as far as they are of the same kind."""
    role, number, below = slot if isinstance(slot, tuple) else ("", 0, [])
    element.id = number if element.role == role else 0
    element.frame = 0
    for at, child in enumerate(element.children):
        _take(child, below[at] if at < len(below) else None)


def _copy(element: Element) -> Element:
    return replace(element, id=0, frame=0, children=[_copy(child) for child in element.children])
