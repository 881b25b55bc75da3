"""Turns the newest frame into a picture, in a thread of its own."""

from dataclasses import dataclass
from threading import Condition, Thread

from PySide6.QtCore import QBuffer, QByteArray, QObject, QSize, Signal
from PySide6.QtGui import QImage, QImageReader

from app.domain.ids import TabId
from app.domain.pages import Frame

_STOP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A decoded frame, ready to be drawn; viewport sizes in CSS pixels."""

    tab: TabId
    image: QImage
    viewport_width: int
    viewport_height: int


class FrameDecoder(QObject):
    """Holds one frame to decode and one picture to take; a newer one replaces what was not taken in time.

    `decoded` is emitted in the worker thread. After `stop` the thread is gone.
    """

    decoded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changed = Condition()  # protects the two slots and the stop mark
        self._job: tuple[Frame, QSize] | None = None
        self._picture: PagePicture | None = None
        self._is_stopped = False
        self._thread = Thread(target=self._work, name="panel-decoder", daemon=True)
        self._thread.start()

    def offer(self, frame: Frame, size: QSize) -> None:
        """`size` is what the picture will cover, in device pixels. Returns at once."""
        with self._changed:
            self._job = (frame, size)
            self._changed.notify()

    def take(self) -> PagePicture | None:
        """The newest picture, once; the worker goes on only after it was taken."""
        with self._changed:
            picture, self._picture = self._picture, None
            self._changed.notify()
        return picture

    def stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._job = self._picture = None
            self._changed.notify()
        self._thread.join(_STOP_SECONDS)

    def _work(self) -> None:
        while (job := self._next_job()) is not None:
            frame, size = job
            image = read_picture(frame.data, size)
            if not image.isNull():
                self._publish(PagePicture(frame.tab, image, frame.viewport_width, frame.viewport_height))

    def _next_job(self) -> tuple[Frame, QSize] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or (self._job is not None and self._picture is None))
            job, self._job = self._job, None
            return None if self._is_stopped else job

    def _publish(self, picture: PagePicture) -> None:
        with self._changed:
            if self._is_stopped:
                return
            self._picture = picture
        self.decoded.emit()


def read_picture(data: bytes, size: QSize) -> QImage:
    """A null picture when the bytes are no JPEG.

    The reader lets other threads run while it decodes; `QImage.fromData` and `QImage.scaled` hold them up.
    """
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"jpeg"))
    if not size.isEmpty():
        reader.setScaledSize(size)
    return reader.read()
