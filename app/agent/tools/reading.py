"""Tools that only read: the page, a part of it, waiting, console, network."""

from typing import Literal

from pydantic import Field

from app.agent.answers import Answer, happenings_text, not_done
from app.agent.looking import Looking
from app.agent.observing import fenced_raw
from app.agent.patterns import BadPattern, TimedPattern
from app.agent.tools.targets import Target, as_ref
from app.agent.tools.tool import Arguments, Hands, Tool
from app.context.page.partial import Part
from app.domain.ids import ToolCallId


class SnapshotArguments(Arguments):
    target: Target | None = Field(None, description="only this part")
    depth: int | None = Field(None, ge=1, le=30, description="levels below")
    boxes: bool = Field(False, description="with boxes in CSS pixels")
    page: int | None = Field(None, ge=1, description="this page of all of it, uncut")
    text: bool = Field(False, description="as text with # headings")


class FindArguments(Arguments):
    text: str | None = Field(None, description="words to find, case does not matter")
    regex: str | None = Field(None, description="a regular expression instead")
    page: int = Field(1, ge=1, description="of the places found")


class WaitArguments(Arguments):
    time: float | None = Field(None, gt=0, le=30, description="seconds")
    text: str | None = Field(None, description="until this text is there")
    text_gone: str | None = Field(None, description="until this text is gone")


class ConsoleArguments(Arguments):
    level: Literal["error", "warning", "info", "debug"] = "error"
    all: bool = False


class NetworkArguments(Arguments):
    static: bool = Field(False, description="also pictures, scripts and styles")
    filter: str | None = Field(None, description="only addresses that hold this text")


async def _snapshot(hands: Hands, call: ToolCallId, args: SnapshotArguments) -> Answer:
    observing = hands.acting.observing
    part = Part(as_ref(args.target) if args.target else None, args.depth, args.boxes, args.page, args.text)
    if part == Part():
        seeing = await observing.see("whole")
        return Answer(f"The page:{await _noticed(hands)}", observation=seeing.observation)
    answer = await observing.part(part)
    if args.boxes and answer.observation is not None:
        await Looking(hands.acting, hands.eyes).bind_points(answer.observation.id)
    return answer


async def _find(hands: Hands, call: ToolCallId, args: FindArguments) -> Answer:
    if (args.text is None) == (args.regex is None):
        return not_done("give text or regex, one of them")
    try:
        return await hands.acting.observing.find(args.text, TimedPattern(args.regex) if args.regex else None, args.page)
    except BadPattern as bad:
        return not_done(str(bad))


async def _wait(hands: Hands, call: ToolCallId, args: WaitArguments) -> Answer:
    if args.time is None and not args.text and not args.text_gone:
        return not_done("give a time, a text or a textGone")
    time_ms = int((args.time or 0) * 1000)
    came = await hands.acting.browser.wait_for(text=args.text or "", gone=args.text_gone or "", time_ms=time_ms)
    await hands.acting.browser.settle()
    seeing = await hands.acting.observing.see()
    what = f"“{args.text}”" if args.text else f"the end of “{args.text_gone}”" if args.text_gone else f"{args.time:g} s"
    text = f"Waited for {what}." if came else f"Waited, but {what} did not come."
    return Answer(text + await _noticed(hands), is_error=not came, observation=seeing.observation)


async def _noticed(hands: Hands) -> str:
    """What happened by itself since the last act, which no receipt is to take for its own."""
    noticed = happenings_text(await hands.acting.noticed())
    return f"\nNoticed meanwhile: {noticed}." if noticed else ""


async def _console(hands: Hands, call: ToolCallId, args: ConsoleArguments) -> Answer:
    levels = ("error", "warning", "info", "debug")
    wanted = levels if args.all else levels[: levels.index(args.level) + 1]
    lines = [f"[{one.level}] {one.text[:400]}" for one in hands.acting.browser.console() if one.level in wanted]
    return Answer(fenced_raw("\n".join(lines[-100:])) if lines else "The console shows nothing of that level.")


async def _network(hands: Hands, call: ToolCallId, args: NetworkArguments) -> Answer:
    static = ("image", "stylesheet", "script", "font", "media")
    kept = [
        f"{one.method} {one.url[:300]} → {one.status if one.status is not None else one.failure or 'running'}"
        for one in hands.acting.browser.network()
        if (args.static or one.resource not in static) and (not args.filter or args.filter in one.url)
    ]
    return Answer(fenced_raw("\n".join(kept[-100:])) if kept else "No such requests.")


READING = (
    Tool(
        "browser_snapshot",
        "Show the page again, or a part of it. Every act already shows what changed.",
        SnapshotArguments,
        _snapshot,
    ),
    Tool("browser_find", "Find text on the page, also in what was left out of the view.", FindArguments, _find),
    Tool("browser_wait_for", "Wait for a text to come or go, or for a time of at most 30 s.", WaitArguments, _wait),
    Tool("browser_console_messages", "Lines of the page's console.", ConsoleArguments, _console),
    Tool("browser_network_requests", "Requests of the page.", NetworkArguments, _network),
)
