"""PySide6 6.12.0 on Python 3.11 loses a reference of True with each emit, until the process aborts."""

import subprocess
import sys

EMITS = 20_000
CODE = f"""
import sys
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

class Sender(QObject):
    plain = Signal(object)
    queued = Signal(object)

application = QCoreApplication([])
sender = Sender()
received = []
sender.plain.connect(received.append)
sender.queued.connect(received.append, Qt.ConnectionType.QueuedConnection)
before = sys.getrefcount(True)
for number in range({EMITS}):
    sender.plain.emit(number)
    sender.queued.emit(number)
    if number % 1000 == 0:
        application.processEvents()
application.processEvents()
print(len(received), before - sys.getrefcount(True))
"""


def test_twenty_thousand_emits_leave_the_process_whole() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    received, lost_references = map(int, done.stdout.split())
    assert received == 2 * EMITS
    assert lost_references < EMITS / 100
