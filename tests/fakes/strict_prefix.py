"""A scripted model server that is as strict about what was sent before as the strictest providers, and bills it.

    with StrictServer([Answer("I look.", calls=(Call("look"),), reasoning="hm"), Answer("Done")]) as server:
        ...                                      # play, with a key of its own for each conversation
        server.only.ledger.bills                 # one bill a request: tokens, cost, edited_at
        server.only.refusals                     # what it answered with 400

It sees bytes on the wire and nothing else. Reasoning in an answer gets a signature that is bound to the exact prefix;
replayed under another one it is refused, as are calls and results that are no pairs. For bills without a server:
`Ledger(table).add(blocks_of(wire, body))`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.fakes.strict_bills import (
    CLAUDE_OPUS_5,
    GPT_6_1_SOL,
    Bill,
    Counter,
    Ledger,
    PriceTable,
    Total,
    quarter_of_characters,
)
from tests.fakes.strict_blocks import Block, Kind, blocks_of, effort_of
from tests.fakes.strict_reasoning import Seals
from tests.fakes.strict_rules import fault_in
from tests.fakes.wire_replies import Answer, Asked, Refusal, Reply, Tokens, Wire
from tests.fakes.wire_server import WireServer

__all__ = [
    "CLAUDE_OPUS_5",
    "GPT_6_1_SOL",
    "Bill",
    "Block",
    "Conversation",
    "Ledger",
    "PriceTable",
    "StrictServer",
    "Total",
    "blocks_of",
    "effort_of",
]

StrictTurn = Reply | Callable[[Asked], Reply]
StrictScript = Sequence[StrictTurn] | Callable[[Asked], Reply]

TABLES: Mapping[Wire, PriceTable] = {"anthropic": CLAUDE_OPUS_5, "openai-chat": GPT_6_1_SOL}
_KEYLESS = ("", "no-key")


@dataclass
class Conversation:
    """What the server saw of one conversation; `requests` are those it took, each with its bill in the ledger.

    What a script refuses is not taken; what it answers badly is, and costs its input.
    """

    ledger: Ledger
    requests: list[tuple[Block, ...]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    played: int = 0

    @property
    def bills(self) -> list[Bill]:
        return self.ledger.bills

    @property
    def edits(self) -> list[int]:
        """The numbers of the requests, from 0, that did not extend the one before."""
        return [number for number, bill in enumerate(self.bills) if not bill.extends]


class StrictServer(WireServer):
    """Serves until the block ends. Every conversation plays the script from its beginning.

    A conversation is known by its key, without one by what its first message of the person begins with.
    """

    def __init__(
        self,
        script: StrictScript,
        *,
        tables: Mapping[Wire, PriceTable] = TABLES,
        counter: Counter = quarter_of_characters,
        models: Sequence[str] = ("test-model",),
    ) -> None:
        super().__init__(self._judged, models=models)
        self.conversations: dict[str, Conversation] = {}
        self._turns = script
        self._tables = tables
        self._counter = counter
        self._seals = Seals()

    @property
    def only(self) -> Conversation:
        """The one conversation there was."""
        (found,) = self.conversations.values()
        return found

    def _judged(self, asked: Asked) -> Reply:
        blocks = blocks_of(asked.wire, asked.body)
        conversation = self._conversation(asked, blocks)
        fault = fault_in(asked.wire, asked.body) or self._seals.fault_in(blocks)
        if fault is not None:
            conversation.refusals.append(fault)
            return Refusal(400, fault)
        reply = self._next(conversation, asked)
        if isinstance(reply, Refusal):
            return reply
        answer = reply if isinstance(reply, Answer) else Answer()
        billed = self._billed(conversation, asked, blocks, answer)
        return billed if isinstance(reply, Answer) else reply

    def _conversation(self, asked: Asked, blocks: Sequence[Block]) -> Conversation:
        key = asked.headers.get("x-api-key") or asked.headers.get("authorization", "").removeprefix("Bearer ")
        if key in _KEYLESS:
            key = next((block.digest.hex() for block in blocks if block.kind not in ("tool", "system")), "")
        if key not in self.conversations:
            self.conversations[key] = Conversation(Ledger(self._tables[asked.wire], self._counter))
        return self.conversations[key]

    def _next(self, conversation: Conversation, asked: Asked) -> Reply:
        if callable(self._turns):
            return self._turns(asked)
        if conversation.played >= len(self._turns):
            return Refusal(500, f"the script has only {len(self._turns)} replies", "test_error")
        turn = self._turns[conversation.played]
        conversation.played += 1
        return turn(asked) if callable(turn) else turn

    def _billed(self, conversation: Conversation, asked: Asked, blocks: tuple[Block, ...], answer: Answer) -> Answer:
        reasoning = self._counted("reasoning", answer.reasoning)
        said = self._counted("text", answer.text)
        calls = sum(self._counted("call", f"{call.name} {call.arguments_text}") for call in answer.calls)
        bill = conversation.ledger.add(
            blocks,
            model=asked.body.get("model", ""),
            effort=effort_of(asked.body),
            output_tokens=reasoning + said + calls,
        )
        conversation.requests.append(blocks)
        signature = self._seals.issue(blocks, answer.reasoning) if answer.reasoning else ""
        tokens = Tokens(bill.tokens_in, bill.cached, bill.written, bill.tokens_out, reasoning)
        return replace(answer, signature=signature, tokens=tokens)

    def _counted(self, kind: Kind, words: str) -> int:
        return self._counter(Block.of(kind, words)) if words else 0
