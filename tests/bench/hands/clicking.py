"""Policies for buttons, boxes, radios, links, tabs, sections, menus, trees and dialogs."""

import re
from collections.abc import Callable

from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run


def quoted(goal: str) -> list[str]:
    return re.findall(r'"([^"]+)"', goal)


def ordinal(goal: str) -> int:
    """The first "3rd" of a goal, counted from 0."""
    found = re.search(r"(\d+)(st|nd|rd|th)", goal)
    return int(found[1]) - 1 if found else 0


async def submit(run: Run, name: str = "Submit") -> None:
    await run.click(run.page.one("button", name=name))


async def click_test(run: Run) -> None:
    await run.click(run.page.one("button"))


async def click_named_button(run: Run) -> None:
    name = quoted(run.goal)[-1]
    await run.click(run.page.one("button", name="Close" if name == "x" else name))


async def click_button_one(run: Run) -> None:
    await run.click(run.page.one("button", name="ONE"))


async def click_buttons_in_sequence(run: Run) -> None:
    for name in ("ONE", "TWO"):
        await run.click(run.page.one("button", name=name))


async def close_dialog(run: Run) -> None:
    await run.click(run.page.one("button", name="Close"))


async def click_checkboxes(run: Run) -> None:
    wanted = re.sub(r"^Select | and click Submit\.$", "", run.goal).split(", ")
    for name in wanted if wanted != ["nothing"] else []:
        await run.click(run.page.one("checkbox", name=name))
    await submit(run)


async def click_option(run: Run) -> None:
    await run.click(run.page.one("radio", name=re.sub(r"^Select | and click Submit\.$", "", run.goal)))
    await submit(run)


def link_called(page: Thing, words: str) -> Thing:
    """What stands as a thing of its own with these words, however it is drawn."""
    found = [one for one in page if one.ref and one.words == words and one.role not in ("tab", "tabpanel", "paragraph")]
    if not found:
        raise NotShown(f"no link {words!r} with a ref")
    return found[-1]


async def click_link(run: Run) -> None:
    await run.click(link_called(run.page, quoted(run.goal)[0]))


async def click_tab(run: Run) -> None:
    await run.click(run.page.one("link", name=f"Tab #{run.goal.rstrip('.').rpartition('#')[2]}"))


async def search_tabs(run: Run) -> None:
    """Through the tabs until the link is there."""
    wanted = quoted(run.goal)[0]
    for name in [tab.all("link")[0].name for tab in run.page if tab.role == "tab" and tab.all("link")]:
        await run.click(run.page.one("link", name=name))
        if any(one.ref and one.words == wanted for one in run.page):
            break
    await run.click(link_called(run.page, wanted))


async def expand_section(run: Run) -> None:
    await run.click(next(one for one in run.page.all("tab") if one.words.startswith("Section")))
    await run.click(await run.until(lambda page: page.one("button", name="Submit")))


async def search_sections(run: Run) -> None:
    """Through the sections until the link is there."""
    wanted = quoted(run.goal)[0]
    for name in [one.name for one in run.page.all("tab") if one.name.startswith("Section")]:
        if "expanded" not in run.page.one("tab", name=name).states:
            await run.click(run.page.one("tab", name=name))
        if wanted in run.page.words.replace(run.goal, "").split():
            break
    await run.click(await run.until(lambda page: link_called(page, wanted)))


async def open_menus(run: Run) -> None:
    """A menu that opens its parts under the pointer: only the last item is pressed."""
    *above, last = run.goal.removeprefix("Select ").split(">")
    for name in above:
        await run.hover(await run.until(_menu_item(name)))
    await run.click(await run.until(lambda page: page.one("menuitem", name=last)))


def _menu_item(name: str) -> Callable[[Thing], Thing]:
    return lambda page: page.one("menuitem", name=name)


async def click_menu_item(run: Run) -> None:
    wanted = quoted(run.goal)[-1]
    await run.click(run.page.one("button", name="Menu"))
    items = [one.name for one in run.page.all("menuitem")]
    for name in items:
        if run.page.all("menuitem", name=wanted):
            break
        await run.hover(run.page.one("menuitem", name=name))
        await run.wait(0.4)
    await run.click(await run.until(lambda page: page.one("menuitem", name=wanted)))


