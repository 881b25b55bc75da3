"""The program that is killed: it goes through one errand on a stored record and says what is safely kept.

`python -m tests.bench.ledger.child ASKED`, with a JSON text. It kills itself at a named point, or waits to be killed.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from app.browser.browser import PlaywrightBrowser
from app.domain.events import RecordedEvent, StoredEvent
from app.domain.ids import ConversationId
from app.store.record import SqliteRecord
from tests.bench.ledger.actors import options
from tests.bench.ledger.desk import Around, Desk, serving
from tests.bench.ledger.errands import Errand, Step
from tests.bench.ledger.hand import Target
from tests.bench.ledger.person import Person
from tests.bench.ledger.points import POINTS, RECORD, Point


class KillingRecord(SqliteRecord):
    """Says after each event that it is kept; the program ends at its point, once that is armed."""

    point: Point | None = None
    conversation: str = ""

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        self._at("before", events)
        stored = await super().append(conversation, *events)
        _say("kept", str(stored[-1].seq))
        self._at("after", events)
        return stored

    def _at(self, when: str, events: tuple[RecordedEvent, ...]) -> None:
        if self.point is not None and self.point[0] == when and any(map(self.point[1], events)):
            os.kill(os.getpid(), signal.SIGKILL)


async def run(asked: dict[str, Any]) -> None:
    folder = Path(asked["folder"])
    record = await KillingRecord.open(folder / RECORD)
    browser = PlaywrightBrowser(options(folder, asked["scale"]))
    served = serving(browser, record)
    _say("conversation", served.conversation)
    desk = Desk(served.call, record, served.conversation, Person(allows=1), Around(folder, browser.close))
    errand = Errand(asked["url"], Target(**asked["target"]), tuple(Step(**one) for one in asked["steps"]))
    await errand.begin(desk)
    _say("acts", "now")
    record.point = POINTS.get(asked["point"])
    await errand.act(desk)
    _say("acted", "now")
    await asyncio.Event().wait()


def _say(what: str, value: str) -> None:
    sys.stdout.write(f"{what} {value}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(run(json.loads(sys.argv[1])))
