"""A process of its own that writes to a record until it is ended; it tells each event that was acknowledged."""

import asyncio
import sys
from pathlib import Path

from app.domain.errors import StoreError
from app.domain.events import UserSaid
from app.domain.ids import ConversationId
from app.store.record import SqliteRecord
from tests.unit.store import samples

ONE = ConversationId("c-1")


def tell(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def write(path: Path) -> SqliteRecord:
    """Acknowledges each event by its number; ends with the fault of the first error."""
    record = await SqliteRecord.open(path)
    await record.create(ONE, "Mugs")
    number = 0
    try:
        while True:
            page = await record.put_blob(f"page {number} ".encode() * 500)
            for event in (UserSaid(f"event {number}"), samples.answered("looked", page)):
                (stored,) = await record.append(ONE, event)
                tell(stored.seq)
            number += 1
    except StoreError as exc:
        tell(exc.fault)
        tell(exc.message)
    return record


async def run_into_a_full_disk(path: Path) -> None:
    """The operating system lets no file grow beyond 300 kB; when that is lifted, writing goes on."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    record = await write(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    (stored,) = await record.append(ONE, UserSaid("after"))
    tell(stored.seq)
    await record.close()


async def hold(path: Path) -> None:
    try:
        record = await SqliteRecord.open(path)
    except StoreError as exc:
        tell(exc.fault)
        tell(exc.message)
        return
    tell("open")
    await asyncio.to_thread(sys.stdin.read)
    await record.close()


if __name__ == "__main__":
    work = {"write": write, "full": run_into_a_full_disk, "hold": hold}[sys.argv[1]]
    asyncio.run(work(Path(sys.argv[2])))
