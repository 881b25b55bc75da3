"""Policies for what is dragged, drawn or reached by point."""

import re

from tests.bench.hands.clicking import ordinal, submit
from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run

PLACES = ("top left", "top center", "top right", "center left", "center.", "center right", "bottom left",
          "bottom center", "bottom right")  # fmt: skip
STEPS = {"up by one.": -3, "down by one.": 3, "left by one.": -1, "right by one.": 1}


async def drag_item(run: Run) -> None:
    items = _items(run.page)
    name, _, where = run.goal.removeprefix("Drag ").partition(" ")
    at = [one.words for one in items].index(name)
    if "position." in where and "by one" not in where:
        to = ordinal(where)
    elif "by one position" in where:
        to = at + (1 if "down" in where else -1)
    else:
        to = 0 if "top" in where else len(items) - 1
    await run.drag(items[at], items[to], "after" if to > at else "before")


async def drag_in_grid(run: Run) -> None:
    items = _items(run.page)
    name, _, where = run.goal.removeprefix("Drag ").partition(" ")
    at = [one.words for one in items].index(name)
    step = STEPS.get(where)
    to = at + step if step else next(i for i, place in enumerate(PLACES) if place in where)
    await run.drag(items[at], items[to])


async def sort_numbers(run: Run) -> None:
    """Each number to its place, from the top."""
    for at in range(len(_items(run.page))):
        items = _items(run.page)
        wanted = sorted(items, key=lambda item: int(item.words))[at]
        if items.index(wanted) != at:
            await run.drag(wanted, items[at], "before")
    await submit(run)


def _items(page: Thing) -> list[Thing]:
    """Of the list: those with a ref, or what in them has one."""
    items = [one for one in page if one.role == "listitem"]
    found = [next((part for part in item if part.ref), None) for item in items]
    if not items or None in found:
        raise NotShown("no items with a ref")
    return [one for one in found if one is not None]


async def drag_box(run: Run) -> None:
    await run.drag(run.page.exact("s"), run.page.exact("L"))
    await submit(run)


async def click_numbers(run: Run) -> None:
    """The numbers vanish after the first; their places are remembered."""
    page = await run.look(boxes=True)
    numbers = [one for one in page if re.fullmatch(r"\d", one.words) and one.box is not None and one.role != "page"]
    leaves = {int(one.words): one for one in numbers}
    if not leaves:
        raise NotShown("no numbers with boxes")
    for number in sorted(leaves):
        await run.middle(leaves[number])


async def click_grid(run: Run) -> None:
    """By the labels of the axes where their places are told, else by the dots of the grid."""
    x, y = (int(one) for one in re.findall(r"-?\d+", run.goal)[:2])
    page = await run.look(boxes=True)
    dots = [one for one in page if one.ref and one.box is not None and one.box.width < 16 and not one.words]
    if len(dots) >= 25:
        across = sorted({round(one.box.x) for one in dots if one.box})
        down = sorted({round(one.box.y) for one in dots if one.box})
        for one in dots:
            if one.box and round(one.box.x) == across[x + 2] and round(one.box.y) == down[2 - y]:
                await run.click(one)
    labels = [one for one in page if re.fullmatch(r"-?\d", one.words) and one.box is not None]
    boxes = [(int(one.words), one.box) for one in labels if one.box is not None]
    if len(boxes) < 9:
        raise NotShown("no labels of the axes with their places")
    row = max({box.y for _, box in boxes}, key=lambda top: sum(box.y == top for _, box in boxes))
    xs = {number: box.x + box.width / 2 for number, box in boxes if abs(box.y - row) < 4}
    ys = {number: box.y + box.height / 2 for number, box in boxes if abs(box.y - row) >= 4}
    step_x, step_y = (xs[1] - xs[-1]) / 2, (ys[1] - ys[-1]) / 2
    await run.point((xs[1] + xs[-1]) / 2 + x * step_x, (ys[1] + ys[-1]) / 2 + y * step_y)


async def highlight(run: Run) -> None:
    """Three clicks on the text."""
    page = await run.look(boxes=True)
    paragraphs = [one for one in page if one.role == "paragraph"]
    texts = [one for one in page if one.text and one.role in ("generic", "text") and "Highlight" not in one.text]
    await run.middle((paragraphs or texts)[ordinal(run.goal)], count=3)
    await submit(run)


async def play_tic_tac_toe(run: Run) -> None:
    """Cells are told apart by their ids; a free one by what it says of itself."""
    order = (4, 0, 2, 6, 8, 1, 3, 5, 7)
    for _ in range(5):
        cells = {int(one.beside.partition("ttt-")[2][:1]): one for one in run.page if one.ref and "ttt-" in one.beside}
        free = [at for at in order if at in cells and "mark" not in cells[at].beside]
        if not free:
            raise NotShown("no free cell with a ref")
        await run.click(cells[_best(cells, free)])


def _best(cells: dict[int, Thing], free: list[int]) -> int:
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    for mark in ("mark-x", "mark-o"):
        for line in lines:
            taken = [at for at in line if at in cells and mark in cells[at].beside]
            left = [at for at in line if at in free]
            if len(taken) == 2 and left:
                return left[0]
    return free[0]


TASKS: dict[str, Policy] = {
    "drag-items": drag_item,
    "drag-items-grid": drag_in_grid,
    "drag-sort-numbers": sort_numbers,
    "drag-box": drag_box,
    "ascending-numbers": click_numbers,
    "grid-coordinate": click_grid,
    "highlight-text": highlight,
    "highlight-text-2": highlight,
    "tic-tac-toe": play_tic_tac_toe,
}
