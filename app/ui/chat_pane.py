"""The middle of the window: find bar, chat or welcome, notices and composer, for the conversation that is open."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.domain.events import StoredEvent, UserSaid
from app.domain.ids import ConversationId, QuoteId, SubmissionId
from app.domain.passing import (
    ConversationOpened,
    ConversationsListed,
    Driver,
    ErrorShown,
    Event,
    LocalModelsFound,
    ModelsListed,
    RunState,
    TextStreamed,
    TextWithdrawn,
)
from app.ui.announcing import announce
from app.ui.card import Hands
from app.ui.chat import ChatView
from app.ui.composer import Composer
from app.ui.demo_banner import DemoBanner
from app.ui.find_bar import FindBar
from app.ui.notices import Notices
from app.ui.state_words import STATES
from app.ui.submission_strip import SubmissionStrip
from app.ui.task_card import TaskStrip
from app.ui.welcome import Welcome


class ChatPane(QFrame):
    """Shows only what belongs to the open conversation."""

    settings_wanted = Signal()
    keyboard_left = Signal(bool)

    def __init__(
        self,
        submit: Callable[[object], None],
        open_link: Callable[[str], None],
        open_file: Callable[[str], None] = lambda path: None,
    ) -> None:
        super().__init__()
        self.setProperty("plane", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.conversation: ConversationId | None = None
        self._forgotten: ConversationId | None = None
        self.title = ""
        self._state: RunState = "idle"
        self._unanswered: list[str] = []  # sent while nothing ran, and not on record yet
        self.welcome = Welcome()
        hands = Hands(submit, open_link, open_file=open_file, show_submission=self._show_submission)
        self.view = ChatView(hands, self.welcome)
        self.sent = SubmissionStrip(self.view.hands)
        self.find_bar = FindBar(self.view)
        self.demo = DemoBanner()
        self.task = TaskStrip()
        self.notices = Notices()
        self.composer = Composer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.find_bar, self.demo, self.task, self.sent, self.view, self.notices, self.composer):
            layout.addWidget(widget, 1 if widget is self.view else 0)
        self.welcome.command_wanted.connect(submit)
        self.composer.command_wanted.connect(submit)
        self.welcome.settings_wanted.connect(self.settings_wanted)
        self.notices.settings_wanted.connect(self.settings_wanted)
        self.welcome.task_wanted.connect(self.composer.take)
        self.view.keyboard_left.connect(self.keyboard_left)
        self.task.quote_wanted.connect(lambda name: self.view.show_quote(QuoteId(name)))
        self.find_bar.closed.connect(self.composer.field.setFocus)

    @property
    def is_demo(self) -> bool:
        return self.view.is_demo

    def note_sent(self, text: str) -> None:
        """A message went to the engine; while the agent works it waits in sight."""
        self.notices.clear()
        if self._state == "idle":
            self._unanswered.append(text)
        else:
            self.composer.queue(text)

    def receive(self, event: Event) -> None:
        match event:
            case ConversationOpened():
                self._open(event)
            case StoredEvent():
                self._show_stored(event)
            case TextStreamed() if self._is_here(event.conversation):
                self.view.stream(event.text)
            case TextWithdrawn() if self._is_here(event.conversation):
                self.view.withdraw(event.reason)
            case ConversationsListed():
                self._learn_title(event)
            case LocalModelsFound() | ModelsListed():
                self.welcome.receive(event)
            case ErrorShown():
                self._show_error(event)
            case _:
                pass

    def forget(self) -> None:
        """The conversation is gone; the chat is empty as at the start."""
        self._forgotten, self.conversation, self.title = self.conversation, None, ""
        self.composer.forget_queue()
        self.view.open(())
        self.sent.start_over()
        self._show_heads()

    def _open(self, event: ConversationOpened) -> None:
        self.conversation, self.title = event.id, event.title
        self.composer.forget_queue()
        self.notices.leave()
        self.view.open(event.events)
        self.sent.start_over()
        self._show_heads()
        self.composer.field.setFocus()

    def _show_stored(self, stored: StoredEvent) -> None:
        if self.conversation is None and stored.conversation != self._forgotten:
            self.conversation = stored.conversation
        if not self._is_here(stored.conversation):
            return
        if isinstance(stored.event, UserSaid):
            self._was_read(stored.event.text)
        self.view.apply(stored)
        self._show_heads()

    def _show_heads(self) -> None:
        """What stands above the chat as long as it is so."""
        self.demo.setVisible(self.is_demo)
        self.task.show_card(self.view.task_card)
        self.sent.offer_ways(not self.view.asks_of_unknown)
        self.sent.show_records(self.view.submissions)

    def show_state(self, state: RunState, driver: Driver, detail: str) -> None:
        if state != self._state:
            announce(self, STATES[state])
        self._state = state
        if state != "idle":
            self._queue_unanswered()
        self.view.show_state(state, detail)
        self.sent.offer_ways(not self.view.asks_of_unknown)
        self.composer.show_state(state, driver)

    def _show_submission(self, name: SubmissionId) -> None:
        self.sent.reveal(name)

    def _show_error(self, event: ErrorShown) -> None:
        """A message that could not be taken comes back into the field."""
        self.notices.show_error(event)
        announce(self, event.what)
        if self._unanswered and self._state == "idle" and not self.composer.field.toPlainText():
            self.composer.take("\n".join(self._unanswered))
            self.composer.take_files_back()
            self._unanswered.clear()

    def _was_read(self, text: str) -> None:
        if text in self._unanswered:
            self._unanswered.remove(text)
        else:
            self.composer.was_read(text)

    def _queue_unanswered(self) -> None:
        """What was sent in the same breath as the message that began the work waits like any other."""
        for text in self._unanswered:
            self.composer.queue(text)
        self._unanswered.clear()

    def _learn_title(self, event: ConversationsListed) -> None:
        for summary in event.conversations:
            if summary.id == self.conversation:
                self.title = summary.title

    def _is_here(self, conversation: ConversationId | None) -> bool:
        return conversation is None or conversation == self.conversation