async def navigate_tree(run: Run) -> None:
    """Folders are opened, from the top, until it is there; where nothing tells a folder from a file, by trying."""
    wanted = quoted(run.goal)[0]
    opened: set[int] = set()
    while True:
        items = [one for one in run.page if one.role == "listitem"]
        found = [one for one in items if one.words.split()[:1] == [wanted]]
        if found:
            await run.click(next((part for part in found[-1] if part.ref and part.words == wanted), found[-1]))
        told = any("hitarea" in one.beside for one in run.page)
        folders = [at for at, one in enumerate(items) if not told or _is_folder(one)]
        closed = [at for at in folders if at not in opened and not any(c.role == "list" for c in items[at])]
        if not closed:
            raise NotShown(f"nothing named {wanted!r}")
        opened.add(closed[0])
        await run.click(next(part for part in items[closed[0]] if part.ref))


def _is_folder(item: Thing) -> bool:
    return any("hitarea" in part.beside for part in item.children)


async def choose_pie_slice(run: Run) -> None:
    await run.click(run.page.saying("+"))
    await run.wait(0.8)
    await run.click(run.page.exact(quoted(run.goal)[0]))


async def click_greatest(run: Run) -> None:
    cards = [one for one in run.page if one.ref and re.fullmatch(r"-?\d+", one.words)]
    if not cards:
        raise NotShown("no cards")
    await run.click(max(cards, key=lambda card: int(card.words)))
    await submit(run)


async def generate_number(run: Run) -> None:
    """Press until the number that is shown is right."""
    than = re.search(r"(greater|less) than (-?\d+)", run.goal)
    wanted = re.search(r"(even|odd) number", run.goal)
    for _ in range(30):
        await run.click(run.page.one("button", name="Generate"))
        shown = re.search(r"(?<![\d-])-?\d+", run.page.words.replace(run.goal, ""))
        if shown is None:
            raise NotShown("no number")
        number = int(shown[0])
        if than and (number > int(than[2]) if than[1] == "greater" else number < int(than[2])):
            break
        if wanted and number % 2 == (wanted[1] == "odd"):
            break
    await submit(run)


async def mark_odd_or_even(run: Run) -> None:
    numbers = [int(one) for one in re.findall(r"-?\d+", run.page.words.replace(run.goal, ""))]
    for at, number in enumerate(numbers):
        await run.click(run.page.one("button", name="Odd" if number % 2 else "Even", nth=at))
    await submit(run)


async def buy_ticket(run: Run) -> None:
    """The cheapest, or the one of the shortest time."""
    books = [one for one in run.page.all("button") if one.name.startswith("Book")]
    if "cost" in run.goal or "cheapest" in run.goal:
        await run.click(min(books, key=lambda book: int(book.name.rpartition("$")[2])))
    times = [int(hours) * 60 + int(minutes) for hours, minutes in re.findall(r"(\d+)h (\d+)m", run.page.words)]
    wanted = max(times) if "longest" in run.goal else min(times)
    await run.click(books[times.index(wanted)])


async def identify_shape(run: Run) -> None:
    """Told by what is written in the figure, or by the kind of shape it says it is."""
    figure = " ".join(f"{one.words} {one.beside}" for image in run.page if image.role == "img" for one in image)
    written = next((word for word in figure.split() if len(word) == 1), "")
    shapes = {"rect": "Rectangle", "circle": "Circle", "polygon": "Triangle", "path": "Triangle"}
    drawn = next((name for shape, name in shapes.items() if f"shape={shape}" in figure), "")
    name = "Number" if written.isdigit() else "Letter" if written else drawn
    await run.click(run.page.one("button", name=name))


TASKS: dict[str, Policy] = {
    "click-test": click_test,
    "click-test-2": click_button_one,
    "click-test-transfer": click_button_one,
    "click-button": click_named_button,
    "unicode-test": click_named_button,
    "click-button-sequence": click_buttons_in_sequence,
    "click-dialog": close_dialog,
    "click-dialog-2": click_named_button,
    "click-checkboxes": click_checkboxes,
    "click-checkboxes-large": click_checkboxes,
    "click-checkboxes-transfer": click_checkboxes,
    "click-option": click_option,
    "click-link": click_link,
    "click-tab": click_tab,
    "click-tab-2": search_tabs,
    "click-tab-2-easy": search_tabs,
    "click-tab-2-medium": search_tabs,
    "click-tab-2-hard": search_tabs,
    "click-collapsible": expand_section,
    "click-collapsible-2": search_sections,
    "click-menu": open_menus,
    "click-menu-2": click_menu_item,
    "navigate-tree": navigate_tree,
    "click-pie": choose_pie_slice,
    "find-greatest": click_greatest,
    "generate-number": generate_number,
    "odd-or-even": mark_odd_or_even,
    "buy-ticket": buy_ticket,
    "identify-shape": identify_shape,
}
