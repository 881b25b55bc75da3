"""A conversation that goes on after the program ended in the middle of it: the same tools on the same record."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.agent.acting import Acting
from app.agent.answering import answer_call, finish_calls
from app.agent.asking import Asking
from app.agent.control import Control, NeedsPerson
from app.agent.observing import Observing
from app.agent.ports import Record
from app.agent.remembering import Remembering
from app.agent.submitting import Submitting
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.context.request.budget import RESULT_CHARACTERS
from app.domain.errors import AppError
from app.domain.events import AssistantSaid, ToolAnswered
from app.domain.ids import ConversationId, ToolCallId
from app.domain.messages import ToolCall, Usage, WireItems
from app.runtime.factories import LiveBrowser
from app.runtime.serving import Allowed, Reach


@dataclass
class GoingOn:
    """Calls are answered one after the other, as a turn of the window answers them."""

    transcript: Transcript
    control: Control
    asking: Asking
    observing: Observing
    acting: Acting
    hands: Hands
    tell: Callable[[str], None] = field(default=lambda text: None)
    result_characters: int = RESULT_CHARACTERS

    @classmethod
    async def opened(cls, record: Record, conversation: ConversationId, browser: LiveBrowser) -> "GoingOn":
        """What was under way when the program ended is put on record as that."""
        transcript = Transcript(record, conversation, await record.events(conversation), lambda stored: None)
        control = Control()
        asking = Asking(transcript, control, attended=False, consent="ask")
        submitting = Submitting(transcript)
        submitting.attend(asking)
        await finish_calls(transcript, "Pilotfish ended")
        await submitting.book.recover()
        browser.hold_for(submitting.gatekeeper)
        observing = Observing(browser, transcript)
        acting = Acting(browser, transcript, observing, asking, control, submitting)
        return cls(transcript, control, asking, observing, acting, Hands(acting, Remembering(transcript)))

    async def call(
        self, name: str, arguments: Mapping[str, Any], reach: Reach | None, allowed: Allowed
    ) -> ToolAnswered:
        number = len(self.transcript.events)
        call = ToolCall(ToolCallId(f"again{number}"), name, json.dumps(dict(arguments)))
        wire = WireItems("bench", "bench", "")
        await self.transcript.add(AssistantSaid(number, "", (call,), "tool_calls", Usage(), "bench", "bench", wire))
        self.asking.reach = reach
        self.acting.begin_anew()
        try:
            await answer_call(self, call)
        except NeedsPerson as question:
            await self.transcript.add(ToolAnswered(call.id, name, f"It needs the person: {question}", is_error=True))
        except AppError as error:
            await self.transcript.add(ToolAnswered(call.id, name, f"Not done: {error.message}", is_error=True))
        answers = (one.event for one in reversed(self.transcript.events) if isinstance(one.event, ToolAnswered))
        return next(one for one in answers if one.call == call.id)
