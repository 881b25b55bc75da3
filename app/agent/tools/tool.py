"""What a tool is: a name, advice for the model, arguments that are checked, and a handler."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from app.agent.acting import Acting
from app.agent.answers import Answer
from app.agent.eyes import Eyes
from app.agent.remembering import Remembering
from app.agent.reviving import revived
from app.domain.errors import BrowserError
from app.domain.ids import ToolCallId
from app.domain.messages import ToolSpec


class Arguments(BaseModel):
    """Arguments of a tool, in camel case on the wire; unknown ones are refused, so that none is silently dropped."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Hands:
    """What every handler works with."""

    acting: Acting
    remembering: Remembering
    eyes: Eyes = field(default_factory=Eyes)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool. Its handler gets checked arguments and answers; it raises nothing a model could mend."""

    name: str
    description: str
    arguments: type[A]
    handler: Callable[[Hands, ToolCallId, A], Awaitable[Answer]]

    def spec(self, *, brief: bool = False) -> ToolSpec:
        """The tool as the model is told of it; brief, in its first sentence and without words on its arguments."""
        plain = _plain(self.arguments.model_json_schema(), _UNSAID | {"description"} if brief else _UNSAID)
        schema = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return ToolSpec(self.name, self.description.partition(". ")[0] if brief else self.description, schema)

    async def run(self, hands: Hands, call: ToolCallId, arguments: dict[str, object]) -> Answer:
        """Check the arguments, then do it; wrong arguments and a lost browser are answers to the model."""
        try:
            checked = self.arguments.model_validate(arguments)
        except ValidationError as error:
            text = f"Not done: the arguments of {self.name} are wrong. {_plainly(error)}.{self._names(error)}"
            given = json.dumps(arguments, sort_keys=True, default=str)
            return await hands.acting.ladder.misused(call, self.name, given, text)
        try:
            return await self.handler(hands, call, checked)
        except BrowserError as error:
            return await revived(hands.acting, call, error)

    def _names(self, error: ValidationError) -> str:
        """What the tool takes, when an argument was missing or is none of its own."""
        if not any(one["type"] in ("missing", "extra_forbidden") and len(one["loc"]) == 1 for one in error.errors()):
            return ""
        names = ", ".join(field.alias or name for name, field in self.arguments.model_fields.items())
        return f" It takes: {names}." if names else " It takes no arguments."


_UNSAID = frozenset({"title", "default"})


def _plainly(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {_reason(one['type'], one['msg'])}"
        for one in error.errors()[:4]
    )


def _reason(kind: str, message: str) -> str:
    words = {"missing": "is missing", "extra_forbidden": "is no argument of this tool", "too_short": "is empty"}
    return words.get(kind, message.removeprefix("Value error, ")).rstrip(".")


def _plain(schema: Any, unsaid: frozenset[str]) -> Any:
    """The schema without what goes unsaid, and without nulls that only say "may be left out"."""
    if isinstance(schema, list):
        return [_plain(item, unsaid) for item in schema]
    if not isinstance(schema, dict):
        return schema
    named = schema.get("properties")  # an argument may be called like a word of the schema
    kept = {key: _plain(value, unsaid) for key, value in schema.items() if key not in unsaid and key != "properties"}
    if named is not None:
        kept["properties"] = {name: _plain(value, unsaid) for name, value in named.items()}
    options = kept.get("anyOf")
    if isinstance(options, list) and {"type": "null"} in options and len(options) == 2:
        (real,) = [option for option in options if option != {"type": "null"}]
        kept = {**{key: value for key, value in kept.items() if key != "anyOf"}, **real}
    return kept
