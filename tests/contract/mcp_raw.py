"""A client without any library: lines into the server, lines out of it, and everything it started found again."""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.contract.mcp_desk import command


@dataclass
class RawClient:
    process: "subprocess.Popen[str]"
    lines: list[str] = field(default_factory=list)
    last: int = 0

    def greet(self) -> None:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.ask("initialize", hello)
        self.tell("notifications/initialized", {})

    def send(self, method: str, params: dict[str, Any]) -> int:
        """Ask without waiting; the number of the request."""
        self.last += 1
        self._write({"id": self.last, "method": method, "params": params})
        return self.last

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self._write({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = self.send(method, params)
        while (message := self.read()).get("id") != number:
            continue
        return message["result"]

    def call(self, tool: str, **arguments: Any) -> str:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return result["content"][0]["text"]

    def read(self) -> dict[str, Any]:
        """The next line, which must be one of the protocol."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server ended"
        self.lines.append(line)
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


@contextlib.contextmanager
def raw_client(home: Path, *arguments: str) -> Iterator[RawClient]:
    how = command(home, *arguments)
    process = subprocess.Popen(
        [how.command, *how.args],
        env=how.env,
        cwd=how.cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        client = RawClient(process)
        client.greet()
        yield client
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
