"""Text as high as its content: selectable, loads nothing, follows no link by itself."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QFocusEvent, QFont, QTextCursor, QTextDocument, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from app.domain.records import Claim
from app.ui.markdown import QUOTE_SCHEME, SUBMISSION_SCHEME, Citation, write_markdown
from app.ui.safe_text import shown
from app.ui.theme import installed_theme, scaled_font

_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class QuietDocument(QTextDocument):
    """A document that asks nobody for anything."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return QByteArray()


class TextView(QTextBrowser):
    """Shows finished markdown or plain text, and grows with it."""

    link_wanted = Signal(str)
    quote_wanted = Signal(str)
    submission_wanted = Signal(str)
    keyboard_here = Signal(bool)

    def __init__(self, parent: QWidget | None = None, *, font: QFont | None = None) -> None:
        super().__init__(parent)
        self._markdown: str | None = None
        self._citations: Mapping[str, Citation] = {}
        self._claims: Sequence[Claim] = ()
        self._heights: dict[int, int] = {}
        document = QuietDocument(self)
        document.setDocumentMargin(0)
        document.setDefaultFont(font or scaled_font(1.05))
        document.setUndoRedoEnabled(False)
        self.setDocument(document)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAcceptDrops(False)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.anchorClicked.connect(self._follow)
        document.contentsChanged.connect(self._forget_heights)
        installed_theme().changed.connect(self._follow_theme)

    def show_markdown(
        self, text: str, citations: Mapping[str, Citation] | None = None, claims: Sequence[Claim] = ()
    ) -> None:
        self._markdown, self._citations, self._claims = text, citations or {}, claims
        write_markdown(self.document(), text, installed_theme().colours, self._citations, claims)

    def show_plain(self, text: str) -> None:
        self._markdown = None
        self.setPlainText(shown(text))

    def append_plain(self, text: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(shown(text))

    def strike(self) -> None:
        """Show all of it as withdrawn."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        look = cursor.charFormat()
        look.setFontStrikeOut(True)
        look.setForeground(installed_theme().colour("muted_text"))
        cursor.mergeCharFormat(look)

    def mark_all(self, needle: str) -> None:
        """Mark every place where the words stand; no words, no marks."""
        marks = []
        place = self.document().find(needle) if needle else QTextCursor()
        while not place.isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = place
            mark.format.setBackground(installed_theme().colour("warning_soft"))
            marks.append(mark)
            place = self.document().find(needle, place)
        self.setExtraSelections(marks)

    def natural_width(self) -> int:
        """The width at which nothing wraps."""
        return round(self.document().idealWidth()) + 2

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return QByteArray()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._measure(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 0 else 400
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 10)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.keyboard_here.emit(event.reason() in _BY_KEYBOARD)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.keyboard_here.emit(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _follow(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address.startswith(QUOTE_SCHEME):
            self.quote_wanted.emit(address.removeprefix(QUOTE_SCHEME))
        elif address.startswith(SUBMISSION_SCHEME):
            self.submission_wanted.emit(address.removeprefix(SUBMISSION_SCHEME))
        else:
            self.link_wanted.emit(address)

    def _measure(self, width: int) -> int:
        """Setting a width lays out everything again, also when it is the same one."""
        document = self.document()
        before = document.textWidth()
        if before != width:
            document.setTextWidth(width)
        height = round(document.size().height()) + 1
        if before != width:
            document.setTextWidth(before)
        return height

    def _forget_heights(self) -> None:
        self._heights.clear()
        self.updateGeometry()

    def _follow_theme(self) -> None:
        if self._markdown is not None:
            self.show_markdown(self._markdown, self._citations, self._claims)
