"""Collects what the browser notices between two questions of the agent."""

from app.domain.ids import TabId
from app.domain.pages import Dialog, Download, Happenings, NetworkWrite, TabInfo

_KEPT = 200


class Notices:
    """What happened since it was taken last. A write or download is told once when seen, once more when it ended."""

    def __init__(self) -> None:
        self._new_tabs: list[TabId] = []
        self._closed_tabs: list[TabId] = []
        self._dialogs: list[Dialog] = []
        self._downloads: dict[int, Download] = {}
        self._writes: dict[int, NetworkWrite] = {}
        self._console_errors: list[str] = []
        self._crashed = False

    def tab_opened(self, id: TabId) -> None:
        self._new_tabs.append(id)

    def tab_closed(self, id: TabId) -> None:
        self._closed_tabs.append(id)

    def dialog_opened(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)

    def download(self, key: int, download: Download) -> None:
        self._downloads[key] = download

    def write(self, key: int, write: NetworkWrite) -> None:
        self._writes[key] = write

    def console_error(self, text: str) -> None:
        if len(self._console_errors) < _KEPT:
            self._console_errors.append(text)

    def crashed(self) -> None:
        self._crashed = True

    def take(self, tabs: tuple[TabInfo, ...], *, file_chooser_open: bool) -> Happenings:
        """Everything noticed, and forget it."""
        happened = Happenings(
            new_tabs=tuple(tab for tab in tabs if tab.id in self._new_tabs),
            closed_tabs=tuple(self._closed_tabs),
            dialogs=tuple(self._dialogs),
            downloads=tuple(self._downloads.values()),
            writes=tuple(self._writes.values()),
            console_errors=tuple(self._console_errors),
            file_chooser_open=file_chooser_open,
            crashed=self._crashed,
        )
        self._new_tabs, self._closed_tabs, self._dialogs, self._console_errors = [], [], [], []
        self._downloads, self._writes = {}, {}
        self._crashed = False
        return happened
