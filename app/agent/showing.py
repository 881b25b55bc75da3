"""Shows the model what it cannot know of the page: what a person changed, what passed, what a summary took along."""

import time
from dataclasses import replace

from app.agent.answers import happenings_text
from app.agent.run import Run
from app.context.request.view import chain_of, observations
from app.domain.events import BrowserNoticed, HandedBack

BLANK = "about:blank"
STALE_S = 30.0  # a page that was read longer ago may have changed before the person's next message


async def show_handed_back(run: Run, note: str) -> None:
    before = run.observing.last
    run.observing.retire("the person had the browser meanwhile")
    seeing = await run.observing.see("whole")
    text = run.observing.what_changed(before, seeing)
    said = f" They say: {note}" if note else ""
    await run.transcript.add(HandedBack(text + await _noticed(run) + said, note, seeing.observation))


async def show_page(run: Run) -> None:
    run.observing.retire("the page was shown anew")
    knew_a_page = any(observations(run.transcript.events))
    seeing = await run.observing.see("whole")
    if seeing.observation.url != BLANK or knew_a_page:
        text = "The browser shows this page now." if seeing.observation.url != BLANK else "The browser is empty now."
        await run.transcript.add(HandedBack(text + await _noticed(run), "", seeing.observation, by_person=False))


async def show_what_passed(run: Run) -> None:
    """At the start of a turn: what happened by itself, and the page when it was read long ago and has changed since."""
    happened = replace(await run.acting.noticed(), writes=(), console_errors=(), file_chooser_open=False)
    if passed := happenings_text(happened):
        await run.transcript.add(BrowserNoticed(f"Since your last turn, without you: {passed}.", to_model=True))
    if run.acting.submitting.book.has_news:
        await run.transcript.add(BrowserNoticed("\n".join(_submitted(run)), to_model=True))
    before = run.observing.last
    if before is None or time.monotonic() - before.at < STALE_S:
        return
    minutes = max(round((time.monotonic() - before.at) / 60), 1)
    now = await run.observing.see()
    if now.observation.shown_as != "same":
        text = f"About {minutes} min have passed since you last read the page; it has changed meanwhile."
        await run.transcript.add(HandedBack(text + await _noticed(run), "", now.observation, by_person=False))


async def _noticed(run: Run) -> str:
    """What the person's own acts brought about, so that no receipt of the agent takes it for its own."""
    noticed = happenings_text(await run.acting.noticed())
    told = f" Noticed meanwhile: {noticed}." if noticed else ""
    return "\n".join([told, *_submitted(run)]) if run.acting.submitting.book.has_news else told


def _submitted(run: Run) -> tuple[str, ...]:
    news = run.acting.submitting.book.news()
    return (*news.held_back, *news.records)


async def keep_page_in_view(run: Run) -> None:
    """A summary can take the page along that the agent works on; it is shown again, its refs stay."""
    seen = run.observing.last
    if seen is None or seen.observation.shown_as == "none":
        return
    chain = chain_of(run.transcript.events, seen.observation.tab, seen.observation.document)
    if chain.is_summed_up:
        again = await run.observing.see("whole")
        await run.transcript.add(HandedBack("The page as it is now:", "", again.observation, by_person=False))
