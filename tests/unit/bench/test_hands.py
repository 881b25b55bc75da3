"""The hands bench: what it counts, what a policy may know, and the pages as it serves them."""

import asyncio
import contextlib
import json
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.context.page.parse import parse
from tests.bench.figures import expected
from tests.bench.hands import FALSE_DONE, LOST_ALONE, OVERHEAD, WON, identity, summed_up, wrong_ways
from tests.bench.hands.choosing import TASKS as CHOOSING
from tests.bench.hands.ours import OURS
from tests.bench.hands.page import NotShown, Thing, thing
from tests.bench.hands.plain import PLAIN
from tests.bench.hands.playwright_mcp import MCP
from tests.bench.hands.probe import probing
from tests.bench.hands.run import Act, Episode
from tests.bench.hands.site import serving
from tests.bench.hands.sums import lost_alone, overhead, score
from tests.bench.hands.tasks import LEFT_TO_THE_PERSON, QUICK, TASKS

PAGE = """\
- generic [ref=e1]:
  - text: Find Ann
  - link "Ann" [ref=e2] [box=10,20,40,10]
  - listitem [ref=e3]: Bob
  - textbox [ref=e4]: "7"
"""


def seen() -> Thing:
    return thing(parse(PAGE), ours=False, boxes=True)


def act(seconds: float, to_input: float = 0.0, *, done: bool = True, saw: bool = True, kind: str = "click") -> Act:
    return Act(kind, seconds, is_error=False, says_done=done, page_saw=saw, to_input_s=to_input)


def episode(actor: str, reward: float | None, *acts: Act, task: str = "a") -> Episode:
    return Episode(actor, task, 7, reward, "", acts)


def test_a_thing_is_found_by_what_it_says_and_only_when_it_has_a_ref() -> None:
    page = seen()
    assert page.one("link", name="Ann").ref == "e2"
    assert page.exact("Bob").ref == "e3"
    assert page.after("Bob", "textbox").ref == "e4"
    assert page.one("link").middle == (30, 25)
    with pytest.raises(NotShown, match="says just 'Find Ann'"):
        page.exact("Find Ann")


def test_boxes_are_known_only_where_they_were_asked_for() -> None:
    assert thing(parse(PAGE), ours=False, boxes=False).one("link").middle is None


def test_an_act_that_the_page_saw_nothing_of_is_false_only_when_it_was_said_to_be_done() -> None:
    told = episode(OURS, 1.0, act(1, done=True, saw=False), act(1, done=False, saw=False), act(1))
    assert score(OURS, [told]).false_done == 1


def test_an_episode_is_lost_alone_when_a_peer_won_it() -> None:
    episodes = [episode(OURS, -1.0), episode(PLAIN, None), episode(MCP, 0.5), episode(OURS, None, task="b")]
    assert [one.task for one in lost_alone(episodes)] == ["a"]


def test_the_overhead_is_the_median_of_the_differences_up_to_where_the_ways_part() -> None:
    ours = episode(OURS, 1.0, act(0.30, 0.12), act(0.50, 0.13), act(9.0, kind="type"), act(9.0))
    plain = episode(PLAIN, 1.0, act(0.20, 0.02), act(0.42, 0.05), act(0.1, kind="press"), act(0.1))
    cost = overhead([ours, plain])
    assert cost is not None
    assert (cost.pairs, round(cost.extra_s, 3), round(cost.plain_s, 3)) == (2, 0.09, 0.31)
    assert round(cost.checks_s, 3) == 0.09
    assert round(cost.of_allowed, 2) == 1.94


def test_every_figure_of_the_bench_has_a_bar_and_no_other_is_expected() -> None:
    of_trials = {identity.WRONG, identity.FALSE_DONE, identity.MISSED, identity.MISSING, identity.REFUSAL}
    assert {one.what for one in expected()["hands"]} == of_trials | {
        wrong_ways.HARM,
        WON,
        LOST_ALONE,
        FALSE_DONE,
        OVERHEAD,
    }


def test_a_run_is_summed_up_with_a_row_for_each_actor() -> None:
    result = summed_up([episode(OURS, 1.0, act(0.2)), episode(PLAIN, 1.0, act(0.1)), episode(MCP, -1.0, act(0.9))])
    figures = {one.what: one.value for one in result.figures}
    assert figures[WON] == 1
    assert figures[LOST_ALONE] == 0
    rows = next(one.rows for one in result.tables if one.title == "MiniWoB++ by actor")
    assert [row[:3] for row in rows] == [(OURS, "1 of 1", "0"), (PLAIN, "1 of 1", "0"), (MCP, "0 of 1", "1")]


def test_more_than_forty_kinds_of_tasks_are_played() -> None:
    assert len(TASKS.keys() - LEFT_TO_THE_PERSON) > 40
    assert set(QUICK) <= TASKS.keys()
    assert CHOOSING.keys() <= TASKS.keys()


def test_a_page_is_served_with_its_start_script_and_everything_else_as_it_is(tmp_path: Path) -> None:
    core = '<script src="../core/core.js"></script>'
    (tmp_path / "task.html").write_text(f"<head>{core}</head>", encoding="utf-8")
    (tmp_path / "core.js").write_text("var core = {};", encoding="utf-8")
    with serving(tmp_path, 4321) as root:
        page = urllib.request.urlopen(f"{root}/task.html?seed=7").read().decode()
        script = urllib.request.urlopen(f"{root}/core.js").read().decode()
    assert page.startswith(f"<head>{core}<script>")
    assert "ws://127.0.0.1:4321/" in page
    assert script == "var core = {};"


def test_the_probe_hears_only_the_page_of_this_episode() -> None:
    async def asked() -> tuple[float | None, str]:
        async with probing() as (probe, port):
            probe.begin("seed=7")
            async with _page(port, "seed=6", -1), _page(port, "seed=7", 1):
                state = await probe.state()
            return state.reward, state.goal

    assert asyncio.run(asked()) == (1, "of seed=7")


@contextlib.asynccontextmanager
async def _page(port: int, mark: str, reward: int) -> AsyncIterator[None]:
    """As a page with the start script talks: a handshake, then an answer to each question."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /?{mark} HTTP/1.1\r\nSec-WebSocket-Key: x\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    judged = {"reward": reward, "reason": ""}
    said = json.dumps({"ready": True, "goal": f"of {mark}", "judged": judged, "events": 0, "moved": 0}).encode()

    async def answer() -> None:
        while await reader.read(3):
            writer.write(bytes([0x81, 0x80 | 126]) + len(said).to_bytes(2, "big") + bytes(4) + said)

    answering = asyncio.create_task(answer())
    try:
        yield
    finally:
        answering.cancel()
        writer.close()
