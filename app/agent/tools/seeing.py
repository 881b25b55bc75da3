"""Tools for what no text shows: pictures, clicks and drags by point, reports of another model that can see."""

from typing import Literal

from pydantic import Field

from app.agent.answers import Answer
from app.agent.looking import Looking
from app.agent.pointing import Point, Pointing
from app.agent.tools.targets import Element, Target, as_ref
from app.agent.tools.tool import Arguments, Hands, Tool
from app.domain.acts import MouseButton
from app.domain.ids import ToolCallId


class PictureArguments(Arguments):
    target: Target | None = None
    element: Element = ""
    type: Literal["png", "jpeg"] = "png"
    full_page: bool = False
    scale: Literal["css", "device"] = "css"


class PointArguments(Arguments):
    x: float
    y: float
    element: str = ""
    picture: str = Field("", description="its id, such as o12; else the newest")
    button: MouseButton = "left"
    click_count: int = Field(1, ge=1, le=3)


class DragPointArguments(Arguments):
    start_x: float
    start_y: float
    end_x: float
    end_y: float
    element: str = ""


class LookArguments(Arguments):
    question: str = Field(min_length=1, max_length=600)


async def _picture(hands: Hands, call: ToolCallId, args: PictureArguments) -> Answer:
    prepared = await hands.acting.prepared(as_ref(args.target)) if args.target else None
    if isinstance(prepared, Answer):
        return prepared
    looking = Looking(hands.acting, hands.eyes)
    return await looking.picture(prepared, full_page=args.full_page, kind=args.type, sharp=args.scale == "device")


async def _click_point(hands: Hands, call: ToolCallId, args: PointArguments) -> Answer:
    point = Point(args.x, args.y, args.picture.strip("[] "))
    pointing = Pointing(hands.acting, hands.eyes.again)
    return await pointing.click(call, "browser_mouse_click_xy", point, args.button, args.click_count)


async def _drag_points(hands: Hands, call: ToolCallId, args: DragPointArguments) -> Answer:
    start, end = Point(args.start_x, args.start_y), Point(args.end_x, args.end_y)
    return await Pointing(hands.acting, hands.eyes.again).drag(call, "browser_mouse_drag_xy", start, end)


async def _look(hands: Hands, call: ToolCallId, args: LookArguments) -> Answer:
    return await Looking(hands.acting, hands.eyes).report(args.question)


SEEING = (
    Tool(
        "browser_take_screenshot",
        "Take a picture, when the text of the page is not enough.",
        PictureArguments,
        _picture,
    ),
    Tool(
        "look",
        "Ask what can be seen on the page now, where its text is not enough; a model that sees answers with refs and "
        "points.",
        LookArguments,
        _look,
    ),
    Tool(
        "browser_mouse_click_xy",
        "Click a point of the newest picture, in its pixels; for drawings only.",
        PointArguments,
        _click_point,
    ),
    Tool(
        "browser_mouse_drag_xy",
        "Drag between two points of the newest picture.",
        DragPointArguments,
        _drag_points,
    ),
)
