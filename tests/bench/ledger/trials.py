"""One trial: a page that sends in one way, a server that is disturbed in one way, and what came of it in its books."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from tests.bench.ledger.books import Books
from tests.bench.ledger.kinds import Kind, template, written
from tests.bench.ledger.wire import Answer, Asked, Server

Disturbance = Literal[
    "none",
    "slow",
    "reset before the work",
    "reset after the work",
    "500 after the work",
    "false timeout",
    "validation error",
    "redirect",
    "popup result",
    "navigation away",
    "tab crash",
    "app kill",
    "network cut",
    "duplicate tab",
]
DISTURBANCES: tuple[Disturbance, ...] = get_args(Disturbance)
SLOW_S = {"4 s": 4.0, "40 s": 40.0}
DELAYED_S = 2.0
HELD: frozenset[Disturbance] = frozenset({"tab crash", "app kill"})
"""The answer waits until the bench has done its harm."""
ORDER = "order"
"""What is meant with everything that a trial sends."""

_HELD_LIMIT_S = 20.0
_BAD_PHONE, GOOD_PHONE = "12", "030 901820"
_tokens = itertools.count(7001)


@dataclass
class Trial:
    """Served under `/t/KEY/`; the lengths of its waits are multiplied by the scale.

    `label` is what is written on what sends, where that is not the kind's own.
    """

    key: str
    kind: Kind
    disturbance: Disturbance
    scale: float
    slow_s: float = 4.0
    label: str = ""
    books: Books = field(default_factory=Books)
    let_go: threading.Event = field(default_factory=threading.Event)
    cut: Callable[[], None] = lambda: None

    def put_on(self, server: Server) -> str:
        """Serve it from now on; the address of its page."""

        def cut() -> None:
            server.is_cut = True

        self.cut = cut
        self._socket = server.url(f"{self.base}socket").replace("http", "ws", 1)
        trials = server.sites.setdefault("t", Trials())
        assert isinstance(trials, Trials)
        trials.known[self.key] = self
        return server.url(self.base)

    @property
    def base(self) -> str:
        return f"/t/{self.key}/"

    @property
    def _path(self) -> str:
        """An address that says no more of what it does than the label."""
        return "step" if self.label else self.kind.path

    def answer(self, what: str, asked: Asked) -> Answer:
        match what:
            case "":
                return Answer(self._written(self.kind.body, "", self.kind.title))
            case "inner":
                return Answer(self._written(self.kind.inner, "", "document"))
            case "worker.js" | "sw.js":
                return Answer(template("worker.js"), kind="text/javascript")
            case "first":
                return Answer(status=307, headers=(("Location", f"{self.base}{self._path}"),))
            case "send" | "step" | "delete" | "socket":
                return self._disturbed(asked)
            case _:
                return Answer(_told("Thank you", f"This is the page “{what}”."))

    def _disturbed(self, asked: Asked) -> Answer:
        match self.disturbance:
            case "reset before the work":
                self.books.note(ORDER, asked.fields, is_done=False)
                return Answer(drops=True)
            case "validation error" if asked.fields.get("phone") != GOOD_PHONE:
                self.books.note(ORDER, asked.fields, is_done=False)
                return self._refused(422, "The phone number is too short.")
        number = self.books.note(ORDER, asked.fields, is_done=True)
        done = Answer(_told("Thank you", f"Confirmation {7340 + number}: we have received it."))
        match self.disturbance:
            case "slow":
                return Answer(done.body, delay_s=self.slow_s * self.scale)
            case "reset after the work":
                return Answer(drops=True)
            case "500 after the work":
                return Answer(_told("Something broke", "Error 500. Please try again."), status=500)
            case "false timeout":
                return self._refused(200, "The request timed out. Please try again.")
            case "redirect" if asked.method != "WEBSOCKET":
                return Answer(status=303, headers=(("Location", f"{self.base}receipt"),))
            case "popup result":
                opens = f"<script>open('{self.base}bill')</script>" if self.kind.answers == "page" else ""
                return Answer(f'{done.body}<p data-popup="{self.base}bill">Your bill opens in a new tab.</p>{opens}')
            case "navigation away":
                return Answer(done.body, delay_s=0.4)
            case "tab crash" | "app kill":
                self.let_go.wait(_HELD_LIMIT_S)
            case "network cut" if self.books.arrived() == 1:
                self.cut()
                return Answer(drops=True)
        return done

    def _refused(self, status: int, why: str) -> Answer:
        """The form again with an error, or the error alone where a text is asked for."""
        body = self.kind.inner or self.kind.body
        page = self._written(body, why, self.kind.title) if self.kind.answers == "page" else f"<p>{why}</p>"
        return Answer(page, status=status)

    def _written(self, body: str, error: str, title: str) -> str:
        phone = _BAD_PHONE if self.disturbance == "validation error" else GOOD_PHONE
        fields = written(template("fields.html"), csrf=f"k{next(_tokens)}", phone=phone)
        return written(
            template("kind.html"),
            title=title,
            error=error,
            body=written(body.replace(f">{self.kind.label}<", f">{self.label or self.kind.label}<"), fields=fields),
            script=self.kind.script,
            away=f"{self.base}away" if self.disturbance == "navigation away" else "",
            late_ms=f"{DELAYED_S * 1000 * self.scale:.0f}",
            send=f"{self.base}{self._path}",
            base=self.base,
            socket=self._socket,
        )


class Trials:
    """The site of all trials."""

    def __init__(self) -> None:
        self.known: dict[str, Trial] = {}

    def __call__(self, asked: Asked) -> Answer:
        _, _, key, what = (*asked.path.split("/", 3), "", "")[:4]
        trial = self.known.get(key)
        return trial.answer(what, asked) if trial else Answer(_told("Nothing here", ""), status=404)


def _told(title: str, text: str) -> str:
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>{title}</h1><p>{text}</p>"
