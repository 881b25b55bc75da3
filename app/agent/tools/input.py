"""Tools that act on the page: click, type, choose, press, hover, drag, scroll."""

from pydantic import Field

from app.agent.answers import Answer
from app.agent.receipts import SUBMITTED
from app.agent.tools.targets import Element, Target, as_ref
from app.agent.tools.tool import Arguments, Hands, Tool
from app.domain.acts import (
    AnswerDialog,
    Click,
    DropAt,
    Hover,
    Modifier,
    MouseButton,
    ScrollBy,
    SelectOptions,
    Type,
    Wheel,
)
from app.domain.ids import ToolCallId


class ClickArguments(Arguments):
    target: Target
    element: Element = ""
    double_click: bool = False
    button: MouseButton = "left"
    modifiers: list[Modifier] = Field(default_factory=list)


class TypeArguments(Arguments):
    target: Target
    text: str = Field(description="replaces what the field holds")
    element: Element = ""
    submit: bool = Field(False, description="press Enter afterwards")
    slowly: bool = Field(False, description="key by key, for fields that filter or suggest at each key")


class SelectArguments(Arguments):
    target: Target
    values: list[str] = Field(min_length=1, description="exact labels or values of the options")
    element: Element = ""


class KeyArguments(Arguments):
    key: str = Field(
        description='a key or a chord, such as "Enter", "ArrowDown", "Control+A"', min_length=1, max_length=60
    )


class TargetArguments(Arguments):
    target: Target
    element: Element = ""


class DragArguments(Arguments):
    start_target: Target
    end_target: Target
    place: DropAt = Field("on", description="before or after the end target in a list")
    start_element: Element = ""
    end_element: Element = ""


class ScrollArguments(Arguments):
    target: Target | None = None
    delta_x: float = 0
    delta_y: float = Field(0, description="CSS pixels, down is positive; 0 with a target brings it into view")


class WheelArguments(Arguments):
    delta_x: float = 0
    delta_y: float = 0


class DialogArguments(Arguments):
    accept: bool
    prompt_text: str | None = None


async def _click(hands: Hands, call: ToolCallId, args: ClickArguments) -> Answer:
    act = Click(args.button, args.double_click, tuple(args.modifiers))
    verb = "double-clicked" if args.double_click else "clicked"
    return await hands.acting.on_target(call, "browser_click", as_ref(args.target), act, verb)


async def _type(hands: Hands, call: ToolCallId, args: TypeArguments) -> Answer:
    act = Type(args.text, args.submit, args.slowly)
    verb, wanted = (SUBMITTED, None) if args.submit else ("typed into", args.text)
    return await hands.acting.on_target(call, "browser_type", as_ref(args.target), act, verb, wanted)


async def _select(hands: Hands, call: ToolCallId, args: SelectArguments) -> Answer:
    act = SelectOptions(tuple(args.values))
    return await hands.acting.on_target(call, "browser_select_option", as_ref(args.target), act, "chose in")


async def _press(hands: Hands, call: ToolCallId, args: KeyArguments) -> Answer:
    return await hands.acting.press(call, "browser_press_key", args.key)


async def _hover(hands: Hands, call: ToolCallId, args: TargetArguments) -> Answer:
    return await hands.acting.on_target(call, "browser_hover", as_ref(args.target), Hover(), "pointed at")


async def _drag(hands: Hands, call: ToolCallId, args: DragArguments) -> Answer:
    start, end = as_ref(args.start_target), as_ref(args.end_target)
    return await hands.acting.drag(call, "browser_drag", start, end, args.place)


async def _scroll(hands: Hands, call: ToolCallId, args: ScrollArguments) -> Answer:
    if args.target is None:
        act = Wheel(args.delta_x, args.delta_y or 600)
        return await hands.acting.on_page(call, "browser_scroll", act, "scrolled", "the page")
    target = as_ref(args.target)
    return await hands.acting.on_target(
        call, "browser_scroll", target, ScrollBy(args.delta_x, args.delta_y), "scrolled"
    )


async def _wheel(hands: Hands, call: ToolCallId, args: WheelArguments) -> Answer:
    return await hands.acting.on_page(
        call, "browser_mouse_wheel", Wheel(args.delta_x, args.delta_y), "scrolled", "the page"
    )


async def _dialog(hands: Hands, call: ToolCallId, args: DialogArguments) -> Answer:
    act = AnswerDialog(args.accept, args.prompt_text)
    return await hands.acting.answer_dialog(call, "browser_handle_dialog", act)


INPUT = (
    Tool(
        "browser_click",
        "Click an element of the newest page. The answer says what changed, what was sent and which tab opened.",
        ClickArguments,
        _click,
    ),
    Tool(
        "browser_type", "Replace the text of a field. The answer says what the field holds now.", TypeArguments, _type
    ),
    Tool(
        "browser_select_option",
        "Choose in a list by its options: a native select, or a combobox or listbox that the page draws.",
        SelectArguments,
        _select,
    ),
    Tool("browser_press_key", "Press a key; it goes to what has the focus.", KeyArguments, _press),
    Tool("browser_hover", "Move the pointer over an element, to open menus and tips.", TargetArguments, _hover),
    Tool("browser_drag", "Drag one element onto another. The answer says where it landed.", DragArguments, _drag),
    Tool(
        "browser_scroll",
        "Scroll the page, or the scroller a target is in. The page text already holds what is below the fold; scroll "
        "only to load more.",
        ScrollArguments,
        _scroll,
    ),
    Tool("browser_mouse_wheel", "Turn the mouse wheel.", WheelArguments, _wheel),
    Tool("browser_handle_dialog", "Answer the open alert, confirm or prompt.", DialogArguments, _dialog),
)
