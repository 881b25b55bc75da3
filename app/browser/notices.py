"""Collects what the browser notices between two questions of the agent."""

import time

from app.domain.ids import TabId
from app.domain.pages import Dialog, DialogAnswer, Download, Happenings, NetworkWrite, TabInfo

_KEPT = 200


class Notices:
    """What happened since it was taken last. A write or download is told once when seen, once more when it ended."""

    def __init__(self) -> None:
        self.changed_at = time.monotonic()  # of what an act can bring about beside the page
        self._new_tabs: list[TabId] = []
        self._closed_tabs: list[TabId] = []
        self._dialogs: list[Dialog] = []
        self._answered: list[DialogAnswer] = []
        self._prints = 0
        self._downloads: dict[int, Download] = {}
        self._writes: dict[int, NetworkWrite] = {}
        self._console_errors: list[str] = []
        self._told: list[str] = []
        self._known: set[str] = set()
        self._crashed = False

    def tab_opened(self, id: TabId) -> None:
        self._new_tabs.append(id)
        self._touch()

    def tab_closed(self, id: TabId) -> None:
        self._closed_tabs.append(id)
        self._touch()

    def dialog_opened(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)
        self._touch()

    def dialog_answered(self, answer: DialogAnswer) -> None:
        """Of the person; what the agent answers it knows."""
        self._answered.append(answer)
        self._touch()

    def asked_to_print(self, times: int) -> None:
        self._prints += times
        self._touch()

    def download(self, key: int, download: Download) -> None:
        self._downloads[key] = download
        self._touch()

    def refresh_download(self, key: int, download: Download) -> None:
        """How far it is now, when its beginning has not been told yet."""
        if key in self._downloads:
            self._downloads[key] = download

    def write(self, key: int, write: NetworkWrite) -> None:
        self._writes[key] = write

    def console_error(self, text: str) -> None:
        if len(self._console_errors) < _KEPT:
            self._console_errors.append(text)

    def tell(self, text: str) -> None:
        """Something in words of our own."""
        self._told.append(text)
        self._touch()

    def is_news(self, what: str) -> bool:
        """Whether this is asked for the first time."""
        known = what in self._known
        self._known.add(what)
        return not known

    def crashed(self) -> None:
        self._crashed = True

    def take(self, tabs: tuple[TabInfo, ...], *, file_chooser_open: bool) -> Happenings:
        """Everything noticed, and forget it."""
        happened = Happenings(
            new_tabs=tuple(tab for tab in tabs if tab.id in self._new_tabs),
            closed_tabs=tuple(self._closed_tabs),
            dialogs=tuple(self._dialogs),
            answered=tuple(self._answered),
            prints=self._prints,
            downloads=tuple(self._downloads.values()),
            writes=tuple(self._writes.values()),
            console_errors=tuple(self._console_errors),
            file_chooser_open=file_chooser_open,
            crashed=self._crashed,
            told=tuple(self._told),
        )
        self._new_tabs, self._closed_tabs, self._dialogs, self._console_errors = [], [], [], []
        self._told = []
        self._answered, self._downloads, self._writes, self._prints = [], {}, {}, 0
        self._crashed = False
        return happened

    def _touch(self) -> None:
        self.changed_at = time.monotonic()
