"""Policies for mail and messages: rows that open, icons, replies."""

import re

from tests.bench.hands.clicking import quoted
from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.run import Policy, Run


async def work_on_mail(run: Run) -> None:
    found = re.search(r"email by (\w+) and (\w+)", run.goal)
    sender, verb = (found[1], found[2]) if found else ("", "")
    if verb == "click":
        icon = "trash" if "trash" in run.goal else "star"
        await run.click(_icon(run, icon, sender))
    await run.click(run.page.saying(sender))
    await run.click(await run.until(lambda page: page.exact(verb.title())))
    if verb == "reply":
        await run.type(run.page.one("textbox"), quoted(run.goal)[0])
    else:
        await run.type(run.page.one("textbox"), run.goal.rstrip(".").rpartition(" ")[2])
    await run.click(_icon(run, "send"))


def _icon(run: Run, icon: str, beside: str = "") -> Thing:
    """An icon that says only in its id or class what it is: the first one after these words."""
    passed = not beside
    for one in run.page:
        if one.text == run.goal:
            continue
        if passed and one.ref and icon in one.beside:
            return one
        passed = passed or beside in f"{one.name} {one.text}"
    raise NotShown(f"no icon {icon!r} with a ref")


async def act_on_post(run: Run) -> None:
    found = re.search(r'user (@\w+), click on the "(.+)" button', run.goal)
    user, action = (found[1], found[2]) if found else ("", "")
    icon = action.lower() if action in ("Reply", "Retweet", "Like") else "more"
    before = run.page.words
    await run.click(_after(run.page, user, icon))
    if run.page.words == before:  # its picture changes under the pointer, so that a first press may miss it
        await run.click(_after(run.page, user, icon))
    await run.click(await run.until(lambda page: _entry(page, action)))


def _entry(page: Thing, action: str) -> Thing:
    """Of the open menu; two of its entries also name the user."""
    found = [one for one in page if one.ref and one.words.startswith(action) and one.role in ("listitem", "button")]
    if not found:
        raise NotShown(f"no entry {action!r} with a ref")
    return found[-1]


async def act_on_posts(run: Run) -> None:
    found = re.search(r'"(.+)" button on (all|\d+) posts? by (@\w+)', run.goal)
    action, many, user = (found[1].lower(), found[2], found[3]) if found else ("", "all", "")
    for at in range(_posts(run.page, user) if many == "all" else int(many)):
        await run.click(_after(run.page, user, action, at))
    await run.click(run.page.one("button", name="Submit"))


def _posts(page: Thing, user: str) -> int:
    return sum(f"{user} " in f"{one.name} {one.text} " and "lick " not in one.text for one in page)


def _after(page: Thing, user: str, icon: str, nth: int = 0) -> Thing:
    """The icon of the nth post of this user."""
    passed = -1
    for one in page:
        if passed == nth and one.ref and re.search(rf"(class|icon|id)={icon}\b", one.beside):
            return one
        if f"{user} " in f"{one.name} {one.text} " and "lick " not in one.text:
            passed += 1
    raise NotShown(f"no icon {icon!r} of {user} with a ref")


TASKS: dict[str, Policy] = {
    "email-inbox": work_on_mail,
    "email-inbox-delete": work_on_mail,
    "email-inbox-important": work_on_mail,
    "email-inbox-reply": work_on_mail,
    "email-inbox-forward": work_on_mail,
    "email-inbox-star-reply": work_on_mail,
    "social-media": act_on_post,
    "social-media-all": act_on_posts,
    "social-media-some": act_on_posts,
}
