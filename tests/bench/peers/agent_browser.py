"""agent-browser: a command line with a background process, which is closed and, if it stays, ended by its id."""

import asyncio
import contextlib
import os
import platform
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tests.bench.peers.peer import HEIGHT, WIDTH, Kit, Peer, Seen
from tests.bench.peers.processes import PeerStopped, said
from tests.bench.peers.view import of_agent_browser
from tests.bench.walks.walk import Action, Back, Click, Fill, Open, Press, Select, Wait

SESSION = "bench"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class AgentBrowser:
    """The compact snapshot is its cheapest read that shows every text; the interactive one leaves texts out."""

    name = "agent-browser"

    def __init__(self, program: Path, kit: Kit, sockets: Path) -> None:
        self._program = program
        self._kit = kit
        self._env = {
            **kit.env,
            "AGENT_BROWSER_EXECUTABLE_PATH": str(kit.browser),
            "AGENT_BROWSER_ARGS": "\n".join(kit.browser_arguments),
            "AGENT_BROWSER_SOCKET_DIR": str(sockets),
            "AGENT_BROWSER_NO_VERSION_CHECK": "1",
            "AGENT_BROWSER_IDLE_TIMEOUT_MS": "300000",
        }

    async def begin(self) -> None:
        for words in (("open", "about:blank"), ("set", "viewport", str(WIDTH), str(HEIGHT))):
            code, text = await self.run(*words)
            if code:
                raise PeerStopped(f"agent-browser {' '.join(words)}: {text.strip()}")

    async def fixed(self) -> Mapping[str, str]:
        _, skill = await self.run("skills", "get", "core")
        return {"skill": skill}

    async def act(self, action: Action, ref: str) -> Seen:
        code, reply = await self._do(action, f"@{ref}")
        return await self._seen(reply, reply if code else "")

    async def look(self) -> Seen:
        return await self._seen("", "")

    async def seek(self, tries: int) -> Seen | None:
        return None

    async def run(self, *words: str) -> tuple[int, str]:
        command = [str(self._program), "--session", SESSION, *words]
        code, text = await said(command, env=self._env, folder=self._kit.scratch)
        return code, _COLOURS.sub("", text)

    async def _do(self, action: Action, ref: str) -> tuple[int, str]:
        match action:
            case Open(path):
                return await self.run("open", path)
            case Click():
                return await self.run("click", ref)
            case Fill(_, value):
                return await self.run("fill", ref, value)
            case Select(_, label):
                return await self.run("select", ref, label)
            case Press(key):
                return await self.run("press", key)
            case Wait(text):
                return await self.run("wait", "--text", text)
            case Back():
                return await self.run("back")

    async def _seen(self, reply: str, error: str) -> Seen:
        _, diff = await self.run("diff", "snapshot")
        _, delta = await self.run("snapshot", "--compact", "--delta")
        _, full = await self.run("snapshot", "--compact")
        _, interactive = await self.run("snapshot", "--interactive")
        beside = {
            "diff snapshot": f"{reply}{diff}",
            "snapshot --delta": f"{reply}{delta}",
            "snapshot --interactive": f"{reply}{interactive}",
        }
        return Seen(reply, {"reply and snapshot": f"{reply}{full}"}, of_agent_browser(full), beside=beside, error=error)


@contextlib.asynccontextmanager
async def agent_browser(kit: Kit) -> AsyncIterator[Peer]:
    program = native(kit.modules)
    with tempfile.TemporaryDirectory(prefix="ab") as sockets:  # the path of a socket must be short
        peer = AgentBrowser(program, kit, Path(sockets))
        try:
            await peer.begin()
            yield peer
        finally:
            await asyncio.shield(_end(peer, Path(sockets)))


def native(modules: Path) -> Path:
    """The program for this machine, from the package's folder."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "win32"}.get(sys.platform, sys.platform)
    machine = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
    suffix = ".exe" if system == "win32" else ""
    return modules / "agent-browser" / "bin" / f"agent-browser-{system}-{machine}{suffix}"


async def _end(peer: AgentBrowser, sockets: Path) -> None:
    """Closes the session; a background process that stays is ended by the id it wrote down itself."""
    pids = [int(file.read_text()) for file in sockets.glob("*.pid")]
    with contextlib.suppress(PeerStopped):
        await peer.run("close")
    for pid in pids:
        for _ in range(30):
            if not _is_running(pid):
                break
            await asyncio.sleep(0.1)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
