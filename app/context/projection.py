"""Computes what a model is sent from the transcript: pure, and the same bytes for the same transcript.

Between two folds every request is a prefix of the next one. Stored events are never changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.context.view import stubs
from app.domain.events import (
    AssistantSaid,
    ConversationStarted,
    Folded,
    HandedBack,
    StoredEvent,
    ToolAnswered,
    UserSaid,
)
from app.domain.ids import BlobHash, ObservationId
from app.domain.messages import (
    MAX_OUTPUT_TOKENS,
    AssistantMessage,
    Effort,
    Message,
    PictureBlock,
    Request,
    TextBlock,
    ToolResultBlock,
    UserMessage,
)
from app.domain.observation import Observation

UserBlock = TextBlock | ToolResultBlock | PictureBlock


def project(
    events: Sequence[StoredEvent],
    *,
    model: str,
    pictures: Mapping[BlobHash, bytes] | None = None,
    effort: Effort = "low",
    max_output_tokens: int = MAX_OUTPUT_TOKENS,
) -> Request:
    """The request for the next step. Raises ValueError when the transcript has no beginning."""
    started = next((one.event for one in events if isinstance(one.event, ConversationStarted)), None)
    if started is None:
        raise ValueError("a transcript begins with ConversationStarted")
    builder = _Builder(stubs(events), _last_fold(events), pictures or {})
    for stored in events:
        builder.add(stored)
    return Request(
        model=model,
        system=started.system,
        tools=started.tools,
        messages=builder.messages(),
        effort=effort,
        max_output_tokens=max_output_tokens,
    )


def pictures_in_view(events: Sequence[StoredEvent]) -> tuple[BlobHash, ...]:
    """The pictures that `project` needs: those of observations that were not folded away."""
    folded = stubs(events)
    answers = [one.event for one in events if isinstance(one.event, ToolAnswered)]
    return tuple(one.picture for one in answers if one.picture and not _is_folded(one, folded))


def _is_folded(answer: ToolAnswered, folded: Mapping[ObservationId, str]) -> bool:
    return answer.observation is not None and answer.observation.id in folded


def _last_fold(events: Sequence[StoredEvent]) -> int:
    return max((one.seq for one in events if isinstance(one.event, Folded)), default=-1)


@dataclass(slots=True)
class _Builder:
    folded: Mapping[ObservationId, str]
    last_fold: int
    pictures: Mapping[BlobHash, bytes]
    _done: list[Message] = field(default_factory=list)
    _open: list[UserBlock] = field(default_factory=list)

    def add(self, stored: StoredEvent) -> None:
        event = stored.event
        if isinstance(event, UserSaid):
            self._open.append(TextBlock(event.text))
        elif isinstance(event, AssistantSaid):
            self._close()
            # Reasoning is bound to the exact prefix, so a fold invalidates what was sent before it.
            wire = event.wire if stored.seq > self.last_fold else None
            self._done.append(AssistantMessage(event.text, event.calls, wire))
        elif isinstance(event, ToolAnswered):
            self._open.append(ToolResultBlock(event.call, self._result(event), event.is_error))
        elif isinstance(event, HandedBack):
            self._open.extend(self._texts(event.text, event.observation))

    def messages(self) -> tuple[Message, ...]:
        self._close()
        return tuple(self._done)

    def _close(self) -> None:
        if self._open:
            results = [block for block in self._open if isinstance(block, ToolResultBlock)]
            rest = [block for block in self._open if not isinstance(block, ToolResultBlock)]
            self._done.append(UserMessage((*results, *rest)))
            self._open = []

    def _result(self, event: ToolAnswered) -> tuple[TextBlock | PictureBlock, ...]:
        blocks: list[TextBlock | PictureBlock] = [*self._texts(event.text, event.observation)]
        if event.picture is not None and not _is_folded(event, self.folded) and event.picture in self.pictures:
            blocks.append(PictureBlock(event.picture, event.picture_mime, self.pictures[event.picture]))
        return tuple(blocks)

    def _texts(self, text: str, observation: Observation | None) -> list[TextBlock]:
        page = "" if observation is None else self.folded.get(observation.id, observation.shown)
        return [TextBlock(part) for part in (text, page) if part]
