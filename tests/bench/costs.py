"""What a run cost: its requests on two wires, billed as two providers with a prefix cache would."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.domain.messages import Request
from app.providers import anthropic_convert, chat_convert
from tests.bench.last_state import body_with_marks
from tests.bench.tokens import CountText, counter_of
from tests.fakes.strict_bills import CLAUDE_OPUS_5, GPT_6_1_SOL, Ledger, Total
from tests.fakes.strict_blocks import blocks_of

PRICES_A = replace(CLAUDE_OPUS_5, marks_needed=True)
PRICES_B = GPT_6_1_SOL


@dataclass(frozen=True, slots=True)
class Costs:
    """The same requests at the prices A, on the wire of Anthropic, and B, on that of OpenAI; input only."""

    a: Total
    b: Total


def costs_of(requests: Iterable[Request], count: CountText, *, is_last_state: bool = False) -> Costs:
    """Output is the same under every policy and is left out, so that it hides no difference."""
    counter = counter_of(count)
    a, b = Ledger(PRICES_A, counter), Ledger(PRICES_B, counter)
    for request in requests:
        body = body_with_marks(request) if is_last_state else anthropic_convert.body_of(request, frozenset(), str)
        a.add(blocks_of("anthropic", body))
        b.add(blocks_of("openai-chat", chat_convert.body_of(request, frozenset(), str)))
    return Costs(a.total, b.total)
