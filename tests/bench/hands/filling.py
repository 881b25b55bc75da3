"""Policies for fields: text, passwords, dates, times, forms, tables to read, text to copy and a terminal."""

import re

from tests.bench.hands.clicking import ordinal, quoted, submit
from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run

FIELD = ("textbox", "spinbutton", "searchbox")


async def enter_text(run: Run) -> None:
    words = quoted(run.goal)[0]
    lower, upper = "lower case" in run.goal, "upper case" in run.goal
    await run.type(run.page.one("textbox"), words.lower() if lower else words.upper() if upper else words)
    await submit(run)


async def enter_password(run: Run) -> None:
    for at in (0, 1):
        await run.type(run.page.one("textbox", nth=at), quoted(run.goal)[0])
    await submit(run)


async def enter_date(run: Run) -> None:
    month, day, year = re.findall(r"\d+", run.goal)[:3]
    await run.type(run.page.one("textbox"), f"{year}-{month}-{day}")
    await submit(run)


async def enter_time(run: Run) -> None:
    hours, minutes, half = re.findall(r"(\d+):(\d\d) ([AP]M)", run.goal)[0]
    await run.type(run.page.one("textbox"), f"{int(hours) % 12 + 12 * (half == 'PM'):02}:{minutes}")
    await submit(run)


async def focus_text(run: Run) -> None:
    await run.click(run.page.one("textbox", nth=ordinal(run.goal)))


async def login(run: Run) -> None:
    """A message may come in between; it is sent away."""
    user, password = quoted(run.goal)
    for at, text in enumerate((user, password)):
        await run.type(run.page.one("textbox", nth=at), text)
        if run.page.all("button", name="Cancel"):
            await run.click(run.page.one("button", name="Cancel"))
            await run.type(run.page.one("textbox", nth=at), text)
    names = [one.name for one in run.page.all("button")]
    await submit(run, "Login" if "Login" in names else names[-1])


async def find_word(run: Run) -> None:
    words = next(one for one in run.page if one.role == "paragraph").words
    await run.type(run.page.one("textbox"), re.sub(r"[^\w]+$", "", words.split()[ordinal(run.goal)]))
    await submit(run)


async def last_word(run: Run) -> None:
    await run.type(run.page.one("textbox", nth=1), run.page.one("textbox").words.rstrip(".").split()[-1])
    await submit(run)


async def scroll_to_the_end(run: Run) -> None:
    """By the wheel, over the field."""
    down = "bottom" in run.goal
    await run.scroll(run.page.one("textbox"), 5000 if down else -5000)
    await submit(run)


async def sign_agreement(run: Run) -> None:
    name = re.findall(r'the name "([^"]+)"', run.goal)
    button = next((one for one in ("Agree", "Cancel") if one in run.goal), "Agree")
    await run.scroll(run.page.one("textbox"), 9000)
    if name:
        await run.type(run.page.one("textbox", nth=1), name[0])
    await submit(run, button)


async def copy_and_paste(run: Run) -> None:
    """With the keys of the clipboard."""
    last = len(run.page.all("textbox")) - 1
    await run.click(run.page.one("textbox", nth=ordinal(run.goal)))
    await run.press("ControlOrMeta+a")
    await run.press("ControlOrMeta+c")
    await run.click(run.page.one("textbox", nth=last))
    await run.press("ControlOrMeta+v")
    await submit(run)


async def read_table(run: Run) -> None:
    wanted = re.search(r"value of (.+) into", run.goal)
    await run.type(run.page.one("textbox"), _beside(run.page, wanted[1] if wanted else ""))
    await submit(run)


async def read_table_by_labels(run: Run) -> None:
    labels = [one.words.rstrip(":") for one in run.page if one.words.endswith(":") and len(one.words) < 20]
    for at, label in enumerate(dict.fromkeys(labels)):
        await run.type(run.page.one("textbox", nth=at), _beside(run.page, label))
    await submit(run)


def _beside(page: Thing, label: str) -> str:
    """The cell after the one with this label, however rows are drawn."""
    for row in page:
        parts = [one.name or one.text for one in row if one is not row and (one.name or one.text)]
        if row.role == "row" and label in parts:
            return parts[parts.index(label) + 1]
    raise NotShown(f"no row {label!r}")


async def solve(run: Run) -> None:
    """An equation such as "x + 2 = 3", or a sum such as "2 x 0 ="."""
    said = run.page.words.replace(run.goal, "")
    if sum_ := re.search(r"(-?\d+) ([x+-]) (-?\d+) =(?! ?-?\d)", said):
        left, sign, right = int(sum_[1]), sum_[2], int(sum_[3])
        result = left * right if sign == "x" else left + right if sign == "+" else left - right
    else:
        result = _solved(said)
    await run.type(run.page.one("textbox"), str(result))
    await submit(run)


