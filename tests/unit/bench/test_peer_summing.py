"""What is compared with what, and which peer is the best."""

from tests.bench.peers.playing import Played, Stepped
from tests.bench.peers.summing import OURS, best, first_looks, our_recall, resent, same_page


def step(
    knows: int, document: str = "", *, found: int = 2, total: int = 2, is_cut: bool = False, sent: int = 0
) -> Stepped:
    return Stepped(
        what="",
        reply=0,
        ways={"dear": 9 * knows, "cheap": knows},
        beside={},
        sent=sent or None,
        document=document,
        is_cut=is_cut,
        found=found,
        counted=0,
        total=total,
        missing=(),
        early=0,
        seconds=0.0,
    )


def walk(peer: str, *steps: Stepped, broke: str = "") -> Played:
    return Played(peer, "walk", {"tools": 10}, steps, broke)


OUR_WALK = walk(OURS, step(50, "d1"), step(5, "d1", found=0), step(60, "d2"), step(7, "d2", found=1))


def test_looks_at_a_new_document_and_looks_after_an_action_are_summed_apart() -> None:
    theirs = walk("a", step(100), step(100), step(100), step(100))
    (first,), (same,) = first_looks([OUR_WALK, theirs]), same_page([OUR_WALK, theirs])
    assert (first.ours, first.theirs, first.ratio) == (110, 200, 0.55)
    assert (same.ours, same.theirs, same.ratio) == (12, 200, 0.06)


def test_a_step_is_not_compared_where_ours_was_cut_or_the_peer_leaves_a_control_out() -> None:
    ours = walk(OURS, step(50, "d1"), step(5, "d1", is_cut=True), step(5, "d1"))
    theirs = walk("a", step(100, found=1), step(100), step(100))
    played = [ours, theirs]
    assert [len(one.pairs) for one in (*first_looks(played), *same_page(played))] == [0, 1]


def test_a_walk_that_broke_is_compared_up_to_there() -> None:
    theirs = walk("a", step(100), step(100), broke="step 3: gone")
    (same,) = same_page([OUR_WALK, theirs])
    assert (len(same.pairs), same.of) == (1, 2)


def test_the_load_of_an_empty_page_is_no_look_and_the_next_step_stands_for_it() -> None:
    ours = walk(OURS, step(3, "d1", found=0, total=0), step(50, "d1"), step(5, "d1"))
    theirs = walk("a", step(4, found=0, total=0), step(100), step(100))
    (first,), (same,) = first_looks([ours, theirs]), same_page([ours, theirs])
    assert ([one.number for one in first.pairs], [one.number for one in same.pairs]) == ([2], [3])
    assert our_recall([ours, theirs]) == (2, 2)


def test_the_best_peer_is_the_one_ours_stands_worst_against_if_it_can_be_compared_often_enough() -> None:
    cheap = walk("cheap", step(80), step(80), step(80), step(80))
    dear = walk("dear", step(100), step(100), step(100), step(100))
    rare = walk("rare", step(10), step(10, found=1), step(10, found=1), step(10, found=1))
    found = best(first_looks([OUR_WALK, cheap, dear, rare]))
    assert found is not None
    assert found.peer == "rare"  # one of its two first looks shows everything
    narrow = best(same_page([OUR_WALK, cheap, dear, rare]))
    assert narrow is not None
    assert narrow.peer == "cheap"


def test_requests_append_everything_or_hold_what_was_sent_last() -> None:
    assert resent(walk("a", step(100), step(100))) == 10 + 100 + 10 + 200
    assert resent(walk("b", step(100, sent=30), step(100, sent=40))) == 10 + 30 + 10 + 40


def test_a_walk_is_read_back_as_it_was_kept() -> None:
    assert Played.of_plain(OUR_WALK.as_plain()) == OUR_WALK
