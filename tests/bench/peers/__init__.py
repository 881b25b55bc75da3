"""The same pages and actions through other tools for browser agents and through ours, in tokens.

`python3 packaging/dev.py bench peers` installs the peers once into a cached folder outside the checkout, pinned and
without any post-install script, and then plays every walk through each of them, one after the other, each time on a
fresh application on loopback. `--quick` plays the two walks on pages of our own only, else the
walks of seventeen steps on every application are played as well. Nothing is downloaded besides the
packages, no browser, no telemetry; every process is ended, also when the bench is stopped.

What is measured, in tokens of o200k_base:

- **fixed**: what goes with every request. Tools are counted as name, description and schema; for agent-browser the
  skill that its own help tells a model to read; for browser-use and us the system prompt as well.
- **first look**: a step that loads a document; all that has to be read to know the page, the reply included.
- **after a same-page action**: the reply and, where it does not show the page, the peer's cheapest full read. For
  @playwright/mcp that is the file its reply points to, or `browser_snapshot`; for chrome-devtools-mcp the snapshot
  inside the reply; for agent-browser `snapshot --compact`; for browser-use the result and the state part of its message
  alone. Ours is the reply. agent-browser's `snapshot --delta` and `diff snapshot` stand beside it.
- **recall**: every control that Playwright's own tree shows with a ref (as @playwright/mcp prints it) is looked for in
  the view by role and name. Ours must match exactly, or be counted in a line of what is left out; a control that came
  or went by itself since the run of @playwright/mcp, and is not in the driver's tree of our own look, is left aside.
  Peers are compared leniently, because they name some roles and fields otherwise. Looks are compared only where ours
  has left nothing out and the peer shows every control.
- **all requests**: what a client sends over the walk. Clients of tools append everything; ours folds old pages as the
  loop does; browser-use sends its last state.

Fairness: one viewport of 1280x720 and one Chromium for all, a warm browser, up to six reads of a page that was
read too early charged as one, the cheapest way counted for every peer, the waits of each peer left as they are. The
best peer is the one against which ours stands worst, of those that can be compared on at least half of the steps. A
target is found in the peer's own view by role and name; where that has lost its row or its name, by its place on the
page. A walk that a peer cannot go on with is named with its step, and nothing after it is compared.
"""

from tests.bench.peers.install import VERSIONS
from tests.bench.peers.measure import measured
from tests.bench.peers.own_walks import OWN
from tests.bench.peers.playing import Played
from tests.bench.peers.summing import best, first_looks, our_recall, same_page
from tests.bench.peers.tables import tables
from tests.bench.result import Measured, Options, Result
from tests.bench.walks.all import SCRIPTS, walk

LENGTH = 17
SAME_PAGE = "tokens to know the page after same-page actions, against the best peer"
FIRST_LOOKS = "tokens of first looks, against the best peer"
RECALL = "controls of Playwright's tree that our first looks show or count as left out"


async def run(options: Options) -> Result:
    """Plays the walks and sums them up. Raises NotInstalled when a peer cannot be had."""
    walks = OWN if options.quick else (*OWN, *(walk(app, LENGTH) for app in SCRIPTS))
    return summed_up(await measured(walks, options))


def summed_up(played: list[Played]) -> Result:
    same, first = best(same_page(played)), best(first_looks(played))
    shown, of = our_recall(played)
    figures = [
        Measured(what, one.ratio, "ratio") for what, one in ((SAME_PAGE, same), (FIRST_LOOKS, first)) if one is not None
    ]
    figures += [Measured(RECALL, shown / of, "ratio")] if of else []
    notes = [
        f"Best peer, {kind}: {one.peer}, on {len(one.pairs)} of {one.of} steps."
        for kind, one in (("same page", same), ("first look", first))
        if one is not None
    ]
    notes += [f"{one.walk} broke on {one.peer} at {one.broke}" for one in played if one.broke]
    return Result(tuple(figures), tuple(one for one in tables(played) if one.rows), VERSIONS, tuple(notes))
