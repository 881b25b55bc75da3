"""Asks the model for its next turn: projection, call, judgement, a few retries; nothing is believed early."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.agent.judge import judge
from app.agent.ports import Model
from app.agent.transcript import Transcript
from app.context.request.budget import Budget
from app.context.request.projection import Projection, pictures_in_view
from app.context.request.tokens import Calibration
from app.domain.errors import ProviderError
from app.domain.events import AssistantSaid, StoredEvent, TurnRejected
from app.domain.ids import BlobHash, ToolCallId
from app.domain.messages import Effort, ModelTurn, Request, WireItems

RETRIES = 2
FIRST_WAIT_S = 1.0


class ModelRefused(Exception):
    """The model gave no usable turn; the text is for the person."""


@dataclass(slots=True)
class ModelCalls:
    """The model of one conversation with what it is shown and what the window hears of it."""

    model: Model
    name: str
    on_text: Callable[[str], None] = lambda text: None
    on_withdrawn: Callable[[str], None] = lambda reason: None
    time_scale: float = 1.0
    effort: Effort = "low"
    budget: Budget = field(default_factory=Budget)
    sees: bool = True  # a model without eyes is sent no pictures
    _projection: Projection = field(default_factory=Projection)
    _calibration: Calibration | None = None
    _pictures: dict[BlobHash, bytes] = field(default_factory=dict)

    async def tokens(self, transcript: Transcript) -> float:
        """About how many tokens the next request has, corrected by the provider's own counts."""
        await self._follow(transcript)
        if self._calibration is None:
            self._calibration = learned_from(transcript.events)
        return self._calibration.corrected(self._projection.tokens)

    @property
    def fixed_tokens(self) -> float:
        """The same of prompt and tools, as far as the transcript was followed."""
        return self._calibration.corrected(self._projection.fixed_tokens) if self._calibration else 0.0

    async def ask(self, transcript: Transcript) -> AssistantSaid:
        """The next turn. Raises ProviderError or ModelRefused when there is none to be had."""
        for attempt in range(RETRIES + 1):
            last = attempt == RETRIES
            try:
                turn = await self._call(transcript)
            except ProviderError as error:
                if not error.retriable or last:
                    raise
                self.on_withdrawn(error.what)
                await asyncio.sleep(FIRST_WAIT_S * 2**attempt * self.time_scale)
                continue
            verdict = judge(turn)
            if verdict.judgement == "good":
                return _said(turn, transcript.events, self.model.provider)
            self.on_withdrawn(verdict.reason)
            await transcript.add(TurnRejected(verdict.reason, turn.text, turn.model))
            if last or verdict.judgement == "refused":
                raise ModelRefused(f"{verdict.reason} Nothing was lost. Try again, or choose another model.")
        raise AssertionError("the last attempt returns or raises")

    async def ask_plainly(self, request: Request) -> ModelTurn | None:
        """One turn for the program itself, unseen by the person; None when no good one came."""
        try:
            turn = await self.model.answer(request, lambda text: None)
        except ProviderError:
            return None
        good = judge(turn).judgement == "good" and not turn.calls
        return turn if good else None

    async def _call(self, transcript: Transcript) -> ModelTurn:
        estimate = await self.tokens(transcript)
        request = self._projection.request(self.name, self.effort, self.budget.answer_tokens)
        turn = await self.model.answer(request, self.on_text)
        if self._calibration is not None and estimate:
            self._calibration = self._calibration.learned(self._projection.tokens, turn.usage.input_tokens)
        return turn

    async def _follow(self, transcript: Transcript) -> None:
        wanted = dict.fromkeys(pictures_in_view(transcript.events) if self.sees else ())
        self._pictures = {name: self._pictures.get(name) or await transcript.record.blob(name) for name in wanted}
        self._projection.follow(transcript.events, self._pictures)


def learned_from(events: list[StoredEvent]) -> Calibration:
    """What the newest answer on record tells about how this model counts."""
    for place in range(len(events) - 1, -1, -1):
        event = events[place].event
        if isinstance(event, AssistantSaid) and event.usage.input_tokens:
            projection = Projection()
            projection.follow(events[:place])
            return Calibration().learned(projection.tokens, event.usage.input_tokens)
    return Calibration()


def _said(turn: ModelTurn, events: list[StoredEvent], provider: str) -> AssistantSaid:
    said = [one.event for one in events if isinstance(one.event, AssistantSaid)]
    step = len(said) + 1
    turn = _told_apart(turn, step, {call.id for one in said for call in one.calls})
    return AssistantSaid(
        step=step,
        text=turn.text,
        calls=turn.calls,
        stop=turn.stop,
        usage=turn.usage,
        provider=provider,
        model=turn.model,
        wire=turn.wire,
    )


def _told_apart(turn: ModelTurn, step: int, used: set[ToolCallId]) -> ModelTurn:
    """No two calls of a conversation have one id, though a model repeats one that left its view; its wire goes then."""
    if used.isdisjoint(call.id for call in turn.calls):
        return turn
    calls = [replace(one, id=ToolCallId(f"{one.id}_{step}")) if one.id in used else one for one in turn.calls]
    return replace(turn, calls=tuple(calls), wire=WireItems("", turn.model, ""))
