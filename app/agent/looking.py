"""Shows the model a picture, or what another model, which can see, reports of one; never the same one twice."""

from dataclasses import dataclass, replace
from typing import Literal

from app.agent.acting import Acting
from app.agent.answers import Answer, not_done, refusal
from app.agent.eyes import Eyes
from app.agent.observing import fenced_anew
from app.agent.pictures import Report, Taken, described, digest_of, facts_of, in_viewport
from app.agent.pointing import Pointing, centre
from app.agent.ports import Model
from app.agent.reporting import Box, ScreenReport, ask_for_report
from app.context.page.shield import page_words
from app.context.request.folding import REPORT_CONTEXT
from app.context.request.view import observations, out_of_view
from app.domain.errors import ProviderError
from app.domain.ids import ObservationId
from app.domain.messages import PictureBlock
from app.domain.pages import Picture, Prepared

_MOST_BOXES = 30  # that are looked up
_MOST_OF_A_KIND = 40
_WORDS = 400  # characters of one
_CANNOT_DRAW = refusal("the page cannot be drawn now", "Read its text with browser_snapshot.")
_FROZEN = refusal("a dialog is open and the page is frozen", "Answer it with browser_handle_dialog first.")


@dataclass(frozen=True, slots=True)
class Looking:
    """Pictures of one conversation, for a model with these eyes."""

    acting: Acting
    eyes: Eyes

    async def picture(
        self,
        target: Prepared | None = None,
        *,
        full_page: bool = False,
        kind: Literal["png", "jpeg"] = "png",
        sharp: bool = False,
    ) -> Answer:
        """A picture as an observation of its own; one that the model has in view already is only named."""
        taken = await self._taken(target, full_page=full_page, kind=kind, sharp=sharp)
        if taken is None:
            return await self._not_drawn()
        old = self.acting.observing.pictures.newest
        if old is not None and old.digest == taken.digest and self._is_in_view(old.id) and self.eyes.sees:
            return Answer(f"The picture is the same as {old.id}.")
        observing = self.acting.observing
        facts = facts_of(taken.picture, taken.digest, report=not self.eyes.sees)
        observation = observing.partial(described(taken.picture, taken.id), facts)
        observing.pictures.newest = replace(taken, id=observation.id)
        if self.eyes.sees:
            return Answer("Took a picture. Points count in its pixels.", picture=taken.picture, observation=observation)
        way_on = "Ask about it with look." if self.eyes.vision else self.eyes.none_chosen
        blind = f"Took a picture, but this model cannot see it. {way_on}"
        return Answer(blind, picture=taken.picture, observation=observation)

    async def bind_points(self, id: ObservationId) -> None:
        """Points after this look count in CSS pixels of the viewport, as the boxes in it do."""
        taken = await self._taken(None)
        if taken is not None:
            self.acting.observing.pictures.newest = replace(taken, id=id, unit=taken.picture.scale)

    async def report(self, question: str) -> Answer:
        """What another model sees on a new picture; the picture itself when there is none and this model can see."""
        if self.eyes.vision is None and self.eyes.sees:
            return await self.picture()
        if self.eyes.vision is None:
            return not_done("no model that can see is chosen", self.eyes.none_chosen)
        taken = await self._taken(None)
        if taken is None:
            return await self._not_drawn()
        old = self.acting.observing.pictures.report
        same = (" ".join(question.split()).casefold(), taken.digest)
        if old is not None and (old.question, old.digest) == same and self._is_in_view(old.id):
            return Answer(f"Same: nothing changed on the picture, the report {old.id} still holds.")
        return await self._reported(self.eyes.vision, taken, question, same[0])

    async def _reported(self, vision: Model, taken: Taken, question: str, asked: str) -> Answer:
        picture = taken.picture
        seen = PictureBlock(await self.acting.transcript.record.put_blob(picture.data), picture.mime, picture.data)
        try:
            made = await ask_for_report(vision, self.eyes.vision_name, seen, question)
        except ProviderError as error:
            way_on = "Read the page's text, or ask later."
            return not_done(f"the model for pictures did not answer: {error.what}", way_on)
        if made.report is None:
            text = refusal(f"{made.model} gave no report that can be read", "Ask again in other words.")
            return Answer(text, is_error=True, asked_model=made.model, asked_usage=made.usage)
        text = "\n".join(await self._lines(made.report, picture))
        later = await self._taken(None)
        moved = "" if later is not None and later.digest == taken.digest else " The page has changed meanwhile."
        observing = self.acting.observing
        head = described(picture, observing.next_id())
        record = await self.acting.transcript.put_text(text)
        observation = observing.partial(
            f"{head}\n{fenced_anew(text)}", facts_of(picture, taken.digest, report=True), record
        )
        observing.pictures.newest = replace(taken, id=observation.id)
        observing.pictures.report = Report(observation.id, asked, taken.digest)
        return Answer(
            f"{page_words(made.model, 60)} reports of a new picture; its points count in the picture's pixels.{moved}",
            observation=observation,
            picture=picture,
            asked_model=made.model,
            asked_usage=made.usage,
        )

    async def _lines(self, report: ScreenReport, picture: Picture) -> list[str]:
        """The report with a ref where there is one, else with a point; its words are no words of ours."""
        await self.acting.observing.glance()
        places = _Places(self.acting, picture)
        blockers = [f"  - {_words(one.what)}{await places.of(one.box)}" for one in report.blockers[:_MOST_OF_A_KIND]]
        lines = ["blockers:", *blockers] if blockers else ["blockers: none"]
        lines.append(f"{REPORT_CONTEXT}{_words(report.context)}")
        primary = report.primary
        lines.append(f"primary control: {_words(primary.what) + await places.of(primary.box) if primary else 'none'}")
        lines += ["panels and layout:", *(f"  - {_words(one)}" for one in report.panels[:_MOST_OF_A_KIND])]
        lines.append("fields and values:")
        for field in report.fields[:_MOST_OF_A_KIND]:
            lines.append(f"  - {_words(field.name)} = “{_words(field.value)}”{await places.of(field.box)}")
        lines.append("key actions:")
        for one in report.actions[:_MOST_OF_A_KIND]:
            lines.append(f"  - {_words(one.what)}{await places.of(one.box)}")
        return [*lines, "notes:", *(f"  - {_words(one)}" for one in report.notes[:_MOST_OF_A_KIND])]

    async def _taken(
        self,
        target: Prepared | None,
        *,
        full_page: bool = False,
        kind: Literal["png", "jpeg"] = "png",
        sharp: bool = False,
    ) -> Taken | None:
        """A new picture, under the id of the observation that would show it; None when the page cannot be drawn."""
        observing = self.acting.observing
        picture = await self.acting.browser.picture(target, full_page=full_page, kind=kind, sharp=sharp)
        if not picture.data:
            return None
        if observing.last is None or observing.last.look.document != picture.document:
            await observing.glance()
        return Taken(observing.next_id(), picture, digest_of(picture))

    async def _not_drawn(self) -> Answer:
        frozen = (await self.acting.observing.glance()).look.dialog is not None
        return Answer(_FROZEN if frozen else _CANNOT_DRAW, is_error=True)

    def _is_in_view(self, id: ObservationId) -> bool:
        """Whether the model still reads it; a picture that went unanswered, as after a stop, it never read."""
        events = self.acting.transcript.events
        return any(one.observation.id == id and not out_of_view(events).has_page(one) for one in observations(events))


class _Places:
    """Looks up what stands at the boxes of a report, each box at its middle."""

    def __init__(self, acting: Acting, picture: Picture) -> None:
        self._acting = acting
        self._picture = picture
        self._left = _MOST_BOXES

    async def of(self, box: Box | None) -> str:
        if box is None or not self._left:
            return ""
        self._left -= 1
        x, y = centre(box, (self._picture.width, self._picture.height))
        spot = await self._acting.browser.spot(*in_viewport(self._picture, x, y))
        found = Pointing(self._acting).known(spot)
        at = f"at {x:.0f}, {y:.0f}"
        if found is None:
            return f" · {at}"
        name = f"{self._acting.name_of(found[0])} [ref={found[0]}]"
        return f" · {at} of {name}" if spot.is_drawn else f" · {name}"


def _words(text: str) -> str:
    return page_words(text, _WORDS)
