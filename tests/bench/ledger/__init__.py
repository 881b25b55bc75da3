"""The submission ledger, counted at the server: never twice without the person, and true words about each time.

`python3 packaging/dev.py bench ledger` plays, on loopback, with time limits at 1/20 of the product's:

- the matrix of `matrix.py`: 23 kinds of submit under 14 disturbances, each repeated in seven ways, beside plain
  Playwright; a few cells once more at full scale;
- the 1,000 scripts of `hostile.py` on twelve small applications;
- the 60 honest repeats of `repeats.py`;
- 10,000 random sequences of `sequences.py` against the ledger alone;
- the kills of `kills.py`: the program is killed in the middle of an order and goes on from its record;
- what `storage.py` does to the record: power cuts, full disks, damage, migrations that are broken off.

What the sites did stands in the books of their server alone. A fault begins with its kind: "again" (done once more by
repeating), "unknown" (the browser sent more than once, and the record does not say so), "undone" (allowed, and not
done), "untrue" (the record or the words say what the server knows to be otherwise), "unplayed".
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tests.bench.ledger import hostile, kills, matrix, repeats, sequences, storage
from tests.bench.ledger.cells import Cell
from tests.bench.ledger.desk import OURS
from tests.bench.ledger.hostile import Played
from tests.bench.ledger.kills import Killed
from tests.bench.ledger.plain import PLAIN
from tests.bench.ledger.repeats import Repeat
from tests.bench.result import Measured, Options, Result, Table

CELLS_AGAIN = "cells of 322 done once more without the person"
CELLS_UNKNOWN = "cells that the browser sent more than once, and not on record as unknown"
CELLS_UNDONE = "cells in which what the person allowed was not done, or that could not be played"
CELLS_UNTRUE = "cells with untrue words about what was sent"
SCRIPTS_AGAIN = "hostile scripts of 1,000 that did it once more without the person"
SCRIPTS_UNKNOWN = "hostile scripts that did it more than once by one act, and not on record as unknown"
SCRIPTS_UNDONE = "hostile scripts in which what the person allowed was not done, or that could not be played"
SCRIPTS_UNTRUE = "hostile scripts with untrue words about what was sent"
BLOCKED = "honest repeats that were blocked"
ASKED = "honest repeats that were asked about"
SEQUENCES_AGAIN = "bundles of random sequences in which something was sent more often than allowed"
KILLS_AGAIN = "orders done twice after kill -9"
KILLS_LOST = "acknowledged events lost by kill -9"
KILLS_UNTRUE = "kills after which the record does not say what may have happened"
RESUMED = "time to go on after kill -9, the longest"


async def run(options: Options) -> Result:
    """All parts of this share."""
    cells, full_scale = await matrix.measured(options), await matrix.at_full_scale(options)
    scripts = await hostile.measured(options)
    honest = await repeats.measured(options)
    killed = await kills.measured(options)
    stored = await storage.measured(options)
    random = await sequences.measured(options)
    ours = (
        *_of_sequences(random),
        *_of_cells(cells, full_scale),
        *_of_scripts(scripts),
        *_of_honest(honest),
        *_of_kills(killed),
    )
    shown = (*_tables(cells, full_scale, scripts, honest, killed), *storage.tables(stored))
    return Result(
        figures=(*ours, *storage.figures(stored)),
        tables=tuple(one for one in shown if one.rows),
    )


def _of_sequences(random: Mapping[str, int]) -> list[Measured]:
    if not random:
        return []
    return [
        Measured(SEQUENCES_AGAIN, random["failed"], "count"),
        Measured("random sequences played", random["played"], "count"),
    ]


def _of_cells(cells: Sequence[Cell], full_scale: Sequence[Cell]) -> list[Measured]:
    own = [one for one in (*cells, *full_scale) if one.actor == OURS]
    if not own:
        return []
    counted = _kinds(one.faults for one in own)
    return [
        Measured(CELLS_AGAIN, counted["again"], "count"),
        Measured(CELLS_UNKNOWN, counted["unknown"], "count"),
        Measured(CELLS_UNDONE, counted["undone"] + counted["unplayed"], "count"),
        Measured(CELLS_UNTRUE, counted["untrue"], "count"),
        Measured("cells played", len(own), "count"),
        Measured(
            "cells done more than once, plain Playwright",
            sum(one.first + one.more > 1 for one in cells if one.actor == PLAIN),
            "count",
        ),
    ]


def _of_scripts(scripts: Sequence[Played]) -> list[Measured]:
    if not scripts:
        return []
    counted = _kinds(one.faults for one in scripts)
    return [
        Measured(SCRIPTS_AGAIN, counted["again"], "count"),
        Measured(SCRIPTS_UNKNOWN, counted["unknown"], "count"),
        Measured(SCRIPTS_UNDONE, counted["undone"] + counted["unplayed"], "count"),
        Measured(SCRIPTS_UNTRUE, counted["untrue"], "count"),
        Measured("hostile scripts played", len(scripts), "count"),
    ]


def _of_honest(honest: Sequence[Repeat]) -> list[Measured]:
    if not honest:
        return []
    return [
        Measured(BLOCKED, sum(one.is_blocked for one in honest) / len(honest), "ratio"),
        Measured(ASKED, sum(one.extra > 0 for one in honest) / len(honest), "ratio"),
        Measured("honest repeats with any question", sum(one.asked > 0 for one in honest) / len(honest), "ratio"),
    ]


def _of_kills(killed: Sequence[Killed]) -> list[Measured]:
    if not killed:
        return []
    counted = _kinds(one.faults for one in killed)
    return [
        Measured(KILLS_AGAIN, counted["again"], "count"),
        Measured(KILLS_LOST, sum(one.lost for one in killed), "count"),
        Measured(KILLS_UNTRUE, counted["unknown"] + counted["untrue"] + counted["unplayed"], "count"),
        Measured(RESUMED, max(one.resume_s for one in killed), "s"),
        Measured("kills", len(killed), "count"),
    ]


def _kinds(faults: Iterable[Sequence[str]]) -> Counter[str]:
    """How many plays have a fault of each kind."""
    return Counter(kind for some in faults for kind in {one.partition(":")[0] for one in some})


def _tables(
    cells: Sequence[Cell],
    full_scale: Sequence[Cell],
    scripts: Sequence[Played],
    honest: Sequence[Repeat],
    killed: Sequence[Killed],
) -> list[Table]:
    return [
        _matrix("The matrix by disturbance: cells done more than once, of all", cells, "disturbance"),
        _matrix("The matrix by kind of submit: cells done more than once, of all", cells, "kind"),
        Table(
            "At full scale",
            ("kind", "disturbance", "done by one act", "by repeating", "on record", "seconds"),
            tuple(
                (one.kind, one.disturbance, f"{one.first}", f"{one.more}", ", ".join(one.states), f"{one.seconds:.0f}")
                for one in full_scale
            ),
        ),
        _scripts(scripts),
        Table(
            "Honest repeats that were blocked or asked about",
            ("site", "way", "wanted", "done", "questions because it was a repeat"),
            tuple(
                (one.site, one.way, f"{one.wanted}", f"{one.done}", f"{one.extra}")
                for one in honest
                if one.is_blocked or one.extra
            ),
        ),
        _kills(killed),
        _faults(cells, full_scale, scripts, killed),
    ]


def _matrix(title: str, cells: Sequence[Cell], by: str) -> Table:
    names = list(dict.fromkeys(getattr(one, by) for one in cells))
    rows = []
    for name in names:
        of = [one for one in cells if getattr(one, by) == name]
        own, plain = ([one for one in of if one.actor == actor] for actor in (OURS, PLAIN))
        rows.append(
            (
                name,
                f"{sum(one.more > 0 for one in own)} of {len(own)}",
                f"{sum(one.first > 1 for one in own)}",
                f"{sum('unknown' in one.states for one in own)}",
                f"{sum(one.more > 0 for one in plain)} of {len(plain)}",
                f"{sum(one.first > 1 for one in plain)}",
            )
        )
    columns = (by, "ours, by repeating", "by one act", "said unknown", "plain Playwright, by repeating", "by one act")
    return Table(title, columns, tuple(rows))


def _scripts(scripts: Sequence[Played]) -> Table:
    rows = []
    for app, of in itertools.groupby(sorted(scripts, key=lambda one: one.app), key=lambda one: one.app):
        some = list(of)
        rows.append(
            (app, f"{len(some)}", f"{sum(one.more > 0 for one in some)}", f"{sum(bool(one.faults) for one in some)}")
        )
    return Table("Hostile scripts by application", ("application", "scripts", "done again", "any fault"), tuple(rows))


def _kills(killed: Sequence[Killed]) -> Table:
    rows = []
    for point in dict.fromkeys(one.point for one in killed):
        of = [one for one in killed if one.point == point]
        rows.append(
            (
                point,
                f"{len(of)}",
                f"{sum(one.done_before for one in of)}",
                f"{sum(one.done for one in of)}",
                f"{sum(one.done > 1 for one in of)}",
                f"{sum(one.lost for one in of)}",
                f"{max(one.resume_s for one in of):.2f}",
            )
        )
    columns = ("killed", "times", "done before", "done in the end", "done twice", "events lost", "longest resume, s")
    return Table("kill -9 in the middle of an order", columns, tuple(rows))


def _faults(
    cells: Sequence[Cell], full_scale: Sequence[Cell], scripts: Sequence[Played], killed: Sequence[Killed]
) -> Table:
    """Every fault with where it came up, as it was seen at the server."""
    found = [
        *((f"{one.kind} under {one.disturbance}", one.faults) for one in (*cells, *full_scale)),
        *((f"script {one.number}: {one.app}, {one.manner}, {', '.join(one.tried)}", one.faults) for one in scripts),
        *((f"killed {one.point}", one.faults) for one in killed),
    ]
    rows = tuple((where, "; ".join(faults)[:300]) for where, faults in found if faults)
    return Table("Faults", ("where", "what"), rows)
