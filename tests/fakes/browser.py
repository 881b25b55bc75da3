"""A browser without a browser: pages written as snapshots, clicks that lead from one to the next."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.agent.ports import Gatekeeper
from app.context.page.parse import parse
from app.domain.acts import (
    Click,
    CloseTab,
    DropAt,
    GoBack,
    Navigate,
    OpenTab,
    PageAct,
    SelectTab,
    SetChecked,
    TargetAct,
    Type,
    Wheel,
)
from app.domain.ids import DocumentId, TabId
from app.domain.pages import (
    ConsoleLine,
    Dialog,
    FormFacts,
    Happenings,
    Located,
    Look,
    NetworkEntry,
    NetworkWrite,
    NodeAddress,
    Outcome,
    Picture,
    Prepared,
    Probe,
    Since,
    Spot,
    SpotNode,
    TabInfo,
)
from app.domain.snapshot import FrameInfo, SnapshotNode, walk
from app.domain.submissions import CameBack, Leaving

_AMOUNT = (("amount", "10"),)


@dataclass(frozen=True)
class FakePage:
    """A page: its snapshot, and where a click on a name leads ("" means nowhere)."""

    url: str
    snapshot: str
    title: str = "Page"
    leads: dict[str, str] = field(default_factory=dict)
    posts: frozenset[str] = frozenset()  # names whose click sends a POST


@dataclass
class _Tab:
    page: FakePage
    document: int
    values: dict[str, str] = field(default_factory=dict)


class FakeBrowser:
    """Implements the port `Browser`. `acts` lists what reached a page; `before_act` runs right before an act does."""

    def __init__(self, pages: list[FakePage]) -> None:
        self.pages = {page.url: page for page in pages}
        self.acts: list[tuple[str, str]] = []
        self.before_act: Callable[[], None] = lambda: None
        self.act_lasts_s = 0.0
        self.drawn = b"\x89PNG fake"
        self.draws = False  # whether `drawn` shows what no tree does
        self.dialog: Dialog | None = None
        self.focused = ""  # the name of what has the focus, and lies under every point
        self.running = False
        self.told: tuple[str, ...] = ()  # what it noticed by itself
        self.gatekeeper: Gatekeeper | None = None
        self.answers_with: int | None = 200  # to what is posted; nothing comes back without it
        self._held = 0
        self._documents = 0
        self._tabs: dict[TabId, _Tab] = {}
        self._active = TabId(1)
        self._prepared: dict[int, str] = {}
        self._writes: list[NetworkWrite] = []
        self._new_tabs: list[TabInfo] = []

    async def start(self) -> None:
        self.running = True
        self._tabs[self._active] = self._loaded(FakePage("about:blank", "", ""))

    async def close(self) -> None:
        self.running = False

    def hold_for(self, gatekeeper: Gatekeeper | None) -> None:
        self.gatekeeper = gatekeeper

    @property
    def page(self) -> FakePage:
        """The page of the active tab."""
        return self._tabs[self._active].page

    def go(self, url: str) -> None:
        """What a person or the page itself may do."""
        self._tabs[self._active] = self._loaded(self.pages[url])

    def redraw(self, snapshot: str) -> None:
        """The page of the active tab changes in place."""
        tab = self._tabs[self._active]
        tab.page = replace(tab.page, snapshot=snapshot)

    async def look(self, near: tuple[str, ...] = ()) -> Look:
        tab = self._tabs[self._active]
        document = DocumentId(f"d{tab.document}")
        return Look(
            tab=self._active,
            document=document,
            url=tab.page.url,
            title=tab.page.title,
            tree=self._tree(tab),
            frames=(FrameInfo("", document, tab.page.url, is_main=True),),
            tabs=self._tab_infos(),
            viewport_width=1280,
            viewport_height=800,
            dialog=self.dialog,
            draws=self.draws,
        )

    async def text(self) -> str:
        return "\n".join(node.text or node.name for node in walk(self._tree(self._tabs[self._active])))

    async def picture(
        self,
        target: Prepared | None = None,
        *,
        full_page: bool = False,
        kind: str = "png",
        sharp: bool = False,
        drawings: bool = False,
    ) -> Picture:
        document = DocumentId(f"d{self._tabs[self._active].document}")
        return Picture(self.drawn, "image/png", 1280, 800, tab=self._active, document=document)

    async def locate(self, picture: Picture, x: float, y: float) -> Located:
        now = await self.picture()
        since: Since = "document" if now.document != picture.document else "same"
        return Located(since if now.data == picture.data else "changed", x, y)

    async def spot(self, x: float, y: float) -> Spot:
        tab = self._tabs[self._active]
        found = next((node for node in walk(self._tree(tab)) if self.focused and node.name == self.focused), None)
        nodes = (SpotNode(found.driver_ref, (1.0, 1.0)),) if found else ()
        document = DocumentId(f"d{tab.document}")
        return Spot("ok", document, nodes, is_control=bool(nodes), is_drawn=not nodes, name="canvas")

    async def prepare(self, address: NodeAddress) -> Prepared:
        if address.tab != self._active:
            return Prepared(0, address, Probe("other_tab"))
        tab = self._tabs[self._active]
        if address.document != f"d{tab.document}":
            return Prepared(0, address, Probe("other_document"))
        found = next((node for node in walk(self._tree(tab)) if node.driver_ref == address.driver_ref), None)
        if found is None:
            return Prepared(0, address, Probe("gone"))
        return self._bound(address, found, tab)

    async def prepare_focus(self) -> Prepared:
        return self._named(self.focused)

    async def prepare_point(self, x: float, y: float) -> Prepared:
        return self._named(self.focused)

    async def outline(self, target: Prepared, label: str) -> None:
        return

    async def dispatch(self, target: Prepared, act: TargetAct) -> Outcome:
        await self._reach()
        node = target.probe.node
        name = node.name if node else ""
        self.acts.append((type(act).__name__, name))
        tab = self._tabs[self._active]
        if isinstance(act, Click):
            return await self._clicked(tab, name)
        if isinstance(act, Type):
            tab.values[target.address.driver_ref] = act.text
            return Outcome("done", value_after=act.text)
        if isinstance(act, SetChecked):
            return Outcome("done", value_after="checked" if act.checked else "unchecked")
        return Outcome("done")

    async def drag(self, start: Prepared, end: Prepared, at: DropAt = "on") -> Outcome:
        await self._reach()
        self.acts.append(("drag", ""))
        return Outcome("done")

    async def asks_for_files(self) -> str:
        return ""

    async def perform(self, act: PageAct) -> Outcome:
        await self._reach()
        match act:
            case Navigate(url):
                return self._navigated(url)
            case OpenTab(url):
                self._active = TabId(max(self._tabs) + 1)
                self._tabs[self._active] = self._loaded(self.pages.get(url, FakePage("about:blank", "", "")))
            case SelectTab(tab):
                if tab not in self._tabs:
                    return Outcome("failed", f"there is no tab {tab}")
                self._active = tab
            case CloseTab(tab):
                self._tabs.pop(tab, None)
            case GoBack():
                return Outcome("failed", "there is no page before this one")
            case Wheel():
                self.acts.append(("Wheel", ""))
                return Outcome("done", scrolled=True)
            case _:
                self.acts.append((type(act).__name__, ""))
        return Outcome("done")

    async def settle(self) -> bool:
        return True

    async def wait_for(self, *, text: str = "", gone: str = "", time_ms: int = 0) -> bool:
        return (text in await self.text()) if text else True

    def happenings(self) -> Happenings:
        writes, self._writes = tuple(self._writes), []
        told, self.told = self.told, ()
        return Happenings(told=told, writes=writes)

    def console(self) -> tuple[ConsoleLine, ...]:
        return (ConsoleLine("error", "boom"), ConsoleLine("info", "hello"))

    def network(self) -> tuple[NetworkEntry, ...]:
        return ()

    async def _reach(self) -> None:
        self.before_act()
        await asyncio.sleep(self.act_lasts_s)

    async def _clicked(self, tab: _Tab, name: str) -> Outcome:
        if name in tab.page.posts and not await self._posted(f"{tab.page.url}/post"):
            return Outcome("done")
        leads = tab.page.leads.get(name, "")
        if leads in self.pages:
            self._tabs[self._active] = self._loaded(self.pages[leads])
        return Outcome("done")

    async def _posted(self, url: str) -> bool:
        """What a browser does with a form: it leaves when the gatekeeper lets it, and is answered."""
        self._held += 1
        leaving = Leaving(self._held, "POST", url, "document", _AMOUNT)
        let_go = await self.gatekeeper.may_leave(leaving) if self.gatekeeper else "passed"
        if let_go == "dropped":
            return False
        self._writes.append(NetworkWrite("POST", url, self.answers_with))
        if let_go == "followed" and self.gatekeeper:
            failure = "" if self.answers_with else "Failed"
            await self.gatekeeper.came_back(CameBack(self._held, self.answers_with, failure))
        return True

    def _navigated(self, url: str) -> Outcome:
        if url not in self.pages:
            return Outcome("failed", f"{url} does not answer")
        self._tabs[self._active] = self._loaded(self.pages[url])
        return Outcome("done", http_status=200)

    def _loaded(self, page: FakePage) -> _Tab:
        self._documents += 1
        return _Tab(page, self._documents)

    def _tree(self, tab: _Tab) -> SnapshotNode:
        return _with_values(parse(tab.page.snapshot), tab.values)

    def _tab_infos(self) -> tuple[TabInfo, ...]:
        return tuple(
            TabInfo(name, tab.page.url, tab.page.title, active=name == self._active) for name, tab in self._tabs.items()
        )

    def _bound(self, address: NodeAddress, node: SnapshotNode, tab: _Tab) -> Prepared:
        posts = node.name in tab.page.posts
        probe = Probe(
            "ok",
            node=node,
            frame_url=tab.page.url,
            visible=True,
            enabled="disabled" not in node.states,
            readonly="readonly" in node.marks,
            submits=posts,
            form=FormFacts("POST", f"{tab.page.url}/post", (("amount", "10"),), sends=(("amount", "10"),))
            if posts
            else None,
            href=node.url,
        )
        return Prepared(len(self.acts), address, probe)

    def _named(self, name: str) -> Prepared:
        tab = self._tabs[self._active]
        found = next((node for node in walk(self._tree(tab)) if name and node.name == name), None)
        return Prepared(0, self._nowhere(), Probe("ok")) if found is None else self._bound(self._nowhere(), found, tab)

    def _nowhere(self) -> NodeAddress:
        return NodeAddress(self._active, "", DocumentId("d0"), "")


def _with_values(node: SnapshotNode, values: dict[str, str]) -> SnapshotNode:
    text = values.get(node.driver_ref, node.text) if node.driver_ref else node.text
    return replace(node, text=text, children=tuple(_with_values(child, values) for child in node.children))
