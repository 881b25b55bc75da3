"""The record under power cuts, full disks, damage and broken-off migrations, and what its backups cost.

All of it runs the program's own opening, writing and mending; only the disk under it is ours. The test command runs a
seeded part of the same. Every file lies in a folder of its own, which is removed at once.
"""

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.ledger.storage_cuts import Cuts, FullDisks, full_disks, power_cuts
from tests.bench.ledger.storage_damage import KINDS, OUTCOMES, Damages, damaged_files
from tests.bench.ledger.storage_large import Large, large_record
from tests.bench.ledger.storage_migrations import Migrations, interrupted_migrations
from tests.bench.result import Measured, Options, Table

LOST = "simulated power cuts that lost an acknowledged event"
UNRECORDED = "simulated power cuts after which an act had no durable intent"
UNSOUND = "simulated power cuts that left the record unsound or a deletion undone"
CAN_FAIL = "simulated power cuts with synchronous NORMAL that lost an acknowledged event"
FULL = "full disks on which something was lost, done unrecorded, badly told or not gone on with"
DAMAGED = "damaged records that were neither found out nor harmless, or ended in a loop"
MIGRATED = "broken-off migrations that were left between two versions, or stuck"
START = "what a backup that is due adds to the start with a record of 200 MB"
WAIT = "longest wait of an event while a record of 200 MB is backed up"
FIGURES = (LOST, UNRECORDED, UNSOUND, CAN_FAIL, FULL, DAMAGED, MIGRATED, START, WAIT)

