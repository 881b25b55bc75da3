"""What every peer is to the bench: something that acts, answers, and can be asked for the whole page."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.bench.peers.view import Node
from tests.bench.walks.walk import Action

WIDTH, HEIGHT = 1280, 720
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"


@dataclass(frozen=True, slots=True)
class Kit:
    """Where things are: what was installed, the browser, a folder for this run, what a peer's process is given."""

    node: Path
    modules: Path
    python: Path
    browser: Path
    without_sandbox: bool
    scratch: Path
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def browser_arguments(self) -> list[str]:
        return [OFFLINE, *(["--no-sandbox"] if self.without_sandbox else [])]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one action returned.

    `ways` are the ways to know the whole page after it, each with all the text it takes, the reply included; the
    cheapest one counts. `beside` is only reported. `tree` is where targets are found, `shown` what is written in the
    view when that is less, `driver` the driver's own tree of the same look where it is at hand. `sent` is what a client
    that keeps only the last state sends; None for those that append everything. `page_text` is what the page itself
    says, `document` the loaded document, where they are known.
    """

    reply: str
    ways: Mapping[str, str]
    tree: Node
    shown: Node | None = None
    driver: Node | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    sent: str | None = None
    page_text: str = ""
    document: str = ""
    is_cut: bool = False
    error: str = ""


class Peer(Protocol):
    """A running peer with its browser open on a blank page."""

    name: str

    async def fixed(self) -> Mapping[str, str]:
        """What is sent with every request, by part; the parts named "also …" are only reported."""
        ...

    async def act(self, action: Action, ref: str) -> Seen: ...

    async def look(self) -> Seen:
        """The page once more, because it was read before it was ready."""
        ...

    async def seek(self, tries: int) -> Seen | None:
        """Another part of the page, for a peer that shows only what is near the viewport; None when there is none."""
        ...


class Opener(Protocol):
    def __call__(self, kit: Kit) -> AbstractAsyncContextManager[Peer]: ...
