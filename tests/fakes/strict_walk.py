"""Conversations to play against the strict server: a warehouse of several documents, and what a model does there."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.agent.ports import Model
from app.domain.events import AssistantSaid, Folded, HandedBack, Policy, ToolAnswered, TurnRejected, UserSaid
from tests.fakes.agent import Desk, desk
from tests.fakes.browser import FakeBrowser, FakePage
from tests.fakes.strict_prefix import Conversation, StrictServer, StrictTurn
from tests.fakes.wire_models import model_at
from tests.fakes.wire_replies import Answer, Asked, Call, Cut, Reply, Wire

HALLS = 3
ROWS = 24
KEY = "key-of-one-conversation"
NO_REF = "e99999"

Move = Callable[[Asked], Sequence[Call]]


def address(hall: int) -> str:
    return f"http://depot.test/{hall % HALLS}"


def snapshot(hall: int, acts: int) -> str:
    """The page of a hall; what was done there so far stands in it."""
    head = (
        f'- heading "Hall {hall}" [level=1] [ref=e1]\n'
        f"- paragraph [ref=e2]: Hall {hall} was built in {1950 + hall} and holds {ROWS} kinds of things.\n"
        f"- status [ref=e3]: {acts} acts so far\n"
        '- textbox "Search" [ref=e4]\n- button "Refresh" [ref=e5]\n- link "Next hall" [ref=e6]\n- list [ref=e7]:\n'
    )
    rows = [
        f"  - listitem [ref=e{20 + 3 * row}]:\n"
        f"    - text: Thing {hall}-{row}, {row * 7 + hall} in stock, on shelf {row % 9}\n"
        f'    - button "Count" [ref=e{21 + 3 * row}]\n    - button "Move" [ref=e{22 + 3 * row}]\n'
        for row in range(ROWS)
    ]
    return head + "".join(rows)


def halls() -> list[FakePage]:
    return [
        FakePage(address(hall), snapshot(hall, 0), f"Hall {hall}", leads={"Next hall": address(hall + 1)})
        for hall in range(HALLS)
    ]


def change_with_every_act(browser: FakeBrowser) -> None:
    """Each act on a page shows in it."""
    acts = 0

    def redraw() -> None:
        nonlocal acts
        acts += 1
        if browser.page.url in browser.pages:
            browser.redraw(snapshot(int(browser.page.url.rpartition("/")[2]), acts))

    browser.before_act = redraw


def ref(asked: Asked, role: str, name: str, row: str = "") -> str:
    """The newest living ref, or one that never lived."""
    try:
        return asked.ref(role, name, row)
    except AssertionError:
        return NO_REF


def opens(hall: int) -> Move:
    return lambda asked: [Call("browser_navigate", {"url": address(hall)})]


def clicks(role: str, name: str, row: str = "") -> Move:
    return lambda asked: [Call("browser_click", {"target": ref(asked, role, name, row)})]


def types(text: str) -> Move:
    return lambda asked: [Call("browser_type", {"target": ref(asked, "textbox", "Search"), "text": text})]


def uses(name: str, **arguments: object) -> Move:
    return lambda asked: [Call(name, arguments)]


def together(*moves: Move) -> Move:
    return lambda asked: [call for move in moves for call in move(asked)]


MOVES: dict[str, Move] = {
    "open 0": opens(0),
    "open 2": opens(2),
    "next": clicks("link", "Next hall"),
    "refresh": clicks("button", "Refresh"),
    "type": types("bolts"),
    "look": uses("browser_snapshot"),
    "find": uses("browser_find", text="shelf 3"),
    "picture": uses("browser_take_screenshot"),
    "new tab": uses("browser_tabs", action="new", url=address(1)),
    "first tab": uses("browser_tabs", action="select", index=0),
    "quote": uses("keep_quote", text=f"holds {ROWS} kinds of things", why="the stock"),
    "recall": uses("recall", observation="o1"),
    "fail": clicks("button", "Nowhere"),
    "unknown tool": uses("fly_away"),
    "two": together(types("nuts"), clicks("button", "Refresh")),
    "two, then lost": together(clicks("link", "Next hall"), clicks("button", "Refresh")),
}


def turn(move: Move, *, thinks: bool) -> StrictTurn:
    """An answer with the calls of a move."""

    def said(asked: Asked) -> Reply:
        reasoning = f"Hm, this is thought {asked.turns}; what next?" if thinks else ""
        return Answer(("", "Going on.", "\n\n")[asked.turns % 3], tuple(move(asked)), reasoning)

    return said


def says(text: str, *, thinks: bool) -> StrictTurn:
    return Answer(text, reasoning="I know enough." if thinks else "")


def is_cut(asked: Asked) -> Reply:
    return Cut(Answer("I wanted to say", reasoning="Hm"), events=3, cleanly=True)


def long_walk(*, thinks: bool) -> list[StrictTurn]:
    """Through all the halls, with several acts in each."""
    script: list[StrictTurn] = [turn(opens(0), thinks=thinks)]
    for hall in range(HALLS):
        inside = [types(f"hall {hall}"), *(clicks("button", "Count", f"Thing {hall}-{row},") for row in (3, 8, 21))]
        script += [turn(move, thinks=thinks) for move in (*inside, clicks("link", "Next hall"))]
    return [*script, says("All counted.", thinks=thinks)]


@dataclass(frozen=True)
class Played:
    """A conversation that was played, from both sides; `folds` has the folds right before each request."""

    desk: Desk
    seen: Conversation
    folds: list[list[Folded]]

    @property
    def folded(self) -> list[int]:
        """The numbers of the requests, from 0, before which something was folded."""
        return [number for number, folds in enumerate(self.folds) if folds]

    def pages_folded(self, number: int) -> list[str]:
        """The pages, as they were sent, that were folded right before a request."""
        sent = {
            event.observation.id: event.observation.shown
            for event in self.desk.events
            if isinstance(event, ToolAnswered | HandedBack) and event.observation is not None
        }
        return [sent[name] for fold in self.folds[number] for name, _ in fold.stubs]

    @property
    def results(self) -> dict[str, int]:
        """How many results each call has."""
        said = [event for event in self.desk.events if isinstance(event, AssistantSaid)]
        counts = Counter({call.id: 0 for event in said for call in event.calls})
        counts.update(event.call for event in self.desk.events if isinstance(event, ToolAnswered))
        return {str(name): count for name, count in counts.items()}


async def play(script: Sequence[StrictTurn], wire: Wire, policy: Policy) -> Played:
    """Play the whole script over the real SDK; whenever a turn ends before the script does, the person says go on."""
    with StrictServer(script, models=()) as server:
        async with model_at(server, wire, key=KEY) as model:
            one = await _desk(model, policy)
            await _play(one, server, len(script))
        return Played(one, server.only, _folds(one))


async def _desk(model: Model, policy: Policy) -> Desk:
    one = await desk(halls(), over=model, policy=policy, attended=False, max_steps=500)
    change_with_every_act(one.browser)
    return one


async def _play(one: Desk, server: StrictServer, turns: int) -> None:
    played = -1
    while played < turns:
        ended = await one.play()
        assert server.only.refusals == [], ended.text
        assert played < server.only.played, "the turn ended before the model was asked"
        played = server.only.played
        if played < turns:
            one.run.fresh_page = played % 2 == 0
            await one.transcript.add(UserSaid(f"Go on after {played}."))


def _folds(one: Desk) -> list[list[Folded]]:
    """The folds before each answer, good or bad, since the answer before."""
    found: list[list[Folded]] = [[]]
    for event in one.events:
        if isinstance(event, Folded):
            found[-1].append(event)
        elif isinstance(event, AssistantSaid | TurnRejected):
            found.append([])
    return found[:-1]
