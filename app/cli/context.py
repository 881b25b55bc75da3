"""`pilotfish context`: exactly what the model was sent at a step, with tokens by part."""

from collections.abc import Iterator

from app.agent.ports import Record
from app.context.request.projection import pictures_in_view, project
from app.context.request.tokens import CHARACTERS_A_TOKEN
from app.domain.errors import UsageError
from app.domain.events import AssistantSaid, Folded, StoredEvent, Summarised
from app.domain.ids import ConversationId
from app.domain.messages import AssistantMessage, PictureBlock, Request, TextBlock, ToolResultBlock


async def context_lines(record: Record, conversation: ConversationId, step: int | None) -> list[str]:
    """The request of that step, the last one when none is given. Raises UsageError for a step that never was."""
    events = await record.events(conversation)
    steps = [one for one in events if isinstance(one.event, AssistantSaid)]
    if not steps or (step is not None and not 1 <= step <= len(steps)):
        known = f"Its steps count from 1 to {len(steps)}." if steps else "The model was not asked anything yet."
        raise UsageError("The conversation has no such step.", next_step=known)
    wanted = steps[(step or len(steps)) - 1]
    before = [one for one in events if one.seq < wanted.seq]
    pictures = {name: await record.blob(name) for name in pictures_in_view(before)}
    request = project(before, model=_model(wanted), pictures=pictures)
    edits = [one.event for one in before if isinstance(one.event, Folded | Summarised)]
    sums = sum(isinstance(one, Summarised) for one in edits)
    told = f"{len(edits) - sums} folds" + (f" and {sums} summaries" if sums else "")
    head = f"# Step {step or len(steps)} of {len(steps)}, model {request.model}, after {told}"
    return [head, *_body(request, wanted)]


def _body(request: Request, wanted: StoredEvent) -> Iterator[str]:
    yield from _sizes(request, wanted)
    yield ""
    yield from _parts(request)


def _model(said: StoredEvent) -> str:
    return said.event.model if isinstance(said.event, AssistantSaid) else ""


def _sizes(request: Request, said: StoredEvent) -> Iterator[str]:
    tools = sum(len(tool.name) + len(tool.description) + len(tool.schema) for tool in request.tools)
    results = sum(_size(block) for message in request.messages for block in _blocks(message) if _is_result(block))
    rest = sum(_size(block) for message in request.messages for block in _blocks(message) if not _is_result(block))
    for name, size in (
        ("system prompt", len(request.system)),
        (f"{len(request.tools)} tools", tools),
        ("words and calls", rest),
        ("tool results with pages", results),
    ):
        yield f"# {name}: about {size / CHARACTERS_A_TOKEN:,.0f} tokens ({size:,} characters)"
    if isinstance(said.event, AssistantSaid) and said.event.usage.input_tokens:
        usage = said.event.usage
        yield f"# the provider counted {usage.input_tokens:,} tokens, {usage.cached_tokens:,} of them from its cache"


def _parts(request: Request) -> Iterator[str]:
    yield "--- system"
    yield request.system
    yield "--- tools"
    for tool in request.tools:
        yield f"{tool.name}: {tool.description} {tool.schema}"
    for message in request.messages:
        if isinstance(message, AssistantMessage):
            yield "--- assistant"
            yield from (text for text in (message.text,) if text)
            yield from (f"[call {call.id}] {call.name} {call.arguments}" for call in message.calls)
            continue
        for block in message.content:
            yield f"--- result of {block.call}" if isinstance(block, ToolResultBlock) else "--- user"
            yield from _texts(block)


def _texts(block: TextBlock | ToolResultBlock | PictureBlock) -> Iterator[str]:
    if isinstance(block, ToolResultBlock):
        for part in block.content:
            yield from _texts(part)
    elif isinstance(block, TextBlock):
        yield block.text
    else:
        yield f"(picture, {len(block.data)} bytes)"


def _blocks(message: object) -> tuple[object, ...]:
    if isinstance(message, AssistantMessage):
        return (TextBlock(message.text), *message.calls)
    return tuple(getattr(message, "content", ()))


def _is_result(block: object) -> bool:
    return isinstance(block, ToolResultBlock)


def _size(block: object) -> int:
    if isinstance(block, ToolResultBlock):
        return sum(_size(part) for part in block.content)
    if isinstance(block, TextBlock):
        return len(block.text)
    return len(getattr(block, "arguments", "")) + len(getattr(block, "name", ""))
