"""Requests of a client that sends the newest page and a short note of each earlier step, as browser-use does."""

from collections.abc import Iterator
from typing import Any

from app.domain.events import AssistantSaid, ToolAnswered, UserSaid
from app.domain.messages import Request, TextBlock, UserMessage
from app.providers import anthropic_convert
from tests.bench.fences import shown_of
from tests.bench.playing import Played

NOTE_CHARACTERS = 300

Body = dict[str, Any]


def last_state(whole: Played) -> Iterator[Request]:
    """Made from a run in which every page was shown whole; system prompt and tools stay the same."""
    task = next(one.event.text for one in whole.events if isinstance(one.event, UserSaid))
    said = [one.event for one in whole.events if isinstance(one.event, AssistantSaid)]
    notes: list[TextBlock] = []
    for step, (request, answered) in enumerate(zip(whole.requests, [None, *whole.answers], strict=True)):
        state: list[TextBlock] = []
        if answered is not None:
            notes.append(TextBlock(_note(step, said[step - 1].text, answered)))
            page = shown_of(answered)
            state = [TextBlock(page)] if page else []
        # Each in a message of its own, so that the notes, which stay, can come from the cache.
        said_so_far = tuple(UserMessage((block,)) for block in (TextBlock(task), *notes, *state))
        yield Request(request.model, request.system, request.tools, said_so_far)


def body_with_marks(request: Request) -> Body:
    """On the wire with markers: behind the notes, which stay, and not behind the page, which never comes again."""
    body: Body = anthropic_convert.body_of(request, frozenset(), str)
    blocks = [block for message in body["messages"] for block in message["content"]]
    for block in blocks:
        block.pop("cache_control", None)
    blocks[max(len(blocks) - 2, 0)]["cache_control"] = {"type": "ephemeral"}
    return body


def _note(step: int, said: str, answered: ToolAnswered) -> str:
    return f"Step {step}: {said} {answered.text}"[:NOTE_CHARACTERS]
