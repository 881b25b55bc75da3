"""Policies for lists, suggestions, calendars, sliders, spinners and things that are searched, paged or booked."""

import calendar
import re
from functools import partial

from tests.bench.hands.clicking import ordinal, quoted, submit
from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run

MONTHS = tuple(calendar.month_name)[1:]


async def choose_from_list(run: Run) -> None:
    wanted = re.search(r"Select (.+) from the (?:scroll )?list", run.goal)
    values = wanted[1].split(", ") if wanted else []
    await run.select(run.page.one("combobox", "listbox"), *values)
    await submit(run)


async def choose_from_drawn_list(run: Run) -> None:
    wanted = re.search(r"Choose (.+) from the dropdown", run.goal)
    box = run.page.one("combobox")
    try:
        await run.click(next(one for one in run.page if one.ref and "▾" in one.words and one.role != "option"))
        await run.click(await run.until(lambda page: _item(page, wanted[1] if wanted else "")))
    except (NotShown, StopIteration):
        await run.select(box, wanted[1] if wanted else "")
    await run.click(run.page.one("button", name=quoted(run.goal)[0]))


def _item(page: Thing, words: str) -> Thing:
    found = [one for one in page if one.ref and one.words == words and one.role in ("listitem", "option", "generic")]
    if not found:
        raise NotShown(f"no item {words!r}")
    return found[-1]


async def complete(run: Run) -> None:
    """Typed key by key, then the suggestion that also ends as wanted."""
    start, *rest = quoted(run.goal)
    await run.type(run.page.one("textbox"), start, slowly=True)
    await run.click(await run.until(lambda page: _suggestion(page, start, rest[0] if rest else "")))
    await submit(run)


def _suggestion(page: Thing, start: str, end: str = "") -> Thing:
    found = [
        one
        for one in page
        if one.ref and one.words.startswith(start) and one.words.endswith(end) and one.role not in ("textbox", "status")
    ]
    if not found:
        raise NotShown(f"no suggestion {start!r} … {end!r}")
    return min(found, key=lambda one: len(one.words))


async def choose_date(run: Run) -> None:
    await run.click(run.page.one("textbox"))
    await pick_date(run)
    await submit(run)


async def pick_date(run: Run) -> None:
    """Leaf through the months of an open calendar, then the day."""
    month, day, year = (int(one) for one in re.findall(r"(\d\d)/(\d\d)/(\d{4})", run.goal)[0])
    for _ in range(24):
        shown = await run.until(_month_shown)
        if shown == (year, month):
            break
        await run.click(run.page.exact("Prev" if shown > (year, month) else "Next"))
    await run.click(run.page.one("link", name=str(day)))


def _month_shown(page: Thing) -> tuple[int, int]:
    found = re.search(rf"({'|'.join(MONTHS)})\W+(\d{{4}})", page.words)
    if found is None:
        raise NotShown("no calendar")
    return int(found[2]), MONTHS.index(found[1]) + 1


async def book_flight(run: Run) -> None:
    found = re.search(r"from: (.+) to: (.+) on", run.goal)
    if found is None:
        raise NotShown("a goal that can be read")
    for at, place in enumerate((found[1], found[2])):
        await run.type(run.page.one("textbox", nth=at), place, slowly=True)
        await run.click(await run.until(partial(_place, words=place)))
    await run.click(run.page.one("textbox", nth=2))
    await pick_date(run)
    await run.click(run.page.one("button", name="Search"))
    flights = await run.until(_flights)
    prices = [int(one.name.rpartition("$")[2]) for one in flights]
    times = [int(hours) * 60 + int(minutes) for hours, minutes in re.findall(r"(\d+)h (\d+)m", run.page.words)]
    ranks = prices if "cheapest" in run.goal else times
    await run.click(flights[ranks.index(min(ranks))])


def _place(page: Thing, words: str) -> Thing:
    found = [one for one in page if one.ref and words in one.words and one.role not in ("textbox", "status", "generic")]
    found = found or [one for one in page if one.ref and words in one.words and one.role == "generic"]
    if not found:
        raise NotShown(f"no place {words!r}")
    return min(found, key=lambda one: len(one.words))


def _flights(page: Thing) -> list[Thing]:
    found = [one for one in page.all("button") if "$" in one.name]
    if not found:
        raise NotShown("no flights")
    return found


