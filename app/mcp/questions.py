"""Puts a question to the person through the client, in the words and the form that the protocol has for it."""

from typing import Any

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult

from app.agent.control import NeedsPerson
from app.domain.events import PersonAnswered, PersonAsked

_ANSWER = "answer"
_NEED_A_WINDOW = ("takeover", "stop")


def form_of(question: PersonAsked) -> ElicitRequest:
    """Everything that will leave is in the message; one choice must be made."""
    about = "".join(f"\n{name}: {value}" for name, value in question.about)
    return ElicitRequest(
        params=ElicitRequestFormParams(message=f"{question.text}{about}", requested_schema=_schema(question))
    )


def answer_of(question: PersonAsked, result: ElicitResult) -> PersonAnswered:
    """What the person chose. Only a clear yes is one. Raises NeedsPerson when they left the question alone."""
    if result.action == "cancel":
        raise NeedsPerson(question.text)
    said = (result.content or {}).get(_ANSWER) if result.action == "accept" else None
    choice = said if said in dict(_choices(question)) else "no"
    return PersonAnswered(question.question_id, str(choice), "answered through the client")


def _schema(question: PersonAsked) -> dict[str, Any]:
    names, labels = zip(*_choices(question), strict=True)
    answer = {"type": "string", "title": "Your answer", "enum": list(names), "enumNames": list(labels)}
    return {"type": "object", "properties": {_ANSWER: answer}, "required": [_ANSWER]}


def _choices(question: PersonAsked) -> list[tuple[str, str]]:
    """Without what takes a window."""
    return [one for one in question.choices if one[0] not in _NEED_A_WINDOW] or [("no", "No")]
