"""Computes what a model is sent from the transcript: pure, and the same bytes for the same transcript.

Between two folds every request is a prefix of the next one. Stored events are never changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.context.evidence.quotes import marked_text
from app.context.files.wording import given_text
from app.context.request.tokens import tokens_of_message, tokens_of_prefix
from app.context.request.view import OutOfView, edits_of, out_of_view
from app.domain.events import (
    AssistantSaid,
    BrowserNoticed,
    ConversationStarted,
    FileKept,
    Folded,
    HandedBack,
    QuoteKept,
    RoomWarned,
    StoredEvent,
    Summarised,
    ToolAnswered,
    UserSaid,
)
from app.domain.files import KeptFile
from app.domain.ids import BlobHash
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
from app.domain.records import Quote

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
    projection = Projection()
    projection.follow(events, pictures)
    return projection.request(model, effort, max_output_tokens)


def pictures_in_view(events: Sequence[StoredEvent]) -> tuple[BlobHash, ...]:
    """The pictures that `project` needs: those of observations that were not folded away, nor shown only to another."""
    out = out_of_view(events)
    answers = [one.event for one in events if isinstance(one.event, ToolAnswered) and one.seq > out.upto]
    return tuple(one.picture for one in answers if one.picture and not _is_folded(one, out) and not _is_unseen(one))


class Projection:
    """The request of one conversation, carried on from step to step; only after a fold it is made anew."""

    def __init__(self) -> None:
        self._began: ConversationStarted | None = None
        self.fixed_tokens = 0.0  # of prompt and tools
        self._read = 0  # of the events
        self._begin((), OutOfView())

    def _begin(self, events: Sequence[StoredEvent], out: OutOfView) -> None:
        self._done: list[Message] = []
        self._open: list[UserBlock] = [TextBlock(out.summary)] if out.summary else []
        self._marked: list[Quote | KeptFile] = []  # by the person since the last read; a request may be under way
        self._weighed, self._weight = 0, 0.0  # messages whose tokens were counted, and their sum
        self._out = out
        self._edits = edits_of(events)
        self._unchanged = 0  # messages before the newest edit

    @property
    def tokens(self) -> float:
        """About how many tokens the request has, by the estimate alone."""
        self._weight += sum(tokens_of_message(message) for message in self._done[self._weighed :])
        self._weighed = len(self._done)
        return self.fixed_tokens + self._weight + (tokens_of_message(_user(self._open)) if self._open else 0.0)

    def follow(self, events: Sequence[StoredEvent], pictures: Mapping[BlobHash, bytes] | None = None) -> None:
        """Take in what was added to the transcript since the last call; the events before must be the same."""
        new = events[self._read :]
        if any(isinstance(one.event, Folded | Summarised) for one in new):
            self._begin(events, out_of_view(events))
            new = events
        for stored in new:
            self._add(stored, pictures or {})
        self._read = len(events)

    def request(self, model: str, effort: Effort = "low", max_output_tokens: int = MAX_OUTPUT_TOKENS) -> Request:
        """The request for the next step. Raises ValueError when the transcript has no beginning."""
        if self._began is None:
            raise ValueError("a transcript begins with ConversationStarted")
        return Request(
            model=model,
            system=self._began.system,
            tools=self._began.tools,
            messages=(*self._done, _user(self._open)) if self._open else tuple(self._done),
            effort=effort,
            max_output_tokens=max_output_tokens,
            unchanged=self._unchanged,
        )

    def _add(self, stored: StoredEvent, pictures: Mapping[BlobHash, bytes]) -> None:
        event = stored.event
        if isinstance(event, ConversationStarted):
            self._began, self.fixed_tokens = event, tokens_of_prefix(event.system, event.tools)
        elif stored.seq > self._out.upto:
            if self._edits.newest is not None and stored.seq <= self._edits.newest:
                self._unchanged = len(self._done)
            self._add_in_view(stored, pictures)

    def _add_in_view(self, stored: StoredEvent, pictures: Mapping[BlobHash, bytes]) -> None:
        match stored.event:
            case UserSaid(text) | RoomWarned(text):
                self._show_marked()
                self._open.append(TextBlock(text))
            case AssistantSaid() as said:
                self._close()
                self._done.append(self._said(said, stored.seq))
            case ToolAnswered() as answer:
                self._open.append(ToolResultBlock(answer.call, self._result(answer, pictures), answer.is_error))
                self._show_marked()
            case HandedBack(text, _, observation):
                self._show_marked()
                self._open.extend(self._texts(text, observation))
            case BrowserNoticed(text=text, to_model=True):
                self._show_marked()
                self._open.append(TextBlock(text))
            case QuoteKept(quote) if quote.by == "person":
                self._marked.append(quote)
            case FileKept(file) if file.by == "person":
                self._marked.append(file)
            case Folded(notice=notice) if notice:
                self._open.append(TextBlock(notice))
            case _:
                pass

    def _show_marked(self) -> None:
        """What the person marked or gave enters beside the next thing that is read, never before what was sent."""
        for one in self._marked:
            if isinstance(one, KeptFile):
                self._open.append(TextBlock(given_text(one)))
            elif one.id not in self._out.quotes:
                self._open.append(TextBlock(marked_text(one)))
        self._marked = []

    def _close(self) -> None:
        if self._open:
            self._done.append(_user(self._open))
            self._open = []

    def _said(self, said: AssistantSaid, seq: int) -> AssistantMessage:
        edited = self._out.calls
        calls = said.calls
        if any(one.id in edited for one in calls):
            calls = tuple(replace(one, arguments=edited.get(one.id, one.arguments)) for one in calls)
        return AssistantMessage(said.text, calls, None if seq in self._edits.bare else said.wire)

    def _result(self, answer: ToolAnswered, pictures: Mapping[BlobHash, bytes]) -> tuple[TextBlock | PictureBlock, ...]:
        text = self._out.results.get(answer.call, answer.text)
        blocks: list[TextBlock | PictureBlock] = [*self._texts(text, answer.observation)]
        is_out = _is_folded(answer, self._out) or _is_unseen(answer)
        if answer.picture is not None and not is_out and answer.picture in pictures:
            blocks.append(
                PictureBlock(answer.picture, answer.picture_mime, pictures[answer.picture], _label(answer.observation))
            )
        return tuple(blocks)

    def _texts(self, text: str, observation: Observation | None) -> list[TextBlock]:
        page = "" if observation is None else self._out.pages.get(observation.id, observation.shown)
        return [TextBlock(part) for part in (text, page) if part]


def _user(blocks: Sequence[UserBlock]) -> UserMessage:
    """Results come first: they answer the turn before."""
    results = [block for block in blocks if isinstance(block, ToolResultBlock)]
    return UserMessage((*results, *[block for block in blocks if not isinstance(block, ToolResultBlock)]))


def _label(observation: Observation | None) -> str:
    picture = observation.picture if observation is not None else None
    return f"{observation.id}, {picture.width} × {picture.height} pixels" if observation and picture else ""


def _is_unseen(answer: ToolAnswered) -> bool:
    """Whether the model was told of the picture in words, and not shown it."""
    facts = answer.observation.picture if answer.observation is not None else None
    return facts is not None and facts.report


def _is_folded(answer: ToolAnswered, out: OutOfView) -> bool:
    return answer.observation is not None and answer.observation.id in out.pages
