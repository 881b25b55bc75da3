"""The program with its window, in which one slot makes a mistake when the person's words are shown."""

import os
import sys
from collections.abc import Iterator

from app.bootstrap.parts import Parts
from app.cli.lines import event_lines
from app.domain.events import StoredEvent, UserSaid
from app.domain.passing import Event
from app.runtime.engine import Engine
from app.settings.logs import configure_logging
from app.ui.opening import Showing, open_window


def describe(event: Event) -> Iterator[str]:
    """Called in a slot of the window for every event."""
    if isinstance(event, StoredEvent) and isinstance(event.event, UserSaid):
        raise ZeroDivisionError("the mistake of this test")
    yield from event_lines(event)


if __name__ == "__main__":
    parts = Parts(os.environ)
    log = configure_logging(parts.paths, parts.clean)
    showing = Showing(demo=True, out=sys.stdout, describe=describe)
    status = open_window(Engine(parts.factories()), parts.paths.data_dir, showing)
    log.close()
    sys.exit(status)
