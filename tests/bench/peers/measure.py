"""Plays every walk through every peer, one after the other, each time on a fresh application."""

import contextlib
import importlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.apps.app import running
from tests.bench.peers.agent_browser import agent_browser
from tests.bench.peers.browser_use import browser_use
from tests.bench.peers.chrome_devtools import chrome_devtools
from tests.bench.peers.install import kit
from tests.bench.peers.ours import ours
from tests.bench.peers.own_walks import PAGES, pages
from tests.bench.peers.peer import Kit, Opener
from tests.bench.peers.playing import Played, Player, Truth
from tests.bench.peers.playwright_mcp import playwright_mcp
from tests.bench.peers.processes import PeerStopped
from tests.bench.peers.summing import OURS
from tests.bench.peers.tokens import Tokens, tokens
from tests.bench.result import Options
from tests.bench.walks.walk import Walk

PEERS: tuple[tuple[str, Opener], ...] = (
    ("@playwright/mcp", playwright_mcp),  # first: its run says what Playwright's own tree shows
    (OURS, ours),
    ("chrome-devtools-mcp", chrome_devtools),
    ("agent-browser", agent_browser),
    ("browser-use", browser_use),
)


async def measured(walks: Sequence[Walk], options: Options) -> list[Played]:
    """Every walk through every peer; what the partial result holds already is not played again."""
    found: list[Played] = []
    for at, walk in enumerate(walks):
        if options.is_mine(at):
            if walk.name not in options.partial.parts:
                played = await _walked(walk, options.cache)
                options.partial.put(walk.name, [one.as_plain() for one in played])
            kept = options.partial.parts[walk.name]
            assert isinstance(kept, list)
            found += [Played.of_plain(one) for one in kept]
    return found


async def _walked(walk: Walk, cache: Path) -> list[Played]:
    truth: Sequence[Truth] = ()
    found: list[Played] = []
    for name, opener in PEERS:
        with tempfile.TemporaryDirectory(prefix="peers-", ignore_cleanup_errors=True) as folder:
            tools = kit(cache, Path(folder))
            with _served(walk, cache) as root:
                async with tokens(tools) as counter:
                    player, played = await _played(name, opener, tools, walk, root, counter, truth)
        truth = truth or (player.found if player else ())
        found.append(played)
    return found


async def _played(
    name: str, opener: Opener, tools: Kit, walk: Walk, root: str, counter: Tokens, truth: Sequence[Truth]
) -> tuple[Player | None, Played]:
    try:
        async with opener(tools) as peer:
            player = Player(peer, walk, root, counter, truth, exactly=name == OURS)
            return player, await player.play()
    except PeerStopped as stop:
        return None, Played(name, walk.name, {}, broke=f"before step 1: {stop}")


@contextlib.contextmanager
def _served(walk: Walk, cache: Path) -> Iterator[str]:
    if walk.app == PAGES:
        with pages() as root:
            yield root
    else:
        with running(importlib.import_module(f"tests.bench.apps.{walk.app}").APP, cache) as root:
            yield root
