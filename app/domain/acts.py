"""What can be done to a page: acts on a target, acts on the page as a whole, input of a person."""

from dataclasses import dataclass, field
from typing import Literal

from app.domain.ids import TabId

MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


DropAt = Literal["on", "before", "after"]
"""Where something dragged is let go of, seen from the target."""


@dataclass(frozen=True, slots=True)
class Click:
    """Clicks the middle of the target, or `at`: CSS pixels from the upper left corner of its box."""

    button: MouseButton = "left"
    double: bool = False
    modifiers: tuple[Modifier, ...] = ()
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Type:
    """Replaces what a field holds (`slowly`: key by key), then presses Enter when `submit`."""

    text: str
    submit: bool = False
    slowly: bool = False


@dataclass(frozen=True, slots=True)
class SetChecked:
    checked: bool


@dataclass(frozen=True, slots=True)
class SetSlider:
    value: str


@dataclass(frozen=True, slots=True)
class SelectOptions:
    """Chooses by value or by label."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hover:
    pass


@dataclass(frozen=True, slots=True)
class ScrollBy:
    """Scrolls the nearest scroller of the target, in CSS pixels; both zero means only: bring it into view."""

    delta_x: float = 0.0
    delta_y: float = 0.0


TargetAct = Click | Type | SetChecked | SetSlider | SelectOptions | Hover | ScrollBy


@dataclass(frozen=True, slots=True)
class Navigate:
    url: str


@dataclass(frozen=True, slots=True)
class GoBack:
    pass


@dataclass(frozen=True, slots=True)
class GoForward:
    pass


@dataclass(frozen=True, slots=True)
class Reload:
    pass


@dataclass(frozen=True, slots=True)
class OpenTab:
    url: str = ""
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class SelectTab:
    tab: TabId


@dataclass(frozen=True, slots=True)
class CloseTab:
    """A tab that the person opened is closed only by the person."""

    tab: TabId
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class PressKey:
    """A key or a chord in the driver's spelling ("Enter", "Control+A"), to whatever has the focus.

    With the token of a target that was prepared it goes nowhere else, should the focus have moved meanwhile.
    """

    key: str
    token: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ClickPoint:
    """With the token of what was prepared at the point, nothing else that came to lie there is pressed."""

    x: float
    y: float
    button: MouseButton = "left"
    count: int = 1
    token: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DragPoints:
    """Presses at one point of the viewport, moves, lets go at another; the token is of what lies at the first."""

    x: float
    y: float
    to_x: float
    to_y: float
    token: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Wheel:
    delta_x: float
    delta_y: float


@dataclass(frozen=True, slots=True)
class AnswerDialog:
    accept: bool
    text: str | None = None
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class Resize:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ChooseFiles:
    """Answers the open file chooser; no paths means: close it without a file.

    With `asker` only that of a document at this address is answered.
    """

    paths: tuple[str, ...]
    asker: str = field(default="", compare=False, repr=False)


PageAct = (
    Navigate
    | GoBack
    | GoForward
    | Reload
    | OpenTab
    | SelectTab
    | CloseTab
    | PressKey
    | ClickPoint
    | DragPoints
    | Wheel
    | AnswerDialog
    | Resize
    | ChooseFiles
)


@dataclass(frozen=True, slots=True)
class MouseInput:
    """The person's mouse in the panel; x and y in CSS pixels of the page's viewport."""

    kind: Literal["move", "press", "release"]
    x: float
    y: float
    button: Literal["none", "left", "right", "middle"] = "none"
    buttons: int = 0  # CDP bit field of the buttons held
    modifiers: int = 0  # CDP bit field: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift
    click_count: int = 0


@dataclass(frozen=True, slots=True)
class WheelInput:
    x: float
    y: float
    delta_x: float
    delta_y: float
    modifiers: int = 0


@dataclass(frozen=True, slots=True)
class KeyInput:
    """A key of the person; its `repr` shows no key, since typing is not recorded."""

    kind: Literal["down", "up"]
    key: str
    code: str
    text: str = ""
    key_code: int = 0  # Windows virtual key code
    modifiers: int = 0
    commands: tuple[str, ...] = ()  # editing commands such as "selectAll"

    def __repr__(self) -> str:
        return f"KeyInput({self.kind})"


@dataclass(frozen=True, slots=True)
class TextInput:
    """Text that is put in as it is: paste, a finished composition."""

    text: str

    def __repr__(self) -> str:
        return "TextInput()"


@dataclass(frozen=True, slots=True)
class CompositionInput:
    """The unfinished text of an input method; empty text ends the composition."""

    text: str
    selection_start: int = 0
    selection_end: int = 0

    def __repr__(self) -> str:
        return "CompositionInput()"


@dataclass(frozen=True, slots=True)
class SelectInput:
    """The person's choice in the list that the window shows in place of a page's own select."""

    token: int
    index: int


PersonInput = MouseInput | WheelInput | KeyInput | TextInput | CompositionInput | SelectInput
