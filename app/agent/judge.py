"""Judges a model's turn before anything of it is believed; no tool of a bad turn runs."""

import json
import re
from dataclasses import dataclass
from typing import Literal

from app.domain.messages import ModelTurn

GATEWAY_LONGEST = 400  # characters
GATEWAY_REST = 40  # letters and digits beside the phrase
_GATEWAY = re.compile(
    r"upstream (?:request timeout|connect error[^.]*)|no healthy upstream|bad gateway|gateway time-?out"
    r"|service (?:temporarily )?unavailable|internal server error|too many requests|overloaded_error|request timed out",
    re.IGNORECASE,
)
_CALL_MARK = re.compile(r"<\|?tool_calls?\|?>|<function(?:_call)?[=>]|\[TOOL_CALLS\]", re.IGNORECASE)
_FENCED = re.compile(r"```(?:json|tool_code)?\s*(\{.*?\})\s*```", re.DOTALL)
Judgement = Literal["good", "bad", "refused"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason` is what the person reads about a turn that is not good."""

    judgement: Judgement
    reason: str = ""


def judge(turn: ModelTurn) -> Verdict:
    """Good, bad (may be asked again), or refused by the model."""
    if turn.stop == "cut":
        return Verdict("bad", "The model's answer was cut off.")
    if turn.stop == "refusal":
        return Verdict("refused", "The model refused to answer.")
    if turn.stop in ("other", "paused"):
        return Verdict("bad", "The model stopped for a reason that is not an answer.")
    if turn.stop == "length":
        return Verdict("bad", "The model's answer was too long and was cut off.")
    if not turn.calls and not turn.text.strip():
        return Verdict("bad", "The model's answer was empty.")
    if not turn.calls and _is_gateway_text(turn.text):
        return Verdict("bad", "A gateway answered in place of the model.")
    if not turn.calls and _is_call_in_words(turn.text):
        return Verdict("bad", "The model wrote the call of a tool into its text, where it is not carried out.")
    ids = [call.id for call in turn.calls]
    if len(set(ids)) != len(ids):
        return Verdict("bad", "The model gave two calls the same id.")
    return Verdict("good")


def _is_gateway_text(text: str) -> bool:
    """A short reply that is little more than what a gateway says; long answers may speak of such things."""
    if len(text) >= GATEWAY_LONGEST or not _GATEWAY.search(text):
        return False
    return sum(char.isalnum() for char in _GATEWAY.sub("", text)) <= GATEWAY_REST


def _is_call_in_words(text: str) -> bool:
    """Small models write calls as text; to take that for an answer would end the task with nothing done."""
    if _CALL_MARK.search(text):
        return True
    objects = [arguments_of(one) for one in (text.strip(), *_FENCED.findall(text)) if one.startswith("{")]
    return any(one and "name" in one and not {"arguments", "parameters"}.isdisjoint(one) for one in objects)


def arguments_of(text: str) -> dict[str, object] | None:
    """The arguments of a call, or None when they are no JSON object."""
    try:
        found = json.loads(text or "{}")
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None
