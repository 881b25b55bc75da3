"""Tools that go somewhere: addresses, history, tabs."""

import re
from typing import Literal

from pydantic import Field

from app.agent.answers import Answer, not_done
from app.agent.tools.tool import Arguments, Hands, Tool
from app.context.page.shield import page_words
from app.domain.acts import CloseTab, GoBack, GoForward, Navigate, OpenTab, PageAct, Reload, Resize, SelectTab
from app.domain.ids import TabId, ToolCallId

_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SIGN_IN = re.compile(r"^([a-z]+://)[^/?#@]*@", re.IGNORECASE)
_ALLOWED = ("http", "https")


class Url(Arguments):
    url: str = Field(
        description="whole address with its host; for one that the page shows as /path click its link instead"
    )


class Nothing(Arguments):
    pass


class TabsArguments(Arguments):
    action: Literal["list", "new", "close", "select"]
    index: int | None = Field(None, description="number of the tab as listed; for close and select")
    url: str | None = Field(None, description="address for a new tab")


class Size(Arguments):
    width: int = Field(ge=200, le=4000)
    height: int = Field(ge=200, le=4000)


def web_address(text: str) -> str | None:
    """The address to open, with a scheme; None when it is not for the web."""
    text = text.strip()
    if text == "about:blank":
        return text
    if text.startswith("/"):
        return None
    match = _SCHEME.match(text)
    if match and not re.match(r"^[\w.-]+:\d+(/|$)", text):
        return text if match.group(1).lower() in _ALLOWED else None
    local = re.match(r"^(localhost|127\.|\[::1\])", text, re.IGNORECASE)
    return f"{'http' if local else 'https'}://{text}" if text else None


def without_sign_in(url: str) -> str:
    """The address as it may be told: a name and a password in it are nobody else's business."""
    return _SIGN_IN.sub(r"\1", url)


async def _navigate(hands: Hands, call: ToolCallId, args: Url) -> Answer:
    url = web_address(args.url)
    if url is None:
        way_on = (
            "Give the whole address with its host." if args.url.startswith("/") else "Only http and https are opened."
        )
        return not_done(f"{args.url[:80]} is not a web address", way_on)
    return await hands.acting.on_page(call, "browser_navigate", Navigate(url), "opened", without_sign_in(url))


async def _back(hands: Hands, call: ToolCallId, _: Nothing) -> Answer:
    return await hands.acting.on_page(call, "browser_navigate_back", GoBack(), "went back")


async def _forward(hands: Hands, call: ToolCallId, _: Nothing) -> Answer:
    return await hands.acting.on_page(call, "browser_navigate_forward", GoForward(), "went forward")


async def _reload(hands: Hands, call: ToolCallId, _: Nothing) -> Answer:
    return await hands.acting.on_page(call, "browser_reload", Reload(), "reloaded the page")


async def _resize(hands: Hands, call: ToolCallId, args: Size) -> Answer:
    size = f"{args.width} × {args.height}"
    return await hands.acting.on_page(
        call, "browser_resize", Resize(args.width, args.height), "resized the page to", size
    )


async def _close(hands: Hands, call: ToolCallId, _: Nothing) -> Answer:
    last = hands.acting.observing.last
    if last is None:
        return not_done("no page is open")
    return await hands.acting.on_page(call, "browser_close", CloseTab(last.look.tab), "closed the tab")


async def _tabs(hands: Hands, call: ToolCallId, args: TabsArguments) -> Answer:
    if args.action == "list":
        seeing = await hands.acting.observing.see()
        listed = "\n".join(
            f"- {tab.id}: {'(current) ' * tab.active}{page_words(tab.title) or '(no title)'} {page_words(tab.url)}"
            for tab in seeing.look.tabs
        )
        return Answer(f"Open tabs:\n{listed}", observation=seeing.observation)
    if args.action == "new":
        url = web_address(args.url) if args.url else ""
        if url is None:
            return not_done(f"{args.url} is not a web address")
        return await hands.acting.on_page(call, "browser_tabs", OpenTab(url), "opened a new tab", without_sign_in(url))
    if args.index is None:
        return not_done(f"{args.action} needs the index of a tab")
    act: PageAct = SelectTab(TabId(args.index)) if args.action == "select" else CloseTab(TabId(args.index))
    verb = "went to tab" if args.action == "select" else "closed tab"
    return await hands.acting.on_page(call, "browser_tabs", act, verb, str(args.index))


NAVIGATION: tuple[Tool[Url] | Tool[Nothing] | Tool[TabsArguments] | Tool[Size], ...] = (
    Tool("browser_navigate", "Open an address in the active tab.", Url, _navigate),
    Tool("browser_navigate_back", "Go back in the history of the active tab.", Nothing, _back),
    Tool("browser_navigate_forward", "Go forward in the history of the active tab.", Nothing, _forward),
    Tool(
        "browser_reload",
        "Load the page again. Unsaved input is lost; use it only when the page is broken.",
        Nothing,
        _reload,
    ),
    Tool("browser_tabs", "List, open, close or select tabs. Refs act only on the active tab.", TabsArguments, _tabs),
    Tool("browser_resize", "Set the size of the page in CSS pixels.", Size, _resize),
    Tool("browser_close", "Close the active tab.", Nothing, _close),
)
