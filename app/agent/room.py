"""Keeps a conversation within what the model can read: folds, then one warning, one batch of clearing, a summary."""

from app.agent.model_calls import ModelCalls
from app.agent.transcript import Transcript
from app.context.request.clearing import NEWEST_KEPT, plan_clearing, steps_since_warning, warning_of
from app.context.request.folding import plan_fold
from app.context.request.summary import (
    STEPS_KEPT,
    last_event_of_the_old,
    plain_summary,
    request_for_summary,
    summary_text,
)
from app.domain.events import ConversationStarted, Folded, Policy, Summarised

SOFT = 0.8  # of the budget: from here on the model is warned
LEAST_BESIDE = 2_000  # tokens of the conversation, however small the budget
FEW_KEPT = 1  # results that stay when even more must go before a summary is made
WORTH = 0.1  # of the budget: a batch that frees less is not worth an edit of what was sent


class Room:
    """Used before each request of one conversation."""

    def __init__(self, transcript: Transcript, models: ModelCalls) -> None:
        self._transcript = transcript
        self._models = models

    async def make(self) -> None:
        """Fold what is due, and clear what no longer fits. Raises StoreError."""
        fold = plan_fold(self._transcript.events, self._policy, self._models.model.economy)
        if fold is not None:
            await self._transcript.add(fold)
        if await self._is_over(SOFT):
            await self._clear(NEWEST_KEPT)
        if await self._is_over():
            await self._clear(FEW_KEPT)
        for steps_kept in (STEPS_KEPT, 1):
            if await self._is_over():
                await self._summarise(steps_kept)

    async def make_more(self) -> bool:
        """After the model said that the request was too long for it; whether anything could be taken out."""
        before = await self._tokens()
        self._models.budget = self._models.budget.shrunk(before)
        await self.make()
        if await self._tokens() > before * 0.95:
            await self._summarise(1)
        return await self._tokens() <= before * 0.95

    async def _clear(self, kept: int) -> None:
        """One batch, when it is worth it: the model is told a step before, unless there is no room for that step."""
        events = self._transcript.events
        room = self._models.budget.characters
        fold = plan_clearing(events, room=room, kept=kept)
        if fold is None or _freed(fold) < room * WORTH:
            return
        warned = steps_since_warning(events)
        if await self._is_over() or warned == 1:
            await self._transcript.add(fold)
        elif warned != 0:
            await self._transcript.add(warning_of(fold, events))

    async def _summarise(self, steps_kept: int) -> None:
        events = self._transcript.events
        upto = last_event_of_the_old(events, steps_kept)
        if upto is None:
            return
        half = self._models.budget.characters // 2
        asked = request_for_summary(events, upto, model=self._models.name, characters=half)
        turn = await self._models.ask_plainly(asked)
        text = turn.text if turn is not None else plain_summary(events, upto)
        model, usage = (turn.model, turn.usage) if turn is not None else ("", None)
        await self._transcript.add(Summarised(upto, summary_text(events, upto, text), model, usage, text))

    async def _is_over(self, share: float = 1.0) -> bool:
        """What prompt and tools take cannot be cleared: beside them there is always some room."""
        tokens = await self._tokens()
        return tokens > max(self._models.budget.tokens * share, self._models.fixed_tokens + LEAST_BESIDE)

    async def _tokens(self) -> float:
        return await self._models.tokens(self._transcript)

    @property
    def _policy(self) -> Policy:
        started = self._transcript.events[0].event
        return started.policy if isinstance(started, ConversationStarted) else "chain"


def _freed(fold: Folded) -> int:
    return fold.characters_before - fold.characters_after
