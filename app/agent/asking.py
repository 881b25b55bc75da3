"""Puts a question to the person and waits, without limit, for the answer."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from app.agent.control import Control, NeedsPerson
from app.agent.transcript import Transcript
from app.domain.events import PersonAnswered, PersonAsked, QuestionKind
from app.domain.ids import ToolCallId

T = TypeVar("T")

PERSON_SAYS_YES = "yes"
AFTER_A_NO = "Do not try it again; ask what they want instead."
"""The way on when the person did not allow something."""


class Asking:
    """The person of one conversation. Without one (`attended` false) a question parks the turn.

    `consent` is what the person answered beforehand to each first consequential act: "yes", "no", or "ask".
    `reach` asks elsewhere than in the window; it may raise NeedsPerson.
    """

    def __init__(
        self,
        transcript: Transcript,
        control: Control,
        *,
        attended: bool,
        consent: str = "ask",
        on_wait: Callable[[bool], None] = lambda waits: None,
    ) -> None:
        """`on_wait` hears when a question begins to wait for the person, and when it was answered."""
        self._transcript = transcript
        self._control = control
        self.attended = attended
        self.consent = consent
        self._on_wait = on_wait
        self.reach: Callable[[PersonAsked], Awaitable[PersonAnswered]] | None = None

    @property
    def can_ask(self) -> bool:
        """Whether there is anybody who could answer now."""
        return self.attended or self.reach is not None

    async def ask(
        self,
        kind: QuestionKind,
        text: str,
        choices: tuple[tuple[str, str], ...],
        *,
        about: tuple[tuple[str, str], ...] = (),
        call: ToolCallId | None = None,
        beforehand: str = "ask",
    ) -> PersonAnswered:
        """Raises NeedsPerson when nobody is there; the question stays on record either way.

        `beforehand` is an answer that the person gave before the question came; "ask" is none.
        """
        question = PersonAsked(uuid.uuid4().hex[:12], kind, text, choices, about, call)
        with self._control.question(question.question_id) as waiting:
            await self._transcript.add(question)
            answer = await self._answer(question, waiting, beforehand)
        await self._transcript.add(answer)
        return answer

    async def beside(self, work: Coroutine[Any, Any, T]) -> T:
        """Ask while an act is under way; a stop or a take-over ends the question too. Raises Interrupted."""
        return await self._control.beside(work)

    async def _answer(
        self, question: PersonAsked, waiting: asyncio.Future[PersonAnswered], beforehand: str
    ) -> PersonAnswered:
        if beforehand in ("yes", "no"):
            return PersonAnswered(question.question_id, beforehand, "answered by the command line")
        if self.reach is not None:
            return await self.reach(question)
        if not self.attended:
            raise NeedsPerson(question.text)
        self._on_wait(True)
        answer = await waiting
        self._on_wait(False)
        return answer
