"""Puts a question to the person and waits, without limit, for the answer."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable

from app.agent.control import Control, NeedsPerson
from app.agent.transcript import Transcript
from app.domain.events import PersonAnswered, PersonAsked, QuestionKind
from app.domain.ids import ToolCallId
from app.guard.consent import Effect

PERSON_SAYS_YES = "yes"
AFTER_A_NO = "Do not try it again; ask what they want instead."
"""The way on when the person did not allow something."""

_CONSEQUENCES = {
    "pay": "This pays or orders something.",
    "send": "This sends something to others.",
    "delete": "This deletes something.",
    "account": "This changes an account or its rights.",
}
_AGAIN = " The same was allowed and done once already."


class Asking:
    """The person of one conversation. Without one (`attended` false) a question parks the turn.

    `consent` "yes" is the person's allowance of one act per effect, given beforehand; a repeat is asked like any other.
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
        self._consent = consent
        self._on_wait = on_wait
        self.reach: Callable[[PersonAsked], Awaitable[PersonAnswered]] | None = None
        self._spent: set[tuple[str, Effect]] = set()
        self._newest: tuple[str, Effect] | None = None  # allowed, and not yet known whether it was sent

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

    async def allows(self, effect: Effect, call: ToolCallId, place: str = "", *, wish: str = "") -> bool:
        """Whether the person allows exactly this effect, once; `place` tells effects apart that look the same.

        `wish` is what the agent wants to do, where that is not to press a button.
        """
        is_repeat = (place, effect) in self._spent
        said = (("The page says", effect.words),) if effect.words else ()
        button = () if wish else (("Button", effect.control),)
        about = (*button, ("Site", effect.origin), *said, *effect.fields)
        wish = wish or f"press “{effect.control}” on {effect.origin}"
        answer = await self.ask(
            "consent",
            f"{_CONSEQUENCES[effect.consequence]}{_AGAIN if is_repeat else ''} Shall the agent {wish}?",
            ((PERSON_SAYS_YES, "Allow once"), ("no", "Do not"), ("takeover", "I do it myself")),
            about=about,
            call=call,
            beforehand="" if is_repeat and self._consent == PERSON_SAYS_YES else self._consent,
        )
        if answer.choice != PERSON_SAYS_YES:
            return False
        self._newest = (place, effect)
        self._spent.add(self._newest)
        return True

    def concluded(self, *, sent: bool) -> None:
        """What was allowed last went out, or it did not; then it is still allowed."""
        if self._newest is not None and not sent:
            self._spent.discard(self._newest)
        self._newest = None

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