async def use_slider(run: Run) -> None:
    found = re.search(r"Select (-?\d+) with", run.goal)
    await move_sliders(run, [int(found[1])] if found else [])
    await submit(run)


async def use_sliders(run: Run) -> None:
    await move_sliders(run, [int(one) for one in re.findall(r"-?\d+", run.goal)])
    await submit(run)


async def move_sliders(run: Run, wanted: list[int]) -> None:
    """By the arrow keys of the handle that has the focus: clicked where it is shown, else reached with Tab."""
    for at, value in enumerate(wanted):
        handles = [one for one in run.page if one.ref and ("slider-handle" in one.beside or one.role == "slider")]
        if handles:
            await run.click(handles[at])
        else:
            await run.press("Tab")
        for _ in range(45):
            shown = _numbers(run.page, run.goal)
            if len(shown) <= at:
                raise NotShown("no value of the slider")
            if shown[at] == value:
                break
            await run.press("ArrowRight" if shown[at] < value else "ArrowLeft")


def _numbers(page: Thing, goal: str) -> list[int]:
    said = [one.text or one.name for one in page if one.role in ("text", "generic")]
    return [int(word) for word in said if re.fullmatch(r"-?\d+", word)]


async def slide_and_check(run: Run) -> None:
    found = re.search(r"Select (-?\d+) with", run.goal)
    await move_sliders(run, [int(found[1])] if found else [])
    await run.click(run.page.one("checkbox", nth=ordinal(run.goal)))
    await submit(run)


async def use_spinner(run: Run) -> None:
    found = re.search(r"Select (-?\d+) with", run.goal)
    await run.type(run.page.one("spinbutton"), found[1] if found else "")
    await submit(run)


async def search_and_page(run: Run) -> None:
    """The nth result, three on a page."""
    await run.type(run.page.one("textbox"), quoted(run.goal)[0])
    await submit(run, "Search")
    wanted, seen = ordinal(run.goal), 0
    while True:
        results = [one for one in run.page.all("link") if not re.fullmatch(r"[\d<>]+", one.name)]
        if wanted < seen + len(results):
            await run.click(results[wanted - seen])
        seen += len(results)
        await run.click(run.page.one("link", name=">"))


async def phone_book(run: Run) -> None:
    found = re.search(r"Find (\w+) in the contact book and click on their (.+)\.", run.goal)
    name, what = (found[1], found[2].strip()) if found else ("", "")
    while not any(one.role == "heading" and one.name == name for one in run.page):
        await run.click(run.page.one("link", name=">"))
    if what == "name":
        await run.click(run.page.one("heading"))
    words = run.page.words
    label = f"{what.title().replace(' Number', '')}:"
    value = words.partition(label)[2].strip()
    ends = [at for at in (value.find(word) for word in ("Phone:", "Email:", "Address:", " 1 ", " < ", " > ")) if at > 0]
    await run.click(run.page.exact(value[: min(ends)].strip() if ends else value))


async def order_food(run: Run) -> None:
    for name in run.goal.partition(": ")[2].split(", "):
        rows = [one for one in run.page if name.strip() in one.words and "+" in one.words]
        adds = (
            [one for one in min(rows, key=lambda row: len(row.words)) if one.ref and one.words == "+"] if rows else []
        )
        if not adds:
            raise NotShown(f"no + beside {name!r}")
        await run.click(adds[0])
    await submit(run, "Order!")


async def buy_stock(run: Run) -> None:
    """Watched until the price is low enough."""
    found = re.search(r"less than \$(\d+\.\d+)", run.goal)
    limit = float(found[1]) if found else 0.0
    for _ in range(60):
        prices = re.findall(r"\$(\d+\.\d+)", run.page.words.replace(run.goal, ""))
        if prices and float(prices[0]) < limit:
            await run.click(run.page.one("button", name="Buy"))
        await run.wait(0.2)


TASKS: dict[str, Policy] = {
    "choose-list": choose_from_list,
    "click-scroll-list": choose_from_list,
    "form-sequence-3": choose_from_drawn_list,
    "use-autocomplete": complete,
    "choose-date": choose_date,
    "choose-date-easy": choose_date,
    "choose-date-medium": choose_date,
    "book-flight": book_flight,
    "use-slider": use_slider,
    "use-slider-2": use_sliders,
    "form-sequence": slide_and_check,
    "use-spinner": use_spinner,
    "search-engine": search_and_page,
    "phone-book": phone_book,
    "order-food": order_food,
    "stock-market": buy_stock,
}
