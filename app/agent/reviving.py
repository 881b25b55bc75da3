"""Starts a browser that was lost again, and tells what became of the page and of the call that was under way."""

from app.agent.acting import Acting
from app.agent.answers import Answer, happenings_text
from app.domain.errors import BrowserError
from app.domain.events import BrowserNoticed
from app.domain.ids import ToolCallId
from app.domain.records import Receipt

MOST_RESTARTS = 3  # in one turn
FATE = "it is from before a restart of the browser"

_STARTED_AGAIN = "The browser had stopped; it was started again with the same profile"


async def revived(acting: Acting, call: ToolCallId, error: BrowserError) -> Answer:
    """The answer to a call during which the browser was lost. Raises the error when no restart helps."""
    if error.fault != "lost" or acting.restarts >= MOST_RESTARTS:
        raise error
    acting.restarts += 1
    await acting.submitting.book.lost("the browser stopped before its outcome was known")
    await acting.browser.start()
    acting.observing.retire(FATE)
    await acting.browser.settle()
    seeing = await acting.observing.see("whole")
    at = f", at the address it was at: {seeing.look.url}" if seeing.look.url != "about:blank" else ""
    await acting.transcript.add(BrowserNoticed(f"{_STARTED_AGAIN}{at}. What was typed and not sent is lost."))
    intent = acting.transcript.intent_of(call)
    noticed = happenings_text(await acting.noticed())
    text = "\n".join(
        [
            _what_became_of(intent),
            f"{_STARTED_AGAIN}. Refs from before are dead, what was typed and not sent is lost.",
            *acting.submitting.book.news().records,
            *([f"Noticed: {noticed}."] if noticed else []),
        ]
    )
    receipt = (
        Receipt(call, "tried:", intent, "uncertain", "the browser stopped while it was under way") if intent else None
    )
    return Answer(text, is_error=True, receipt=receipt, observation=seeing.observation)


def _what_became_of(intent: str | None) -> str:
    if intent is None:
        return "Not done: the browser stopped."
    return f"Uncertain: {intent}; the browser stopped meanwhile. It may have happened: check before any repeat."
