"""Puts a question to the person and waits, without limit, for the answer."""

import asyncio
import uuid
from collections.abc import Callable

from app.agent.control import Control, NeedsPerson
from app.agent.transcript import Transcript
from app.domain.events import PersonAnswered, PersonAsked, QuestionKind
from app.domain.ids import ToolCallId
from app.guard.consent import Effect

PERSON_SAYS_YES = "yes"

_CONSEQUENCES = {
    "pay": "This pays or orders something.",
    "send": "This sends something to others.",
    "delete": "This deletes something.",
    "account": "This changes an account or its rights.",
}


class Asking:
    """The person of one conversation. Without one (`attended` false) a question parks the turn."""

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
        self._consent = consent
        self._on_wait = on_wait

    async def ask(
        self,
        kind: QuestionKind,
        text: str,
        choices: tuple[tuple[str, str], ...],
        *,
        about: tuple[tuple[str, str], ...] = (),
        call: ToolCallId | None = None,
    ) -> PersonAnswered:
        """Raises NeedsPerson when nobody is there; the question stays on record either way."""
        question = PersonAsked(uuid.uuid4().hex[:12], kind, text, choices, about, call)
        with self._control.question(question.question_id) as waiting:
            await self._transcript.add(question)
            answer = await self._answer(question, waiting)
        await self._transcript.add(answer)
        return answer

    async def allows(self, effect: Effect, call: ToolCallId) -> bool:
        """Whether the person allows exactly this effect, once."""
        said = (("The page says", effect.words),) if effect.words else ()
        about = (("Button", effect.control), ("Site", effect.origin), *said, *effect.fields)
        answer = await self.ask(
            "consent",
            f"{_CONSEQUENCES[effect.consequence]} Shall the agent press “{effect.control}” on {effect.origin}?",
            ((PERSON_SAYS_YES, "Allow once"), ("no", "Do not"), ("takeover", "I do it myself")),
            about=about,
            call=call,
        )
        return answer.choice == PERSON_SAYS_YES

    async def _answer(self, question: PersonAsked, waiting: asyncio.Future[PersonAnswered]) -> PersonAnswered:
        if question.question_kind == "consent" and self._consent in ("yes", "no"):
            return PersonAnswered(question.question_id, self._consent, "answered by the command line")
        if not self.attended:
            raise NeedsPerson(question.text)
        self._on_wait(True)
        answer = await waiting
        self._on_wait(False)
        return answer
