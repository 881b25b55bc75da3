"""Our own product as a hand: the served tools, called as another program calls them, with every guard in place."""

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.agent.ports import Record
from app.domain.events import StoredEvent, ToolAnswered
from app.domain.ids import ConversationId
from app.runtime.factories import LiveBrowser
from app.runtime.serving import Allowed, Reach, Serving
from tests.bench.ledger.hand import NotThere, Said, Target
from tests.bench.ledger.person import Person

OURS = "Pilotfish"
PAGE_CHARACTERS = 14_000
_LOOKS = 3
_BETWEEN_LOOKS_S = 0.1
_numbers = itertools.count(1)

Call = Callable[[str, Mapping[str, Any], Reach, Allowed], Awaitable[ToolAnswered]]


@dataclass(frozen=True, slots=True)
class Around:
    """What is not the conversation's own: where files may be put, and how the browser is lost."""

    files: Path
    lose: Callable[[], Awaitable[None]]


class Desk:
    """One conversation, which is served until it is closed."""

    name = OURS

    def __init__(
        self, call: Call, record: Record, conversation: ConversationId, person: Person, around: Around
    ) -> None:
        self.person = person
        self.conversation = conversation
        self.returned: list[Said] = []
        self._call = call
        self._record = record
        self._around = around
        self._page = ""
        self._refs: dict[Target, str] = {}

    async def open(self, url: str) -> Said:
        return await self.call("browser_navigate", url=url)

    async def press(self, target: Target, *, double: bool = False, old: bool = False) -> Said:
        ref = self._refs[target] if old and target in self._refs else await self.ref(target)
        if target.enters:
            return await self.call("browser_type", target=ref, text=target.enters, submit=True)
        return await self.call("browser_click", target=ref, **({"doubleClick": True} if double else {}))

    async def type(self, name: str, text: str, *, submit: bool = False) -> Said:
        return await self.call("browser_type", target=await self.ref(Target("textbox", name)), text=text, submit=submit)

    async def key(self, key: str) -> Said:
        return await self.call("browser_press_key", key=key)

    async def reload(self) -> Said:
        return await self.call("browser_reload")

    async def back(self) -> Said:
        return await self.call("browser_navigate_back")

    async def forward(self) -> Said:
        return await self.call("browser_navigate_forward")

    async def new_tab(self, url: str) -> Said:
        return await self.call("browser_tabs", action="new", url=url)

    async def wait(self, seconds: float) -> Said:
        return await self.call("browser_wait_for", time=seconds)

    async def upload(self, target: Target, text: str) -> Said:
        await self.press(target)
        file = self._around.files / "report.txt"
        file.write_text(text, encoding="utf-8")
        return await self.call("browser_file_upload", paths=[str(file)])

    async def press_at(self, target: Target) -> Said:
        ref = await self.ref(target)
        await self.call("browser_snapshot", boxes=True)
        box = re.search(rf"\[ref={ref}\][^\n|]*?\[box=(-?\d+),(-?\d+),(\d+),(\d+)", self._page)
        if box is None:
            raise NotThere(f"no box of {target.name}")
        left, top, width, height = map(int, box.groups())
        await self.call("browser_take_screenshot")
        return await self.call("browser_mouse_click_xy", x=left + width / 2, y=top + height / 2)

    async def press_in_batch(self, target: Target, times: int) -> Said:
        step = {"do": "click", "target": await self.ref(target)}
        return await self.call("browser_batch", steps=[step] * times)

    async def press_by_drag(self, target: Target) -> Said:
        ref = await self.ref(target)
        return await self.call("browser_drag", startTarget=ref, endTarget=ref)

    async def restart(self) -> Said:
        """As when the browser was lost: what is called next starts it again."""
        await self._around.lose()
        return Said()

    async def call(self, tool: str, **arguments: object) -> Said:
        before = len(self.person.asked)
        answered = await self._call(tool, arguments, self.person.reach, _allowed)
        if answered.observation is not None and tool == "browser_snapshot":
            self._page = answered.observation.shown
        shown = answered.observation.shown if answered.observation else ""
        said = Said(f"{answered.text}\n{shown}", answered.is_error, len(self.person.asked) - before)
        self.returned.append(said)
        return said

    async def ref(self, target: Target) -> str:
        """Its ref on the newest page, looked for a few times. Raises NotThere."""
        for _ in range(_LOOKS):
            await self.call("browser_snapshot")
            ref = ref_in(self._page, target)
            if ref:
                self._refs[target] = ref
                return ref
            await asyncio.sleep(_BETWEEN_LOOKS_S)
        raise NotThere(f"{target.role} {target.name!r} is not in\n{self._page}")

    async def events(self) -> tuple[StoredEvent, ...]:
        return await self._record.events(self.conversation)


def serving(browser: LiveBrowser, record: Record, silence_s: float = 0.0) -> Serving:
    """A connection of a program. After so long a silence it has another errand; with 0 every call begins one."""
    return Serving(
        record=record,
        make_browser=lambda: browser,
        client="bench",
        consent="ask",
        page_characters=PAGE_CHARACTERS,
        conversation=ConversationId(f"ledger{next(_numbers)}"),
        new_errand_s=silence_s,
    )


def ref_in(page: str, target: Target) -> str:
    """The ref of a thing that can be used, as the text of a page says it; empty when it is not there."""
    start = page.find(target.within) if target.within else 0
    start = page.rfind("\n", 0, start) + 1 if start > 0 else start
    name = re.escape(target.name.replace('"', '\\"'))
    pattern = re.compile(rf'{target.role} "{name}"(?P<states>[^|\n]*?)\[ref=(?P<ref>e\d+)\](?P<more>[^|\n]*)')
    for found in pattern.finditer(page, start) if start >= 0 else ():
        if "[disabled]" not in found["states"] + found["more"]:
            return found["ref"]
    return ""


async def _allowed(paths: list[str]) -> tuple[str, ...] | str:
    return tuple(paths)
