"""Puts a number in place of each fence's random mark, so that the same walk gives the same bytes each time."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.context.request.view import observations
from app.domain.events import StoredEvent, ToolAnswered
from app.domain.messages import Message, PictureBlock, Request, TextBlock, ToolResultBlock, UserMessage
from app.domain.observation import Observation

Block = TextBlock | ToolResultBlock | PictureBlock


def with_numbered_fences(requests: Sequence[Request], events: Sequence[StoredEvent]) -> tuple[Request, ...]:
    """The requests as they were, but for the marks that frame the pages in them."""
    numbers = {seen.observation.fence: _number(seen.observation) for seen in observations(events)}
    if not numbers:
        return tuple(requests)
    fences = re.compile("|".join(map(re.escape, numbers)))
    made: dict[int, Message] = {}  # messages go on from request to request
    for request in requests:
        for message in request.messages:
            if id(message) not in made:
                made[id(message)] = _message(message, fences, numbers)
    return tuple(replace(one, messages=tuple(made[id(message)] for message in one.messages)) for one in requests)


def shown_of(answered: ToolAnswered) -> str:
    """The page as it was shown, its fence with a mark that is no random one."""
    one = answered.observation
    return one.shown.replace(one.fence, _number(one)) if one else ""


def _number(observation: Observation) -> str:
    return f"{int(observation.id[1:]):06x}"


def _message(message: Message, fences: re.Pattern[str], numbers: dict[str, str]) -> Message:
    if not isinstance(message, UserMessage):
        return message
    return UserMessage(tuple(_block(block, fences, numbers) for block in message.content))


def _block(block: Block, fences: re.Pattern[str], numbers: dict[str, str]) -> Block:
    if isinstance(block, ToolResultBlock):
        parts = tuple(_part(part, fences, numbers) for part in block.content)
        return ToolResultBlock(block.call, parts, block.is_error)
    return _part(block, fences, numbers)


def _part(part: TextBlock | PictureBlock, fences: re.Pattern[str], numbers: dict[str, str]) -> TextBlock | PictureBlock:
    return TextBlock(fences.sub(lambda found: numbers[found[0]], part.text)) if isinstance(part, TextBlock) else part