def _solved(said: str) -> int:
    found = re.search(r"(\S+) ([+-]) (\S+) = (-?\d+)", said)
    if found is None:
        raise NotShown("no equation")
    left, sign, right, total = found[1], found[2], found[3], int(found[4])
    if left == "x":
        return total - int(right) if sign == "+" else total + int(right)
    return total - int(left) if sign == "+" else int(left) - total


async def guess_number(run: Run) -> None:
    low, high = 0, 9
    while low <= high:
        middle = (low + high) // 2
        await run.type(run.page.one("spinbutton"), str(middle))
        await submit(run)
        said = run.page.words
        low, high = (middle + 1, high) if "higher than" in said else (low, middle - 1)


async def search_movies(run: Run) -> None:
    found = re.search(r"for (.+) movies directed by (.+) from year (\d+)", run.goal)
    if found is None:
        raise NotShown("a goal that can be read")
    for label, value in (("Genre", found[1]), ("Director", found[2]), ("Year", found[3])):
        await run.type(run.page.after(label, "textbox"), value)
    names = ("Search", "Submit", "Go", "Enter", "Done", "OK")
    await run.click(next(one for one in reversed(list(run.page)) if one.ref and one.words in names))


async def fill_nth(run: Run) -> None:
    """A radio button or checkbox, and a number for one of the fields."""
    kind = "radio" if "radio" in run.goal else "checkbox"
    box, field = [int(one) - 1 for one in re.findall(r"(\d+)(?:st|nd|rd|th)", run.goal)]
    await run.click(run.page.one(kind, nth=box))
    await run.type(run.page.one("textbox", nth=field), quoted(run.goal)[0])
    await submit(run)


async def transform_text(run: Run) -> None:
    """Letters that are drawn askew."""
    letters = run.page.words.replace(run.goal, "").replace("Submit", "")
    await run.type(run.page.one("textbox"), "".join(letters.split()))
    await submit(run)


async def delete_by_terminal(run: Run) -> None:
    ending = re.search(r"extension (\.\w+)$", run.goal)
    await run.type(run.page.one("textbox"), "ls", slowly=True)
    await run.press("Enter")
    listing = run.page.words.rpartition("ls")[2]
    names = [name for name in re.findall(r"[\w.-]+", listing) if "user" not in name]
    wanted = [name for name in names if (name.endswith(ending[1]) if ending else "." not in name)]
    if not wanted:
        raise NotShown("no such file")
    await run.type(run.page.one("textbox"), f"rm {wanted[0]}", slowly=True)
    await run.press("Enter")


async def style_text(run: Run) -> None:
    """In a rich editor: the words are selected by keys, the style is a button of the bar."""
    style = next(one for one in ("bold", "italic", "underline", "color") if one in run.goal)
    if style == "color":
        raise NotShown("colours by name")
    paragraph = next(one for one in run.page if one.role == "paragraph")
    word = re.search(r"the text (\S+) the style", run.goal)
    editor = paragraph if paragraph.ref else run.page.saying(paragraph.words)
    await run.click(editor)
    if word is None:
        await run.press("ControlOrMeta+a")
    else:
        await run.press("ControlOrMeta+Home")
        await run.press("ArrowRight", paragraph.words.index(word[1]))
        await run.press("Shift+ArrowRight", len(word[1]))
    buttons = [one for one in run.page.all("button") if one.name != "Submit" and "picker" not in one.beside]
    await run.click(buttons[("bold", "italic", "underline").index(style)])
    await submit(run)


TASKS: dict[str, Policy] = {
    "enter-text": enter_text,
    "enter-text-2": enter_text,
    "enter-text-dynamic": enter_text,
    "enter-password": enter_password,
    "enter-date": enter_date,
    "enter-time": enter_time,
    "focus-text": focus_text,
    "focus-text-2": focus_text,
    "login-user": login,
    "login-user-popup": login,
    "find-word": find_word,
    "scroll-text": last_word,
    "scroll-text-2": scroll_to_the_end,
    "sign-agreement": sign_agreement,
    "copy-paste": copy_and_paste,
    "copy-paste-2": copy_and_paste,
    "read-table": read_table,
    "read-table-2": read_table_by_labels,
    "simple-algebra": solve,
    "simple-arithmetic": solve,
    "guess-number": guess_number,
    "multi-layouts": search_movies,
    "multi-orderings": search_movies,
    "form-sequence-2": fill_nth,
    "text-transform": transform_text,
    "terminal": delete_by_terminal,
    "text-editor": style_text,
}
