"""The files the person is about to give with a message: one chip each, with name, size and a way to take it back."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.context.files.wording import size_words
from app.ui.elements import IconButton, IconMark, OneLine, Words
from app.ui.flow import Flow

MOST = 20
_CHIP_WIDTH = 260


class GivenFiles(QWidget):
    """Hidden while there is none; `changed` comes with every file added or taken back."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._chips: dict[str, QWidget] = {}
        self._flow = Flow(spacing=6)
        self._note = Words("", tone="muted", scale=0.95)
        self._note.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._flow)
        layout.addWidget(self._note)
        self.setAccessibleName("Files to give")
        self.hide()

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._chips)

    @property
    def buttons(self) -> list[IconButton]:
        """By which the files are taken back, in their order."""
        return [button for chip in self._chips.values() for button in chip.findChildren(IconButton)]

    def add(self, paths: Iterable[str]) -> None:
        """Files only; what is none is said once."""
        wrong = ""
        for path in dict.fromkeys(paths):
            place = Path(path)
            if not place.is_file():
                wrong = f"“{place.name}” is {'a folder; give the files in it' if place.is_dir() else 'not there'}."
            elif len(self._chips) >= MOST and path not in self._chips:
                wrong = f"No more than {MOST} files at once."
            elif path not in self._chips:
                self._chips[path] = self._chip(place)
                self._flow.addWidget(self._chips[path])
        self._note.say(wrong)
        self._note.setVisible(bool(wrong))
        self._show()

    def take(self) -> tuple[str, ...]:
        """All of them; none is left."""
        paths = self.paths
        for path in paths:
            self._remove(path)
        self._note.hide()
        self._show()
        return paths

    def _chip(self, place: Path) -> QWidget:
        chip = QFrame()
        chip.setProperty("card", "raised")
        chip.setMaximumWidth(_CHIP_WIDTH)
        line = QHBoxLayout(chip)
        line.setContentsMargins(9, 3, 4, 3)
        line.setSpacing(7)
        name = OneLine(place.name, scale=0.95)
        name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        size = OneLine(size_words(place.stat().st_size), tone="muted", scale=0.9)
        size.setMinimumWidth(size.sizeHint().width())
        back = IconButton("cross", f"Do not give {place.name}", colour="muted_text", size=12)
        back.setProperty("look", "small")
        back.clicked.connect(lambda: self._take_back(str(place)))
        for widget in (IconMark("file", "muted_text", size=15), name, size, back):
            line.addWidget(widget, 1 if widget is name else 0)
        chip.setAccessibleName(f"{place.name}, {size.text()}")
        return chip

    def _take_back(self, path: str) -> None:
        self._remove(path)
        self._show()

    def _remove(self, path: str) -> None:
        chip = self._chips.pop(path)
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()

    def _show(self) -> None:
        self.setVisible(bool(self._chips) or not self._note.isHidden())
        self.updateGeometry()
        self.changed.emit()


def local_files(dropped: QMimeData) -> tuple[str, ...]:
    """The paths of what is dragged; empty when it is no file of this machine."""
    return tuple(url.toLocalFile() for url in dropped.urls() if url.isLocalFile())
