"""How much processor time the changes of two snapshots of half a million characters take, everything renumbered."""

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.context.changes.comparing import changes
from app.context.page.lean import lean, without_needless_urls
from app.context.page.parse import parse
from app.context.page.render import ShownNode, render_shown, shown
from app.context.page.shown import show
from app.context.refs.identity import Identified, RefTable, identify
from app.domain.ids import DocumentId, ObservationId, TabId
from app.domain.pages import Look, TabInfo
from app.domain.snapshot import FrameInfo

CHARACTERS = 500_000
CHANGES_BAR_MS = 100.0
TRIES = 7

Figure = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of page: its text with so many parts, all driver refs moved by a number; one part may read otherwise."""

    name: str
    text: Callable[[int, int, int], str]


def measure() -> list[Figure]:
    """What, milliseconds of processor time, the bar it must stay under (0: reported only)."""
    return [figure for shape in SHAPES for figure in _figures(shape)]


def pages_of(shape: Shape, characters: int = CHARACTERS, *, changed: int = 7) -> tuple[str, str]:
    """A page of this size, and the same with every driver ref another one and one part changed."""
    parts = max(characters * 40 // max(len(shape.text(40, 1, -1)), 1), 1)
    return shape.text(parts, 1, -1), shape.text(parts, 10_000_000, min(changed, parts - 1))


def look_at(text: str) -> Look:
    """A look at a snapshot of the only document of the only tab."""
    document, url = DocumentId("d1"), "http://site.test/page"
    return Look(
        tab=TabId(1),
        document=document,
        url=url,
        title="A page",
        tree=parse(text),
        frames=(FrameInfo("", document, url, is_main=True),),
        tabs=(TabInfo(TabId(1), url, "A page", active=True),),
        viewport_width=1280,
        viewport_height=800,
    )


def _as_shown(shape: Shape) -> Figure:
    """The changes of pages that are so long in the form the model reads, which holds twice the lines and more."""
    sample = shape.text(200, 1, -1)
    shorter = len(sample) / max(len(render_shown(_lines(identify(RefTable(), look_at(sample))))), 1)
    before, after = pages_of(shape, int(CHARACTERS * shorter))
    first = identify(RefTable(), look_at(before))
    second = identify(first.table, look_at(after))
    old, new = _lines(first), _lines(second)
    replaced = tuple((pair.old, pair.new) for pair in second.replaced)
    return (
        f"changes of {len(render_shown(new)) / 1000:,.0f}k characters as shown: {shape.name}",
        _ms(lambda: changes(old, new, replaced)),
        0,
    )


def _lines(found: Identified) -> ShownNode:
    return shown(without_needless_urls(lean(found.tree)))


def _figures(shape: Shape) -> list[Figure]:
    before, after = pages_of(shape)
    first = identify(RefTable(), look_at(before))
    second = identify(first.table, look_at(after))
    old, new = _lines(first), _lines(second)
    replaced = tuple((pair.old, pair.new) for pair in second.replaced)
    seen = show(look_at(before), RefTable(), None, id=ObservationId("o1"), fence="k7q2")
    later = look_at(after)
    name = f"{shape.name}, {len(after) / 1000:,.0f}k characters"
    return [
        (f"changes: {name}", _ms(lambda: changes(old, new, replaced)), CHANGES_BAR_MS),
        (f"parsing: {name}", _ms(lambda: parse(after), 3), 0),
        (f"giving refs: {name}", _ms(lambda: identify(first.table, later), 3), 0),
        (f"leaning: {name}", _ms(lambda: _lines(second), 3), 0),
        (
            f"the whole way: {name}",
            _ms(lambda: show(later, seen.table, seen.base, id=ObservationId("o2"), fence="k7q2"), 3),
            0,
        ),
        _as_shown(shape),
    ]


def _ms(work: Callable[[], object], tries: int = TRIES) -> float:
    """The best of several runs, in milliseconds of this process's own time."""
    best = float("inf")
    for _ in range(tries):
        gc.collect()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def _links(parts: int, shift: int, changed: int) -> str:
    lines = ["- main [ref=e1] [box=0,0,1280,9000]:"]
    for at in range(parts):
        name = "Sold out" if at == changed else f"Article number {at}"
        lines += [
            f'  - link "{name}" [ref=e{at + shift + 1}] [cursor=pointer] [box=8,{20 * at},400,20]:',
            f"    - /url: /articles/{at}",
        ]
    return "\n".join(lines)


def _table(parts: int, shift: int, changed: int) -> str:
    lines = ["- table [ref=e1] [box=0,0,1280,9000]:", "  - rowgroup [ref=e2] [box=0,0,1280,9000]:"]
    for at in range(parts):
        ref, box = 8 * at + shift + 2, f"[box=8,{20 * at},400,20]"
        price = "sold out" if at == changed else f"{at}.99"
        lines += [
            f"    - row [ref=e{ref + 1}] {box}:",
            f'      - cell "{at}" [ref=e{ref + 2}] {box}',
            f"      - cell [ref=e{ref + 3}] {box}:",
            f'        - link "Article {at}" [ref=e{ref + 4}] [cursor=pointer] {box}:',
            f"          - /url: /articles/{at}",
            f'      - cell "{price}" [ref=e{ref + 5}] {box}',
            f"      - cell [ref=e{ref + 6}] {box}:",
            f'        - button "Buy article {at}" [ref=e{ref + 7}] {box}',
        ]
    return "\n".join(lines)


def _deep(parts: int, shift: int, changed: int) -> str:
    """Branches of forty levels with a named region and a control on each."""
    lines = []
    for at in range(parts):
        depth, ref = at % 40, 3 * at + shift
        indent, name = "  " * depth, "Gone" if at == changed else f"Step {at}"
        lines += [
            f'{indent}- region "Level {at}" [ref=e{ref + 1}] [box=8,{20 * at},400,20]:',
            f'{indent}  - button "{name}" [ref=e{ref + 2}] [box=8,{20 * at},400,20]',
        ]
    return "\n".join(lines)


def _same_labels(parts: int, shift: int, changed: int) -> str:
    """A list whose every item bears the same words and the same controls."""
    lines = ["- list [ref=e1] [box=0,0,1280,9000]:"]
    for at in range(parts):
        ref, box = 4 * at + shift + 2, f"[box=8,{20 * at},400,20]"
        lines += [
            f"  - listitem [ref=e{ref + 1}] {box}:",
            f"    - generic [ref=e{ref + 2}] {box}: {'Sold out' if at == changed else 'A thing to buy'}",
            f'    - button "Add" [ref=e{ref + 3}] {box}',
        ]
    return "\n".join(lines)


SHAPES = (
    Shape("flat links", _links),
    Shape("a table", _table),
    Shape("deep branches", _deep),
    Shape("a list with the same labels", _same_labels),
)


if __name__ == "__main__":
    sys.stdout.writelines(
        f"{what:<60} {ms:8.1f} ms{f'   bar {bar:g} ms' if bar else ''}\n" for what, ms, bar in measure()
    )
