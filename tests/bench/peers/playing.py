"""Plays a walk through one peer and keeps the numbers; the texts themselves are let go."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tests.bench.peers.aims import NotFound, Place, bare, place_of, target
from tests.bench.peers.peer import Peer, Seen
from tests.bench.peers.processes import PeerStopped
from tests.bench.peers.recall import Control, controls, on_page, recall
from tests.bench.peers.tokens import Tokens
from tests.bench.peers.view import Node, words
from tests.bench.walks.walk import Action, Aim, Click, Fill, Open, Select, Wait, Walk

LOOKS = 6
PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class Truth:
    """What Playwright's own tree says at one step: where the target is, and the controls of the page after it."""

    place: Place | None
    controls: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Stepped:
    """One step in numbers; `ways` are the ways to know the whole page, `knows` is the cheapest."""

    what: str
    reply: int
    ways: dict[str, int]
    beside: dict[str, int]
    sent: int | None
    document: str
    is_cut: bool
    found: int
    counted: int
    total: int
    missing: tuple[Control, ...]
    early: int
    seconds: float
    sought: int = 0  # tokens of further looks that it took to find the target

    @property
    def knows(self) -> int:
        return min(self.ways.values())

    @property
    def is_complete(self) -> bool:
        return self.found == self.total and not self.is_cut


@dataclass(frozen=True, slots=True)
class Played:
    """A walk through a peer, up to the end or to where it broke."""

    peer: str
    walk: str
    fixed: dict[str, int]
    steps: tuple[Stepped, ...] = ()
    broke: str = ""

    def as_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> "Played":
        steps = tuple(Stepped(**{**one, "missing": tuple(map(tuple, one["missing"]))}) for one in plain["steps"])
        return cls(**{**plain, "steps": steps})


@dataclass(slots=True)
class Player:
    """Plays one walk; `truth` is empty for @playwright/mcp, whose run makes it."""

    peer: Peer
    walk: Walk
    root: str
    tokens: Tokens
    truth: Sequence[Truth] = ()
    exactly: bool = False
    samples: list[tuple[str, Seen]] = field(default_factory=list)  # first looks and changes, for whoever leans them
    found: list[Truth] = field(default_factory=list)
    _steps: list[Stepped] = field(default_factory=list)
    _tree: Node = field(default_factory=Node)

    async def play(self) -> Played:
        fixed = {part: await self.tokens.of(text) for part, text in (await self.peer.fixed()).items() if text}
        played = Played(self.peer.name, self.walk.name, fixed)
        for at, step in enumerate(self.walk.steps):
            try:
                await self._step(at, step.action, step.then or _waited_for(step.action))
            except (NotFound, PeerStopped) as stop:
                return replace(played, steps=tuple(self._steps), broke=f"step {at + 1}: {stop}")
        return replace(played, steps=tuple(self._steps))

    async def _step(self, at: int, action: Action, then: str) -> None:
        aim = _aim(action)
        known = self.truth[at] if at < len(self.truth) else None
        place = place_of(self._tree, aim) if aim and not self.truth else known.place if known else None
        ref, sought = await self._found_ref(aim, place) if aim else ("", 0)
        began = time.monotonic()
        seen = await self.peer.act(_at_root(action, self.root), ref)
        seconds = time.monotonic() - began
        if isinstance(action, Wait):
            seen = replace(seen, error="")  # a wait that ran out is no failure: the page is looked at again
        seen, early = await self._settled(seen, then)
        self._tree = seen.tree
        truth = known or Truth(place, tuple(controls(seen.tree)))
        self.found.append(truth)
        self.samples.append((f"{at + 1}. {_told(action)}", seen))
        counted = await self._counted(_told(action), seen, truth, early, seconds)
        self._steps.append(replace(counted, sought=sought))

    async def _found_ref(self, aim: Aim, place: Place | None) -> tuple[str, int]:
        """The target's ref, and what it cost to look for it elsewhere on the page. Raises NotFound."""
        spent = tries = 0
        while True:
            try:
                return target(self._tree, aim, place).ref, spent
            except NotFound:
                further = await self.peer.seek(tries)
                if further is None:
                    raise
                tries += 1
                self._tree = further.tree
                spent += await self.tokens.of(further.sent or further.reply)

    async def _settled(self, seen: Seen, then: str) -> tuple[Seen, int]:
        """The page once it shows what the step was for; the reply is kept, further reads are not charged."""
        reply = seen.reply
        for early in range(LOOKS):
            if _says(seen, then):
                return seen, early
            if seen.error:
                break
            await asyncio.sleep(PAUSE_S)
            again = await self.peer.look()
            seen = replace(again, reply=reply, ways={way: f"{reply}\n{text}" for way, text in again.ways.items()})
        raise NotFound(_first_line(seen.error) or f"{then!r} is not on the page")

    async def _counted(self, what: str, seen: Seen, truth: Truth, early: int, seconds: float) -> Stepped:
        wanted = on_page(truth.controls, seen.driver) if seen.driver else truth.controls
        here = recall(wanted, seen.shown or seen.tree, exactly=self.exactly)
        return Stepped(
            what=what,
            reply=await self.tokens.of(seen.reply),
            ways={way: await self.tokens.of(text) for way, text in seen.ways.items()},
            beside={way: await self.tokens.of(text) for way, text in seen.beside.items()},
            sent=None if seen.sent is None else await self.tokens.of(seen.sent),
            document=seen.document,
            is_cut=seen.is_cut,
            found=here.found,
            counted=here.counted,
            total=here.total,
            missing=here.missing[:6],
            early=early,
            seconds=round(seconds, 3),
        )


def _says(seen: Seen, then: str) -> bool:
    if seen.error:
        return False
    wanted = bare(then)
    return wanted in bare(words(seen.tree)) or wanted in bare(seen.page_text)


def _aim(action: Action) -> Aim | None:
    return action.aim if isinstance(action, Click | Fill | Select) else None


def _waited_for(action: Action) -> str:
    return action.text if isinstance(action, Wait) else ""


def _at_root(action: Action, root: str) -> Action:
    return Open(f"{root}{action.path}") if isinstance(action, Open) else action


def _told(action: Action) -> str:
    match action:
        case Open(path):
            return f"open {path}"
        case Click(aim):
            return f'click {aim.role} "{aim.name}"'
        case Fill(aim, value):
            return f'fill {aim.role} "{aim.name}" with "{value}"'
        case Select(aim, label):
            return f'select "{label}" in {aim.role} "{aim.name}"'
        case _:
            return str(action)


def _first_line(text: str) -> str:
    return " ".join(text.split())[:160]
