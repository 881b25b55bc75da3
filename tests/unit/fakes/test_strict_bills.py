"""A prefix cache serves what some earlier request began with, and everything else is paid for in full."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.strict_bills import CLAUDE_OPUS_5, PICTURE_TOKENS, Ledger, PriceTable
from tests.fakes.strict_blocks import Block, blocks_of

PLAIN = PriceTable("plain", input=10, cached=1, write=10, output=100, minimum=0)


def words(*sizes: int) -> list[Block]:
    """Blocks of so many tokens each, no two the same."""
    return [Block.of("text", f"{number:04}" + "x" * 4 * (size - 1)) for number, size in enumerate(sizes)]


def tokens_of(block: Block) -> int:
    return -(-len(block.words) // 4)


def test_an_edit_is_named_by_its_block_and_billed_from_there_on() -> None:
    ledger, blocks = Ledger(PLAIN), words(10, 20, 30, 40)
    ledger.add(blocks)
    bill = ledger.add([*blocks[:2], *words(5), *blocks[3:], *words(7)], output_tokens=3)
    assert (bill.edited_at, bill.cached, bill.uncached, bill.tokens_in) == (2, 30, 52, 82)
    assert bill.cost == pytest.approx((30 * 1 + 52 * 10 + 3 * 100) / 1e6)


def test_a_request_that_lost_its_end_is_an_edit() -> None:
    ledger, blocks = Ledger(PLAIN), words(10, 20, 30)
    ledger.add(blocks)
    bill = ledger.add(blocks[:2])
    assert (bill.edited_at, bill.cached, bill.uncached) == (2, 30, 0)


def test_the_cache_serves_the_longest_beginning_of_any_earlier_request() -> None:
    ledger, blocks = Ledger(PLAIN), words(10, 20, 30, 40)
    ledger.add(blocks)
    ledger.add(blocks[:1])
    bill = ledger.add([*blocks[:3], *words(5)])
    assert (bill.edited_at, bill.common, bill.cached) == (None, 3, 60)


def test_too_short_a_beginning_is_not_cached() -> None:
    ledger, blocks = Ledger(replace(PLAIN, minimum=1_024, write=12)), words(1_023, 1, 50)
    first = ledger.add(blocks[:1])
    second = ledger.add(blocks[:2])
    assert (first.written, second.cached, second.written) == (0, 0, 1_024)
    assert ledger.add(blocks).cached == 1_024
    assert ledger.total.cost == pytest.approx((1_023 * 10 + 1_024 * 12 + 1_024 * 1 + 50 * 12) / 1e6)


def test_a_cache_belongs_to_one_model() -> None:
    ledger, blocks = Ledger(PLAIN), words(10, 20)
    ledger.add(blocks, model="a")
    assert ledger.add(blocks, model="b").cached == 0
    assert ledger.add(blocks, model="a").cached == 30


@pytest.mark.parametrize(("breaks", "cached"), [(False, 30), (True, 10)])
def test_another_effort_starts_the_messages_anew_only_where_the_table_says_so(breaks: bool, cached: int) -> None:
    ledger = Ledger(replace(PLAIN, effort_breaks_cache=breaks))
    blocks = [Block.of("system", "x" * 40), *words(20)]
    ledger.add(blocks, effort="low")
    bill = ledger.add(blocks, effort="high")
    assert (bill.cached, bill.edited_at) == (cached, None)


def test_where_markers_are_needed_only_what_stands_before_one_is_kept() -> None:
    ledger, blocks = Ledger(replace(PLAIN, marks_needed=True, write=12)), words(10, 20, 30)
    marked = [blocks[0], replace(blocks[1], is_marked=True), blocks[2]]
    assert ledger.add(blocks).written == 0
    assert [ledger.add(marked).written, ledger.add(marked).cached, ledger.add(blocks).cached] == [30, 30, 0]


def test_a_marker_finds_what_was_kept_not_more_than_twenty_blocks_before_it() -> None:
    blocks = words(*[10] * 30)
    for steps, cached in ((20, 10), (21, 0)):
        ledger = Ledger(replace(PLAIN, marks_needed=True))
        ledger.add([replace(blocks[0], is_marked=True)])
        assert ledger.add([*blocks[:steps], replace(blocks[steps], is_marked=True)]).cached == cached


def test_the_total_sums_every_bill() -> None:
    ledger, blocks = Ledger(CLAUDE_OPUS_5), words(2_000, 30, 40)
    bills = [ledger.add(blocks[:1]), ledger.add(blocks[:2], output_tokens=9), ledger.add(blocks[1:])]
    total = ledger.total
    assert (total.requests, total.edits, total.tokens_out) == (3, 1, 9)
    assert total.tokens_in == sum(bill.tokens_in for bill in bills) == total.cached + total.uncached
    assert total.cost == pytest.approx(sum(bill.cost for bill in bills))


requests = st.lists(st.lists(st.integers(0, 3), max_size=8), min_size=1, max_size=12)


def common(one: list[int], other: list[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@given(requests)
def test_any_list_of_requests_is_billed_as_a_slow_reading_of_the_rule_says(asked: list[list[int]]) -> None:
    blocks = words(3, 5, 7, 11)
    ledger = Ledger(PLAIN)
    for number, wanted in enumerate(asked):
        bill = ledger.add([blocks[one] for one in wanted])
        longest = max((common(wanted, earlier) for earlier in asked[:number]), default=0)
        newest = asked[number - 1] if number else []
        shared = common(wanted, newest)
        assert bill.common == longest
        assert bill.cached == sum(tokens_of(blocks[one]) for one in wanted[:longest])
        assert bill.cached + bill.uncached == bill.tokens_in == sum(tokens_of(blocks[one]) for one in wanted)
        assert bill.edited_at == (None if shared == len(newest) else shared)


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), min_size=2, max_size=8))
def test_what_only_grows_is_never_an_edit_and_pays_for_each_block_once(grown: list[list[int]]) -> None:
    blocks, ledger, so_far = words(3, 5, 7, 11), Ledger(PLAIN), list[Block]()
    for new in grown:
        so_far += [blocks[one] for one in new]
        ledger.add(so_far)
    assert ledger.total.edits == 0
    assert ledger.total.uncached == sum(map(tokens_of, so_far))


def test_a_picture_is_its_digest_and_has_a_fixed_size() -> None:
    def with_picture(data: str) -> tuple[Block, ...]:
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return blocks_of(
            "anthropic", {"messages": [{"role": "user", "content": [{"type": "image", "source": source}]}]}
        )

    (block,) = with_picture("AAAA")
    assert "AAAA" not in block.canonical
    assert [block] == [*with_picture("AAAA")] != [*with_picture("AAAB")]
    assert Ledger(PLAIN).add([block]).tokens_in == PICTURE_TOKENS
