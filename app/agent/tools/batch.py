"""Tools that do several things in one call: fields of a form, and steps that build on each other."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field, model_validator

from app.agent import sequence
from app.agent.answers import Answer
from app.agent.sequence import Step
from app.agent.tools.targets import Element, Target, as_ref
from app.agent.tools.tool import Arguments, Hands, Tool
from app.domain.acts import Click, Hover, PressKey, ScrollBy, SelectOptions, SetChecked, SetSlider, Type
from app.domain.ids import Ref, ToolCallId


class FormField(Arguments):
    target: Target
    value: str = Field(
        description='for checkbox and radio "true" or "false"; for combobox the exact label of the option'
    )
    type: Literal["textbox", "checkbox", "radio", "combobox", "slider"] = Field(
        "textbox", description="as the page shows it; combobox is a native select; textbox also for a spinbutton"
    )
    name: str = Field("", description="what the field is, in words")
    element: Element = ""


class FillFormArguments(Arguments):
    fields: list[FormField] = Field(min_length=1, max_length=40)


Do = Literal["click", "type", "select", "check", "uncheck", "press", "hover", "scroll"]


class BatchStep(Arguments):
    do: Do
    target: Target | None = None
    value: str = Field("", description="text to type, label to select, or key to press")

    @model_validator(mode="after")
    def _is_whole(self) -> "BatchStep":
        if (self.do == "press") != (self.target is None):
            raise ValueError("press takes a key and no target" if self.target else f"{self.do} needs a target")
        if self.do in ("press", "select") and not self.value:
            raise ValueError(f"{self.do} needs a value")
        return self


class BatchArguments(Arguments):
    steps: list[BatchStep] = Field(min_length=1, max_length=20)


async def _fill_form(hands: Hands, call: ToolCallId, args: FillFormArguments) -> Answer:
    steps = [_field_step(one) for one in args.fields]
    return await sequence.fill(hands.acting, call, "browser_fill_form", steps)


def _field_step(field: FormField) -> Step:
    target = as_ref(field.target)
    if field.type in ("checkbox", "radio"):
        return _checking(target, on=field.value.strip().lower() in ("true", "on", "yes", "1", "checked"))
    if field.type == "combobox":
        return Step("chose in", SelectOptions((field.value,)), target)
    if field.type == "slider":
        return Step("set", SetSlider(field.value), target, field.value)
    return Step("filled", Type(field.value), target, field.value)


def _checking(target: Ref, *, on: bool) -> Step:
    state = "checked" if on else "unchecked"
    return Step(state, SetChecked(on), target, state)


async def _batch(hands: Hands, call: ToolCallId, args: BatchArguments) -> Answer:
    return await sequence.run(hands.acting, call, "browser_batch", [_step(one) for one in args.steps])


def _step(one: BatchStep) -> Step:
    if one.target is None:
        return Step("pressed", PressKey(one.value))
    return _STEPS[one.do](as_ref(one.target), one.value)


_STEPS: dict[str, Callable[[Ref, str], Step]] = {
    "click": lambda target, _: Step("clicked", Click(), target),
    "type": lambda target, text: Step("typed into", Type(text), target, text),
    "select": lambda target, label: Step("chose in", SelectOptions((label,)), target),
    "check": lambda target, _: _checking(target, on=True),
    "uncheck": lambda target, _: _checking(target, on=False),
    "hover": lambda target, _: Step("pointed at", Hover(), target),
    "scroll": lambda target, _: Step("brought into view", ScrollBy(), target),
}


BATCH: tuple[Tool[FillFormArguments] | Tool[BatchArguments], ...] = (
    Tool(
        "browser_fill_form",
        "Fill several fields at once, in order, with one look at the end. Prefer it to one browser_type a field.",
        FillFormArguments,
        _fill_form,
    ),
    Tool(
        "browser_batch",
        "Do several steps on controls that the newest page shows, with one look at the end. It stops at the first "
        "surprise: a refusal, a new page, tab or dialog. Put what may open or send something last.",
        BatchArguments,
        _batch,
    ),
)
