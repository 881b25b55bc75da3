"""The tools as a model has them, on a real browser; targets are found in what the tools returned."""

import itertools
import json
from pathlib import Path

from app.agent.acting import Acting
from app.agent.answers import Answer
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.eyes import Eyes
from app.agent.observing import Observing
from app.agent.ports import Browser
from app.agent.remembering import Remembering
from app.agent.submitting import Submitting
from app.agent.tools import TOOLS, specs
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.domain.events import ConversationStarted, QuoteKept, ToolAnswered
from app.domain.files import KeptFile
from app.domain.ids import ConversationId, ToolCallId
from app.domain.records import Quote
from app.domain.snapshot import SnapshotNode
from tests.fakes.record import MemoryRecord

_numbers = itertools.count(1)


class ToolsDesk:
    """Every call is answered and put on record, as in a turn; the person allows what is asked, or refuses it."""

    def __init__(self, hands: Hands, transcript: Transcript) -> None:
        self._hands = hands
        self.transcript = transcript
        self.returned: list[str] = []
        self.last = Answer("")

    @classmethod
    async def made(cls, browser: Browser, consent: str = "yes", eyes: Eyes | None = None) -> "ToolsDesk":
        record = MemoryRecord()
        name = ConversationId(f"tools{next(_numbers)}")
        await record.create(name, "tools")
        transcript = Transcript(record, name, (), lambda stored: None)
        await transcript.add(ConversationStarted("", specs(), "chain"))
        control, observing = Control(), Observing(browser, transcript)
        asking = Asking(transcript, control, attended=False, consent=consent)
        submitting = Submitting(transcript)
        submitting.attend(asking)
        browser.hold_for(submitting.gatekeeper)
        acting = Acting(browser, transcript, observing, asking, control, submitting)
        return cls(Hands(acting, Remembering(transcript), eyes or Eyes()), transcript)

    @property
    def page(self) -> str:
        """The newest page, whole, as the model would have it after `browser_snapshot`."""
        seeing = self._hands.acting.observing.last
        return seeing.shown.full_text if seeing else ""

    @property
    def tree(self) -> SnapshotNode:
        """The newest page as nodes; empty before the first look."""
        seeing = self._hands.acting.observing.last
        return seeing.shown.tree if seeing else SnapshotNode("page")

    @property
    def text(self) -> str:
        """Everything the last call returned."""
        return _returned(self.last)

    async def call(self, tool: str, **arguments: object) -> Answer:
        call = ToolCallId(f"call{next(_numbers)}")
        self.last = await TOOLS[tool].run(self._hands, call, json.loads(json.dumps(arguments)))
        self.returned.append(self.text)
        answered = ToolAnswered(
            call, tool, self.last.text, self.last.is_error, self.last.receipt, self.last.observation
        )
        await self.transcript.add(answered)
        return self.last

    @property
    def quotes(self) -> list[Quote]:
        return [one.event.quote for one in self.transcript.events if isinstance(one.event, QuoteKept)]

    @property
    def files(self) -> tuple[KeptFile, ...]:
        """The files of the conversation, in the order of their handles."""
        return self._hands.remembering.files.all

    async def notice(self) -> None:
        """Put on record what came since the last call."""
        acting = self._hands.acting
        await acting.files.keep_noticed(acting.browser.happenings())

    async def give(self, *paths: Path) -> tuple[KeptFile, ...]:
        """What the person does when they give files."""
        return await self._hands.remembering.files.give([str(path) for path in paths])

    async def open(self, url: str) -> Answer:
        return await self.call("browser_navigate", url=url)

    async def click(self, role: str, name: str, **where: object) -> Answer:
        return await self.call("browser_click", target=self.ref(role, name, **where))

    async def type(self, role: str, name: str, text: str, **where: object) -> Answer:
        return await self.call("browser_type", target=self.ref(role, name, **where), text=text)

    def ref(self, role: str, name: str, *, within: str = "", nth: int = 0, frames: int | None = None) -> str:
        """The ref of a thing in the newest page: below something that says `within`, `frames` frames deep."""
        seeing = self._hands.acting.observing.last
        assert seeing is not None, "no page was looked at"
        found = [
            node.ref
            for path, node in paths_in(seeing.shown.tree)
            if (node.role, node.name) == (role, name)
            and node.ref
            and (not within or any(within in said_in(one) for one in path if one.role in _HOLDERS))
            and (frames is None or sum(one.role == "iframe" for one in path) == frames)
        ]
        assert len(found) > nth, f'no {role} "{name}" in\n{self.page}'
        return found[nth]

    def ref_by_text(self, text: str) -> str:
        """The ref of the first thing whose own words, name or hint are or hold that text, the smallest first."""
        seeing = self._hands.acting.observing.last
        assert seeing is not None, "no page was looked at"
        nodes = [node for _, node in paths_in(seeing.shown.tree) if node.ref]
        exact = [node for node in nodes if text in (node.name, node.text, said_in(node).strip())]
        found = exact or [node for node in nodes if text in f"{node.hint} {said_in(node)}"]
        assert found, f"nothing with a ref says {text!r} in\n{self.page}"
        return str(min(found, key=lambda node: len(said_in(node))).ref)


_HOLDERS = ("row", "listitem", "group", "article", "dialog", "region")


def paths_in(
    node: SnapshotNode, path: tuple[SnapshotNode, ...] = ()
) -> list[tuple[tuple[SnapshotNode, ...], SnapshotNode]]:
    """Every node below with the nodes that it is in, from the outside in."""
    below = [pair for child in node.children for pair in paths_in(child, (*path, node))]
    return [(path, node), *below]


def said_in(node: SnapshotNode) -> str:
    """All the words of a node and what is in it."""
    return " ".join((node.name, node.text, *map(said_in, node.children)))


def _returned(answer: Answer) -> str:
    return f"{answer.text}\n{answer.observation.shown if answer.observation else ''}"
