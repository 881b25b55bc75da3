"""Bills a conversation as a provider with a prefix cache would; needs no server, only the blocks of each request."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tests.fakes.strict_blocks import Block

Counter = Callable[[Block], int]

PICTURE_TOKENS = 1_500
_LOOKBACK = 20  # content blocks that a provider with markers looks back from each of them


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices in dollars per million tokens, with how the provider's cache works.

    With `effort_breaks_cache` another effort starts the messages anew (tools and system prompt stay cached); with
    `marks_needed` only what stands before a cache marker is kept, as the wire says; else every prefix that was sent is.
    """

    name: str
    input: float
    cached: float
    write: float
    output: float
    minimum: int = 1_024
    effort_breaks_cache: bool = False
    marks_needed: bool = False


# List prices of November 2026 for short contexts; writes are those that live shortest.
CLAUDE_OPUS_5 = PriceTable("Claude Opus 5", 5.00, 0.50, 6.25, 25.00, effort_breaks_cache=True)
GPT_6_1_SOL = PriceTable("GPT-6.1 Sol", 2.00, 0.10, 2.50, 10.00)


@dataclass(frozen=True, slots=True)
class Bill:
    """What one request was, seen from the provider's side.

    `written` is the part of `uncached` that went into the cache. `edited_at` is the first block of the newest earlier
    request that this one does not hold at its place, None when this one extends it. `common` counts the blocks that
    some earlier request begins with, too.
    """

    tokens_in: int
    cached: int
    uncached: int
    written: int
    tokens_out: int
    cost: float
    blocks: int
    common: int
    edited_at: int | None

    @property
    def extends(self) -> bool:
        return self.edited_at is None


@dataclass(frozen=True, slots=True)
class Total:
    """Sums over requests."""

    requests: int
    tokens_in: int
    cached: int
    uncached: int
    written: int
    tokens_out: int
    cost: float
    edits: int

    @property
    def cached_share(self) -> float:
        return self.cached / self.tokens_in if self.tokens_in else 0.0


def total_of(bills: Sequence[Bill]) -> Total:
    return Total(
        requests=len(bills),
        tokens_in=sum(one.tokens_in for one in bills),
        cached=sum(one.cached for one in bills),
        uncached=sum(one.uncached for one in bills),
        written=sum(one.written for one in bills),
        tokens_out=sum(one.tokens_out for one in bills),
        cost=sum(one.cost for one in bills),
        edits=sum(not one.extends for one in bills),
    )


def quarter_of_characters(block: Block) -> int:
    """Four characters a token, rounded up for each block; a picture has one size."""
    return PICTURE_TOKENS if block.kind == "picture" else -(-len(block.words) // 4)


class Ledger:
    """The requests of one conversation with one provider, oldest first."""

    def __init__(self, table: PriceTable, counter: Counter = quarter_of_characters) -> None:
        self.table = table
        self.bills: list[Bill] = []
        self._counter = counter
        self._counted: dict[bytes, int] = {}
        self._newest: list[bytes] = []
        self._sent: set[bytes] = set()
        self._kept: set[tuple[bytes, str]] = set()

    @property
    def total(self) -> Total:
        return total_of(self.bills)

    def add(self, blocks: Sequence[Block], *, model: str = "", effort: str = "", output_tokens: int = 0) -> Bill:
        """The bill of one more request. A cache belongs to a model, so another model finds none."""
        prefixes = chain(blocks)
        keys = self._keys(blocks, prefixes, model, effort)
        tokens = [*accumulate((self._tokens(block) for block in blocks), initial=0)]
        served = self._if_enough(self._served(keys, blocks), tokens)
        kept = self._if_enough(self._end_of_kept(blocks), tokens)
        cached, uncached = tokens[served], tokens[-1] - tokens[served]
        written = tokens[max(kept, served)] - cached
        bill = Bill(
            tokens_in=tokens[-1],
            cached=cached,
            uncached=uncached,
            written=written,
            tokens_out=output_tokens,
            cost=self._cost(cached, written, uncached - written, output_tokens),
            blocks=len(blocks),
            common=next((n for n, prefix in enumerate(prefixes) if prefix not in self._sent), len(prefixes)),
            edited_at=edit_between(self._newest, prefixes),
        )
        self._remember(blocks, prefixes, keys)
        self.bills.append(bill)
        return bill

    def _remember(self, blocks: Sequence[Block], prefixes: list[bytes], keys: list[tuple[bytes, str]]) -> None:
        self._newest = prefixes
        self._sent.update(prefixes)
        needed = self.table.marks_needed
        self._kept.update(key for key, block in zip(keys, blocks, strict=True) if block.is_marked or not needed)

    def _tokens(self, block: Block) -> int:
        if block.digest not in self._counted:
            self._counted[block.digest] = self._counter(block)
        return self._counted[block.digest]

    def _keys(self, blocks: Sequence[Block], prefixes: list[bytes], model: str, effort: str) -> list[tuple[bytes, str]]:
        """Under which name the cache keeps each prefix."""
        said = f"{model} {effort}" if self.table.effort_breaks_cache else model
        is_head = (block.kind in ("tool", "system") for block in blocks)
        return [(prefix, model if head else said) for prefix, head in zip(prefixes, is_head, strict=True)]

    def _served(self, keys: list[tuple[bytes, str]], blocks: Sequence[Block]) -> int:
        """How many blocks come from the cache."""
        if not self.table.marks_needed:
            return next((number for number, key in enumerate(keys) if key not in self._kept), len(keys))
        return max((self._found_from(mark, keys, blocks) for mark in _marks(blocks)), default=0)

    def _found_from(self, mark: int, keys: list[tuple[bytes, str]], blocks: Sequence[Block]) -> int:
        looked = 0
        for place in range(mark, -1, -1):
            if keys[place] in self._kept:
                return place + 1
            looked += not blocks[place].is_part
            if looked > _LOOKBACK:
                break
        return 0

    def _end_of_kept(self, blocks: Sequence[Block]) -> int:
        """How many blocks are in the cache afterwards."""
        return max(_marks(blocks), default=-1) + 1 if self.table.marks_needed else len(blocks)

    def _if_enough(self, blocks: int, tokens: list[int]) -> int:
        return blocks if tokens[blocks] >= self.table.minimum else 0

    def _cost(self, cached: int, written: int, plain: int, output: int) -> float:
        table = self.table
        return (cached * table.cached + written * table.write + plain * table.input + output * table.output) / 1e6


def chain(blocks: Sequence[Block]) -> list[bytes]:
    """A hash of each prefix: the n-th one stands for the first n + 1 blocks."""
    return [*accumulate(blocks, prefix_with, initial=b"")][1:]


def prefix_with(prefix: bytes, block: Block) -> bytes:
    """The hash of a prefix that goes on with this block."""
    return hashlib.blake2b(prefix + block.digest, digest_size=16).digest()


def edit_between(earlier: Sequence[bytes], later: Sequence[bytes]) -> int | None:
    """The first block of the earlier request that the later one does not hold at its place; None when it holds all."""
    same = (mine == theirs for mine, theirs in zip(earlier, later, strict=False))
    first = next((number for number, is_same in enumerate(same) if not is_same), min(len(earlier), len(later)))
    return first if first < len(earlier) else None


def _marks(blocks: Sequence[Block]) -> list[int]:
    return [number for number, block in enumerate(blocks) if block.is_marked]