_SHARES = 10  # parts that each of the counts is done in, so that a run that was broken off goes on
_PART = "storage"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of each are done in all."""

    cuts: int = 500
    normal_cuts: int = 100
    full: int = 100
    damaged: int = 300
    megabytes: int = 200


QUICK = Counts(cuts=50, normal_cuts=20, full=10, damaged=40, megabytes=40)


@dataclass(frozen=True, slots=True)
class Storage:
    """Everything that was found; None for what another shard does."""

    cuts: Cuts
    normal: Cuts
    full: FullDisks
    damages: Damages
    migrations: Migrations | None
    large: Large | None


async def measured(options: Options) -> Storage:
    """Plays what is missing of its shard, and sums up what is there."""
    counts = QUICK if options.quick else Counts()
    for place, (name, work) in enumerate(_parts(options.seed, counts).items()):
        if options.is_mine(place) and name not in options.partial.parts:
            sys.stderr.write(f"{name}\n")
            options.partial.put(name, await work())
    return _summed(options.partial.parts)


def figures(found: Storage) -> list[Measured]:
    """Only of what was made; the bar of a count that is missing is not reached."""
    cuts, full = found.cuts, found.full
    made = [
        *([Measured(LOST, cuts.lost, "count")] if cuts.made else []),
        *([Measured(UNRECORDED, cuts.acts_without_intent, "count")] if cuts.made else []),
        *([Measured(UNSOUND, cuts.unsound + cuts.undone_deletions, "count")] if cuts.made else []),
        *([Measured(CAN_FAIL, found.normal.lost, "count")] if found.normal.made else []),
        *([Measured(FULL, full.bad, "count")] if full.made else []),
        *([Measured(DAMAGED, found.damages.bad, "count")] if found.damages.made else []),
    ]
    if found.migrations is not None:
        made.append(Measured(MIGRATED, found.migrations.between + found.migrations.stuck, "count"))
    if found.large is not None:
        made.append(Measured(START, (found.large.start_s - found.large.plain_start_s) * 1000, "ms"))
        made.append(Measured(WAIT, found.large.longest_append_s * 1000, "ms"))
    return made


def tables(found: Storage) -> list[Table]:
    return [_faults(found), _damages(found.damages), *([_large(found.large)] if found.large is not None else [])]


def _faults(found: Storage) -> Table:
    cuts, normal, full, migrations = found.cuts, found.normal, found.full, found.migrations or Migrations()
    lost = f"lost an acknowledged event: {cuts.lost}; act without intent: {cuts.acts_without_intent}"
    unsound = f"unsound: {cuts.unsound}; deletion undone: {cuts.undone_deletions}"
    filled = f"lost: {full.lost}; act without intent: {full.acts_without_intent}; badly told: {full.badly_told}"
    broken_off = f"migrations from {migrations.versions} versions, broken off at a statement"
    between = f"between two versions: {migrations.between}; stuck: {migrations.stuck}"
    rows = (
        ("power cuts", str(cuts.made), f"{lost}; {unsound}"),
        ("the same with synchronous NORMAL", str(normal.made), f"lost an acknowledged event: {normal.lost}"),
        ("full disks", str(full.made), f"{filled}; did not go on: {full.did_not_go_on}"),
        (broken_off, str(migrations.at_statements), between),
        ("the same, cut at a write", str(migrations.at_writes), "counted with those above"),
    )
    return Table(
        "The record under faults", ("fault", "how often", "outcome"), tuple(one for one in rows if one[1] != "0")
    )


def _damages(damages: Damages) -> Table:
    rows = tuple((kind, *(str(damages.outcomes[kind, outcome]) for outcome in OUTCOMES)) for kind in KINDS)
    return Table("Damaged records", ("damage", *OUTCOMES), rows if damages.made else ())


def _large(large: Large) -> Table:
    rows = (
        ("start to the list, no backup due", f"{large.plain_start_s * 1000:.0f} ms"),
        ("start to the list, a backup due", f"{large.start_s * 1000:.0f} ms"),
        ("the backup, while events are written without a pause", f"{large.backup_s:.1f} s"),
        ("an event, median", f"{large.usual_append_s * 1000:.1f} ms"),
        ("an event while the backup is made, longest", f"{large.longest_append_s * 1000:.0f} ms"),
        ("deleting a tenth of it, from five backups too", f"{large.delete_s:.1f} s"),
    )
    return Table(f"A record of {large.megabytes} MB", ("what", "time"), rows)


def _parts(seed: int, counts: Counts) -> dict[str, Callable[[], Awaitable[object]]]:
    """Each part is plain JSON. A share has a seed of its own, so that the shares are not alike."""
    parts: dict[str, Callable[[], Awaitable[object]]] = {}
    for share in range(_SHARES):
        own = seed + share
        parts[f"{_PART} cuts {share}"] = _plain(power_cuts, own, counts.cuts // _SHARES)
        parts[f"{_PART} normal {share}"] = _plain(_normal_cuts, own, counts.normal_cuts // _SHARES)
        parts[f"{_PART} full {share}"] = _plain(full_disks, own, counts.full // _SHARES)
        parts[f"{_PART} damaged {share}"] = _plain(_damaged, own, counts.damaged // _SHARES)
    parts[f"{_PART} migrations"] = _plain(_migrations, seed, 0)
    parts[f"{_PART} large"] = _plain(large_record, seed, counts.megabytes)
    return parts


def _plain(work: Callable[[int, int], Awaitable[Any]], seed: int, count: int) -> Callable[[], Awaitable[object]]:
    async def played() -> object:
        found = await work(seed, count)
        return found if isinstance(found, list) else asdict(found)

    return played


async def _normal_cuts(seed: int, count: int) -> Cuts:
    return await power_cuts(seed, count, normal=True)


async def _damaged(seed: int, count: int) -> list[list[object]]:
    return [[*key, number] for key, number in (await damaged_files(seed, count)).outcomes.items()]


async def _migrations(seed: int, count: int) -> Migrations:
    return interrupted_migrations(seed)


def _summed(parts: dict[str, Any]) -> Storage:
    def of(name: str) -> list[Any]:
        return [part for key, part in parts.items() if key.startswith(f"{_PART} {name}")]

    damages: Counter[tuple[str, str]] = Counter()
    for part in of("damaged"):
        damages.update({(kind, outcome): number for kind, outcome, number in part})
    return Storage(
        sum((Cuts(**part) for part in of("cuts")), Cuts()),
        sum((Cuts(**part) for part in of("normal")), Cuts()),
        sum((FullDisks(**part) for part in of("full")), FullDisks()),
        Damages(damages),
        next((Migrations(**part) for part in of("migrations")), None),
        next((Large(**part) for part in of("large")), None),
    )
