"""A live panel on a real bridge, with an engine that only writes down what it is asked for."""

from collections.abc import Iterator

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.acts import PersonInput
from app.domain.commands import Command, SendInput
from app.domain.ids import ConversationId, TabId
from app.domain.pages import Dialog, Frame, TabInfo
from app.domain.passing import Driver, Event, PanelChanged, RunStateChanged
from app.ui.bridge import Bridge
from app.ui.panel import LivePanel
from app.ui.panel_canvas import PageCanvas
from tests.ui.recording_engine import RecordingEngine

SHOP = "https://shop.example/lanterns?sort=price"
PAGE_WIDTH, PAGE_HEIGHT = 640, 480


class Stage:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.engine = RecordingEngine()
        self.bridge = Bridge(self.engine)
        self.panel = LivePanel(self.bridge)
        self.bridge.start()
        self.panel.resize(820, 700)
        with qtbot.waitExposed(self.panel):
            self.panel.show()
        self.panel.activateWindow()
        self.qtbot.waitUntil(self.panel.isActiveWindow)

    @property
    def canvas(self) -> PageCanvas:
        return self.panel.canvas

    @property
    def sent(self) -> list[Command]:
        """What the panel asked for, without the sizes, which come by themselves."""
        return list(self.engine.commands)

    @property
    def inputs(self) -> list[PersonInput]:
        return [command.input for command in self.engine.commands if isinstance(command, SendInput)]

    def forget(self) -> None:
        self.engine.commands.clear()
        self.engine.sizes.clear()

    def tell(self, *events: Event) -> None:
        for event in events:
            self.engine.say(event)
        settle()

    def open_page(self, *, driver: Driver = "person", tabs: tuple[TabInfo, ...] = ()) -> None:
        """A drawn page in the first tab, and somebody who drives."""
        self.tell(PanelChanged(tabs or (tab(),)), drives(driver))
        self.show_frame(frame())
        self.forget()

    def show_frame(self, shown: Frame) -> None:
        before = self.canvas.picture
        self.engine.show_frame(shown)
        self.qtbot.waitUntil(lambda: self.canvas.picture is not None and self.canvas.picture is not before)

    def point(self, x: float, y: float) -> QPoint:
        """Where a point of the page lies on the canvas, reckoned apart from the panel."""
        canvas = self.canvas
        scale = min(canvas.width() / PAGE_WIDTH, canvas.height() / PAGE_HEIGHT)
        left, top = (canvas.width() - PAGE_WIDTH * scale) / 2, (canvas.height() - PAGE_HEIGHT * scale) / 2
        return QPointF(left + x * scale, top + y * scale).toPoint()

    def click(self, x: float = 100, y: float = 100, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
        QTest.mouseClick(self.canvas, button, Qt.KeyboardModifier.NoModifier, self.point(x, y))

    def close(self) -> None:
        self.panel.stop()
        self.panel.close()
        self.panel.deleteLater()
        settle()


def opened(qtbot: QtBot) -> Iterator[Stage]:
    made = Stage(qtbot)
    yield made
    made.close()


def settle() -> None:
    """Deliver what is queued for the main thread."""
    for _ in range(3):
        QCoreApplication.processEvents()


def drives(driver: Driver, detail: str = "") -> RunStateChanged:
    return RunStateChanged(ConversationId("c1"), "working", driver, detail)


def tab(id: int = 1, url: str = SHOP, title: str = "Lanterns", *, active: bool = True, popup: bool = False) -> TabInfo:
    return TabInfo(TabId(id), url, title, active, popup)


def asks(kind: str, message: str = "Really?", default: str = "") -> PanelChanged:
    return PanelChanged((tab(),), Dialog(TabId(1), kind, message, default))  # type: ignore[arg-type]


def frame(colour: str = "#2060c0", *, tab: int = 1, width: int = PAGE_WIDTH, height: int = PAGE_HEIGHT) -> Frame:
    return Frame(TabId(tab), jpeg(colour, width, height), width, height)


def jpeg(colour: str, width: int, height: int, *, right: str = "") -> bytes:
    """One colour; with `right` another one on the right half."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    if right:
        painter = QPainter(image)
        painter.fillRect(width // 2, 0, width - width // 2, height, QColor(right))
        painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "jpeg", 95)
    return bytes(buffer.data().data())


def is_like(colour: QColor, wanted: str) -> bool:
    """Equal but for what JPEG loses."""
    other = QColor(wanted)
    pairs = ((colour.red(), other.red()), (colour.green(), other.green()), (colour.blue(), other.blue()))
    return all(abs(one - two) <= 6 for one, two in pairs)
