import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.events import AssistantSaid, ConversationStarted, HandedBack, ToolAnswered, TurnEnded
from app.store.record import SqliteRecord
from tests.contract.mcp_desk import ERAS, connected, fresh, ref, shop, site_for_a_module
from tests.contract.mcp_raw import raw_client
from tests.e2e import stored
from tests.e2e.processes import CAN_LOOK, belonging_to, wait_until_gone
from tests.pages.site import Site

pytestmark = pytest.mark.timeout(120)
END_S = 15


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    yield from site_for_a_module()


@pytest.fixture
def site(served: Site) -> Site:
    return fresh(served)


async def test_a_connection_is_one_conversation_that_can_be_read_afterwards(tmp_path: Path, site: Site) -> None:
    async with connected(tmp_path) as desk:
        page = await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
        await desk.say("browser_click", target=ref(page, 'button "Greet"'))
        await desk.refused("browser_click", target="e4711")
    kept = await asyncio.to_thread(stored.events, tmp_path)
    events = [one.event for one in kept]
    assert isinstance(events[0], ConversationStarted)
    assert isinstance(events[1], HandedBack)
    assert events[1].text == "a tester 7 uses the browser from here on."
    assert events[-1] == TurnEnded("done", "a tester 7 has left.")
    calls = [call.name for one in events if isinstance(one, AssistantSaid) for call in one.calls]
    assert calls == ["browser_navigate", "browser_click", "browser_click"]
    results = [one for one in events if isinstance(one, ToolAnswered)]
    assert [one.is_error for one in results] == [False, False, True]
    assert results[1].receipt is not None
    assert set(stored.results_per_call(kept).values()) == {1}
    assert list((tmp_path / "visits").iterdir()) == [], "the throw-away profile is gone"


async def test_two_clients_work_at_once_beside_an_open_window_and_both_are_read_there(
    tmp_path: Path, site: Site
) -> None:
    window = await SqliteRecord.open(tmp_path / "record.db", visits=tmp_path / "visits")
    try:
        async with connected(tmp_path) as one, connected(tmp_path) as two:
            pages = await asyncio.gather(
                one.say("browser_navigate", url=site.url("/mcp/shop.html")),
                two.say("browser_navigate", url=site.url("/mcp/other.html")),
            )
            assert "A small shop" in pages[0]
            assert "Back to the shop" in pages[1]
            assert await window.conversations() == ()
        assert [one.title for one in await window.conversations()] == ["a tester 7 (MCP)"] * 2
    finally:
        await window.close()


async def test_a_named_profile_keeps_its_cookies_and_is_held_by_one_at_a_time(tmp_path: Path, site: Site) -> None:
    site.put("/in", "<title>In</title><script>document.cookie = 'who=ann; max-age=9999'</script>")
    site.put("/who", "<title>Who</title><p id=p></p><script>p.textContent = document.cookie || 'nobody'</script>")
    async with connected(tmp_path, "--profile", "shopping") as late:
        async with connected(tmp_path, "--profile", "shopping") as desk:
            await desk.say("browser_navigate", url=site.url("/in"))
            refusal = await late.refused("browser_navigate", url=site.url("/who"))
            assert refusal.startswith("Not done: The browser's data folder is in use")
        assert "who=ann" in await late.say("browser_navigate", url=site.url("/who"))
    async with connected(tmp_path) as other:
        assert "nobody" in await other.say("browser_navigate", url=site.url("/who"))


@pytest.mark.parametrize("mode", ERAS)
async def test_a_long_call_tells_its_progress_and_ends_at_once_when_it_is_cancelled(
    tmp_path: Path, site: Site, mode: str
) -> None:
    heard: list[str] = []
    is_heard = asyncio.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")
        is_heard.set()

    async with connected(tmp_path, mode=mode) as desk:
        await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
        call = desk.client.call_tool("browser_wait_for", {"time": 30}, progress_callback=progress)
        waiting = asyncio.create_task(call)
        await is_heard.wait()
        began = time.monotonic()
        waiting.cancel()
        await asyncio.wait([waiting])
        assert "A small shop" in await desk.say("browser_snapshot")
        assert time.monotonic() - began < END_S
    assert heard[0] == "wait for"
    kept = await asyncio.to_thread(stored.events, tmp_path)
    results = [one.event for one in kept if isinstance(one.event, ToolAnswered)]
    assert [one.text for one in results if one.is_error] == ["Not run: the client cancelled it."]


@pytest.mark.skipif(not CAN_LOOK, reason="processes are looked for where the system shows them as files")
@pytest.mark.parametrize("how", ["leaves", "terminates", "kills"])
def test_when_the_client_goes_no_process_is_left_and_the_conversation_is_kept(
    tmp_path: Path, site: Site, how: str
) -> None:
    with raw_client(tmp_path) as client:
        assert "A small shop" in client.call("browser_navigate", url=site.url("/mcp/shop.html"))
        client.send("tools/call", {"name": "browser_wait_for", "arguments": {"time": 30}})
        assert any("chrom" in command for command in belonging_to(tmp_path).values())
        if how == "leaves":
            assert client.process.stdin is not None
            client.process.stdin.close()
        else:
            client.process.send_signal(signal.SIGTERM if how == "terminates" else signal.SIGKILL)
        code = client.process.wait(END_S)
        assert client.process.stderr is not None
        assert client.process.stderr.read() == ""
    wait_until_gone(tmp_path)
    assert code == (-signal.SIGKILL if how == "kills" else 0)

    async def conversations() -> list[str]:
        record = await SqliteRecord.open(tmp_path / "record.db", visits=tmp_path / "visits")
        try:
            return [one.title for one in await record.conversations()]
        finally:
            await record.close()

    assert asyncio.run(conversations()) == ["raw 1 (MCP)"]
    assert list((tmp_path / "visits").iterdir()) == []


@pytest.mark.skipif(not CAN_LOOK, reason="processes are looked for where the system shows them as files")
def test_what_a_killed_server_may_have_sent_is_not_sent_by_the_next_one(tmp_path: Path, site: Site) -> None:
    site.put("/mcp/paid", "", delay_s=30)
    with raw_client(tmp_path, "--answer-consent", "yes") as client:
        page = client.call("browser_navigate", url=shop(site))
        client.send("tools/call", {"name": "browser_click", "arguments": {"target": ref(page, 'button "Pay now"')}})
        until = time.monotonic() + END_S
        while not site.posts and time.monotonic() < until:
            time.sleep(0.05)
        client.process.send_signal(signal.SIGKILL)
        client.process.wait(END_S)
    wait_until_gone(tmp_path)
    assert len(site.posts) == 1
    with raw_client(tmp_path, "--answer-consent", "yes") as client:
        page = client.call("browser_navigate", url=shop(site))
        refused = client.call("browser_click", target=ref(page, 'button "Pay now"'))
    assert "it is not known whether s1 of an earlier conversation" in refused
    assert len(site.posts) == 1


def test_a_client_that_asks_nothing_of_the_browser_starts_none(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        assert {"browser_click"} < {one["name"] for one in client.ask("tools/list", {})["tools"]}
        assert not any("chrom" in command for command in belonging_to(tmp_path).values())
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(END_S) == 0
    assert stored_conversations(tmp_path) == []


def stored_conversations(home: Path) -> list[str]:
    return [str(one) for one in stored.conversations(home)] if (home / "record.db").exists() else []


def test_a_line_that_is_no_message_is_passed_over(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        assert client.process.stdin is not None
        client.process.stdin.write("what is this?\n{}\n")
        client.process.stdin.flush()
        assert client.ask("ping", {}) == {}
