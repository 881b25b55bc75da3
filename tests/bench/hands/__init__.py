"""Acts on many kinds of controls, with our tools and with others, and what the checks before each act cost.

`python3 packaging/dev.py bench hands` downloads the package `miniwob` and @playwright/mcp once into a cached folder,
pinned, serves the pages on loopback and plays each task with fixed seeds. One scripted policy a task is written
against a small neutral interface and knows only what the actor's own look returned. Three actors play the same:

- ours: our tools on the guarded browser, called as a model calls them;
- plain Playwright: the act by the driver's ref, our own rule of waiting, one `aria_snapshot`, no check of anything;
- @playwright/mcp, its page read with `browser_snapshot` after each act.

The bench's server takes the reward display, the timer and the start cover out of the pages before anybody sees them.
Each page answers the bench over a socket that no actor hears of: what the goal is, how it judged, and how many inputs
and changes it saw. An episode is won when the page's own reward is above 0. An act was falsely said to be done when our
receipt says "confirmed", or a peer reports no error, and the page saw no input and no change of any kind.

Times are of one act with all that follows until the page is in the actor's hands again. Ours and plain Playwright are
compared act by act in the same place of the same episode; who plays first changes with the seed. What our checks cost
is the difference up to where both begin to wait for the page; the difference of the whole act, with the reading of the
page that our tools do more, stands beside it. Tasks that ask for a
password to be typed are left out: our tools leave that to the person.

Before the tasks the matrix of `identity.py` is played, pages that change between the look and the act, and the wrong
ways of `wrong_ways.py` through pages that break agents; `holding.py` times what the hold of requests costs a page.
"""

from collections.abc import Sequence
from dataclasses import replace

from tests.bench.hands import holding, identity, wrong_ways
from tests.bench.hands.ours import OURS
from tests.bench.hands.playing import played
from tests.bench.hands.run import Episode
from tests.bench.hands.site import PACKAGE
from tests.bench.hands.sums import ACTORS, lost_alone, overhead, score
from tests.bench.hands.tables import tables
from tests.bench.hands.tasks import LEFT_TO_THE_PERSON
from tests.bench.result import Measured, Options, Result

WON = "tasks won with our tools, against the best peer"
LOST_ALONE = "episodes lost with our tools and won by a peer"
FALSE_DONE = "acts our receipts confirm of which the page saw nothing"
OVERHEAD = "time of our checks per act, of what is allowed (the greater of 15 % and 30 ms)"


async def run(options: Options) -> Result:
    """Raises NotInstalled when a package cannot be had."""
    trials = await identity.measured(options)
    faults = await wrong_ways.measured(options)
    tasks = summed_up(await played(options))
    held = await holding.measured(options)
    shown = (*identity.tables(trials), *wrong_ways.tables(faults), *holding.tables(held))
    return replace(
        tasks,
        figures=(*identity.figures(trials), *wrong_ways.figures(faults), *tasks.figures),
        tables=(*(one for one in shown if one.rows), *tasks.tables),
    )


def summed_up(episodes: Sequence[Episode]) -> Result:
    """What the tasks of MiniWoB++ came to."""
    own, *peers = (score(actor, episodes) for actor in ACTORS)
    best = max(one.won for one in peers)
    cost = overhead(episodes)
    figures = [
        Measured(LOST_ALONE, len(lost_alone(episodes)), "count"),
        Measured(FALSE_DONE, own.false_done, "count"),
        *([Measured(WON, own.won / best, "ratio")] if best else []),
        *([Measured(OVERHEAD, cost.of_allowed, "ratio")] if cost else []),
    ]
    kinds = len({one.task for one in episodes if one.actor == OURS})
    notes = [
        f"{kinds} kinds of tasks; left to the person: {', '.join(sorted(LEFT_TO_THE_PERSON))}.",
        *(
            f"Time per act: {one.plain_s * 1000:.0f} ms plain; our checks take {one.checks_s * 1000:.0f} ms more, "
            f"the whole act {one.extra_s * 1000:.0f} ms more."
            for one in [cost]
            if one
        ),
    ]
    versions = (("@playwright/mcp", "0.0.83"), ("miniwob", PACKAGE.partition("==")[2]))
    return Result(tuple(figures), tuple(one for one in tables(episodes) if one.rows), versions, tuple(notes))
