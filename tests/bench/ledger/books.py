"""What a server really did: each piece of work that arrived, by what was meant with it, and whether it was done."""

import threading
import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Work:
    """`meant` names the intent, such as one order; `is_done` is false when the server refused or lost it unread."""

    meant: str
    fields: tuple[tuple[str, str], ...]
    is_done: bool
    at: float


@dataclass
class Books:
    """Kept by the server's threads, read by the bench; the lock protects the list."""

    _works: list[Work] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, meant: str, fields: dict[str, str], *, is_done: bool) -> int:
        """How many of this intent are done now."""
        with self._lock:
            self._works.append(Work(meant, tuple(sorted(fields.items())), is_done, time.monotonic()))
            return sum(one.meant == meant and one.is_done for one in self._works)

    def arrived(self, meant: str = "") -> int:
        with self._lock:
            return sum(not meant or one.meant == meant for one in self._works)

    def done(self, meant: str = "") -> int:
        with self._lock:
            return sum(one.is_done and (not meant or one.meant == meant) for one in self._works)

    def works(self) -> tuple[Work, ...]:
        with self._lock:
            return tuple(self._works)

    def quiet_for(self) -> float:
        """Seconds since something arrived; a long time when nothing ever did."""
        with self._lock:
            return time.monotonic() - self._works[-1].at if self._works else 1e9
