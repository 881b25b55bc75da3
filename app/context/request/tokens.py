"""Estimates tokens from characters, without a tokenizer; a provider's own counts correct it while a run goes on."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.messages import AssistantMessage, Message, PictureBlock, TextBlock, ToolResultBlock, ToolSpec

CHARACTERS_A_TOKEN = 3.2  # of page trees; prose takes more characters to a token, so the estimate is on the safe side
BYTES_A_TOKEN = 2.5  # of everything that is not ASCII: a Chinese character has 3 bytes, an Arabic letter 2
PICTURE_TOKENS = 1_500
MESSAGE_TOKENS = 4

LEAST_RATIO = 0.4  # a provider that counts less did not read the request, or does not count what was cached
MOST_RATIO = 3.0


def tokens_of(text: str) -> float:
    """About how many tokens a text has."""
    if text.isascii():
        return len(text) / CHARACTERS_A_TOKEN
    size = len(text.encode(errors="replace"))
    ascii_size = sum(map(str.isascii, text))
    return ascii_size / CHARACTERS_A_TOKEN + (size - ascii_size) / BYTES_A_TOKEN


def tokens_of_message(message: Message) -> float:
    """The same of one message, with what the wire puts around it."""
    if isinstance(message, AssistantMessage):
        if message.wire is not None and message.wire.json:
            return MESSAGE_TOKENS + len(message.wire.json) / CHARACTERS_A_TOKEN
        calls = sum(tokens_of(call.name + call.arguments) for call in message.calls)
        return MESSAGE_TOKENS + tokens_of(message.text) + calls
    return MESSAGE_TOKENS + sum(_tokens_of_block(block) for block in message.content)


def tokens_of_prefix(system: str, tools: Sequence[ToolSpec]) -> float:
    """Of the parts that never change: system prompt and tools."""
    return tokens_of(system) + sum(tokens_of(one.name + one.description + one.schema) for one in tools)


def _tokens_of_block(block: TextBlock | ToolResultBlock | PictureBlock) -> float:
    if isinstance(block, ToolResultBlock):
        return MESSAGE_TOKENS + sum(_tokens_of_block(part) for part in block.content)
    return tokens_of(block.text) if isinstance(block, TextBlock) else PICTURE_TOKENS


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a model's own count stands to the estimate; 1 until it has counted."""

    ratio: float = 1.0

    def corrected(self, estimate: float) -> float:
        return estimate * self.ratio

    def learned(self, estimate: float, counted: int) -> "Calibration":
        """After a request: the same for a count that cannot be of the whole request."""
        ratio = counted / estimate if estimate else 0.0
        return Calibration(ratio) if LEAST_RATIO <= ratio <= MOST_RATIO else self
