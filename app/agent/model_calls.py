"""Asks the model for its next turn: projection, call, judgement, a few retries; nothing is believed early."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from app.agent.judge import judge
from app.agent.ports import Model
from app.agent.transcript import Transcript
from app.context.projection import pictures_in_view, project
from app.domain.errors import ProviderError
from app.domain.events import AssistantSaid, TurnRejected
from app.domain.ids import BlobHash
from app.domain.messages import MAX_OUTPUT_TOKENS, Effort, ModelTurn

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
    max_output_tokens: int = MAX_OUTPUT_TOKENS
    _pictures: dict[BlobHash, bytes] = field(default_factory=dict)

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
                step = 1 + sum(isinstance(one.event, AssistantSaid) for one in transcript.events)
                return _said(turn, step, self.model.provider)
            self.on_withdrawn(verdict.reason)
            await transcript.add(TurnRejected(verdict.reason, turn.text, turn.model))
            if last or verdict.judgement == "refused":
                raise ModelRefused(f"{verdict.reason} Nothing was lost. Try again, or choose another model.")
        raise AssertionError("the last attempt returns or raises")

    async def _call(self, transcript: Transcript) -> ModelTurn:
        wanted = pictures_in_view(transcript.events)
        self._pictures = {
            name: self._pictures.get(name) or await transcript.record.blob(name) for name in dict.fromkeys(wanted)
        }
        request = project(
            transcript.events,
            model=self.name,
            pictures=self._pictures,
            effort=self.effort,
            max_output_tokens=self.max_output_tokens,
        )
        return await self.model.answer(request, self.on_text)


def _said(turn: ModelTurn, step: int, provider: str) -> AssistantSaid:
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
