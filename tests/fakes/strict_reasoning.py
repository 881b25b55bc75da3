"""Binds reasoning to the exact prefix it was made under, and finds the reasoning that is replayed under another one."""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.fakes.strict_bills import prefix_with
from tests.fakes.strict_blocks import Block


@dataclass(frozen=True, slots=True)
class Seal:
    """What a signature stands for: the prefix without reasoning, the reasoning right before, and the text itself."""

    prefix: str
    before: str
    text: str

    @property
    def signature(self) -> str:
        """As long as real ones are, and as opaque."""
        named = json.dumps([self.prefix, hashlib.sha256(self.before.encode()).hexdigest(), self.text])
        return base64.b64encode(f"{named}{hashlib.sha256(named.encode()).hexdigest()}".encode()).decode()


class _Unbound(Exception):
    """Reasoning that does not belong where it stands."""


class Seals:
    """All signatures that were issued.

    Reasoning may be left out from the start of a conversation, or from some place to its end; what stays must follow
    the reasoning it was made after, or none.
    """

    def __init__(self) -> None:
        self._issued: dict[str, Seal] = {}

    def issue(self, blocks: Sequence[Block], text: str) -> str:
        """The signature of reasoning that answers a request of these blocks, which must have no fault."""
        *_, (prefix, before) = self._walk(blocks)
        seal = Seal(prefix.hex(), min(before, default=""), text)
        self._issued[seal.signature] = seal
        return seal.signature

    def fault_in(self, blocks: Sequence[Block]) -> str | None:
        """What is wrong with the reasoning in a request, or None."""
        try:
            [*self._walk(blocks)]
        except _Unbound as fault:
            return str(fault)
        return None

    def _walk(self, blocks: Sequence[Block]) -> Iterator[tuple[bytes, frozenset[str]]]:
        """After each block: the hash of all that is no reasoning, and the signatures the newest reasoning may have."""
        prefix, before = b"", frozenset[str]()
        yield prefix, before
        for number, block in enumerate(blocks):
            if block.kind == "reasoning":
                before = self._fitting(block, number, prefix.hex(), before)
            else:
                prefix = prefix_with(prefix, block)
            yield prefix, before

    def _fitting(self, block: Block, number: int, prefix: str, before: frozenset[str]) -> frozenset[str]:
        known = self._candidates(block)
        if not known:
            raise _Unbound(f"block {number}: invalid `signature` in `thinking` block: never issued for this text")
        here = [name for name in known if self._issued[name].prefix == prefix]
        if not here:
            raise _Unbound(f"block {number}: this `thinking` block is bound to a different conversation before it")
        fitting = frozenset(name for name in here if not before or self._issued[name].before in before)
        if not fitting:
            raise _Unbound(f"block {number}: a `thinking` block that this one is bound to was left out before it")
        return fitting

    def _candidates(self, block: Block) -> list[str]:
        """The signatures a block may have: the one it carries, or, where a wire has none, all with its text."""
        texts, signatures = _read(block)
        issued = self._issued.items() if not signatures else [(s, self._issued.get(s)) for s in signatures]
        return [name for name, seal in issued if seal is not None and texts <= {seal.text}]


def _read(block: Block) -> tuple[set[str], list[str]]:
    """All copies of the reasoning's text in a block, and its signatures."""
    data = block.data
    details = data.get("reasoning_details") or [data]
    fields = [one.get(name) for one in (data, *details) for name in ("thinking", "reasoning", "reasoning_content")]
    texts = {text for text in (*fields, *(one.get("text") for one in details)) if isinstance(text, str) and text}
    return texts, [one["signature"] for one in details if one.get("signature")]
