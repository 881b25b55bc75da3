"""The twelve applications: small sites that count at the server how often each thing was done."""

import itertools
import threading
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.bench.ledger.books import Books
from tests.bench.ledger.errands import Errand, Step
from tests.bench.ledger.hand import Target
from tests.bench.ledger.kinds import PAGES, template, written
from tests.bench.ledger.wire import Answer, Asked, Server

Manner = Literal["well", "slow", "500 after the work", "false timeout", "lost answer", "twice by one click"]
"""How the application does the act: well, or in a way that invites to do it again."""

_SLOW_S = 1.0
_tokens = itertools.count(9001)


@dataclass(frozen=True, slots=True)
class App:
    """An application as its table says it."""

    name: str
    title: str
    act: str
    label: str
    pages: Mapping[str, str]
    then: Mapping[str, str]
    steps: tuple[Step, ...] = ()
    within: str = ""
    script: str = ""


def apps() -> tuple[App, ...]:
    plain = tomllib.loads((PAGES / "apps.toml").read_text(encoding="utf-8"))
    return tuple(_app(name, one) for name, one in plain.items())


def _app(name: str, plain: dict[str, Any]) -> App:
    return App(**{**plain, "name": name, "steps": tuple(Step(**one) for one in plain["steps"])})


@dataclass
class Running:
    """One application for one script, under `/KEY/`; `label` is written on what does the act, in place of its own."""

    key: str
    app: App
    manner: Manner = "well"
    label: str = ""
    refuses: Mapping[str, str] = field(default_factory=dict)  # fields of the act that must be filled, and what is said
    books: Books = field(default_factory=Books)
    let_go: threading.Event | None = None  # the act is answered only once it is set
    _socket: str = ""

    def put_on(self, server: Server) -> Errand:
        server.sites[self.key] = self.answer
        self._socket = server.url(f"/{self.key}/do/").replace("http", "ws", 1)
        target = Target("button", self.label or self.app.label, self.app.within)
        return Errand(server.url(f"/{self.key}/start"), target, self.app.steps)

    def answer(self, asked: Asked) -> Answer:
        what = asked.path.removeprefix(f"/{self.key}/")
        if what == "sw.js":
            return Answer(template("worker.js"), kind="text/javascript")
        if what.startswith("do/"):
            return self._work(what.removeprefix("do/"), asked)
        if what in self.app.pages:
            return Answer(self._page(self.app.pages[what]))
        return Answer("<h1>Nothing here</h1>", status=404)

    def _work(self, intent: str, asked: Asked) -> Answer:
        missing = [said for name, said in self.refuses.items() if intent == self.app.act and not asked.fields.get(name)]
        if missing:
            self.books.note(intent, asked.fields, is_done=False)
            return self._said(intent, missing[0], 422)
        number = self.books.note(intent, asked.fields, is_done=True)
        done = self._done(intent, f"Thank you: number {7340 + number}.")
        if intent != self.app.act:
            return done
        if self.let_go is not None:
            self.let_go.wait(20)
        match self.manner:
            case "slow":
                time.sleep(_SLOW_S)
            case "500 after the work":
                return Answer("<title>Error</title><h1>Error 500</h1><p>Please try again.</p>", status=500)
            case "false timeout":
                return self._said(intent, "The request timed out. Please try again.", 200)
            case "lost answer":
                return Answer(drops=True)
        return done

    def _done(self, intent: str, said: str) -> Answer:
        then = self.app.then[intent]
        return Answer(f"<p>{said}</p>") if then == "text" else Answer(self._page(self.app.pages[then], said))

    def _said(self, intent: str, said: str, status: int) -> Answer:
        """The page before it once more, with what is said, or the text alone."""
        if self.app.then[intent] == "text":
            return Answer(f"<p>{said}</p>", status=status)
        page = next(page for page in self.app.pages.values() if f"{{{{DO}}}}{intent}" in page)
        return Answer(self._page(page, said), status=status)

    def _page(self, body: str, error: str = "") -> str:
        return written(
            template("app.html"),
            title=self.app.title,
            error=error,
            body=body,
            script=self.app.script,
            label=self.label or self.app.label,
            twice="true" if self.manner == "twice by one click" else "false",
            token=f"t{next(_tokens)}",
            do=f"/{self.key}/do/",
            here=f"/{self.key}/",
            socket=self._socket,
        )
