"""Policies for tasks of buttons, boxes, radios, links, tabs, sections, menus and dialogs."""

import re

from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run


def quoted(goal: str) -> list[str]:
    return re.findall(r'"([^"]+)"', goal)


async def click_test(run: Run) -> None:
    await run.click(run.page.one("button"))


async def click_named_button(run: Run) -> None:
    await run.click(run.page.one("button", name=quoted(run.goal)[-1]))


async def click_button_one(run: Run) -> None:
    await run.click(run.page.one("button", name="ONE"))


async def click_buttons_in_sequence(run: Run) -> None:
    for name in ("ONE", "TWO"):
        await run.click(run.page.one("button", name=name))


async def click_checkboxes(run: Run) -> None:
    wanted = re.sub(r"^Select | and click Submit\.$", "", run.goal).split(", ")
    for name in wanted if wanted != ["nothing"] else []:
        await run.click(run.page.one("checkbox", name=name))
    await submit(run)


async def click_option(run: Run) -> None:
    await run.click(run.page.one("radio", name=re.sub(r"^Select | and click Submit\.$", "", run.goal)))
    await submit(run)


async def submit(run: Run, name: str = "Submit") -> None:
    await run.click(run.page.one("button", name=name))


async def click_link(run: Run) -> None:
    await run.click(link_called(run.page, quoted(run.goal)[0]))


def link_called(page: Thing, words: str) -> Thing:
    """What stands as a thing of its own with these words, however it is drawn."""
    found = [one for one in page if one.ref and one.words == words and one.role not in ("tab", "tabpanel")]
    if not found:
        raise NotShown(f"no link {words!r} with a ref")
    return found[-1]


async def click_tab(run: Run) -> None:
    await run.click(run.page.one("link", name=f"Tab #{run.goal.rstrip('.').rpartition('#')[2]}"))


async def search_tabs(run: Run) -> None:
    """Through the tabs until the link is there."""
    wanted = quoted(run.goal)[0]
    for name in [one.name for one in run.page.all("link") if one.beside.startswith("#tabs")]:
        try:
            await run.click(link_called(run.page, wanted))
        except NotShown:
            await run.click(run.page.one("link", name=name))
    await run.click(link_called(run.page, wanted))


TASKS: dict[str, Policy] = {
    "click-test": click_test,
    "click-test-2": click_button_one,
    "click-test-transfer": click_button_one,
    "click-button": click_named_button,
    "click-dialog-2": click_named_button,
    "click-button-sequence": click_buttons_in_sequence,
    "click-checkboxes": click_checkboxes,
    "click-checkboxes-large": click_checkboxes,
    "click-checkboxes-transfer": click_checkboxes,
    "click-option": click_option,
    "click-link": click_link,
    "click-tab": click_tab,
    "click-tab-2": search_tabs,
    "click-tab-2-hard": search_tabs,
}
