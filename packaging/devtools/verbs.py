"""The verbs of `dev.py`, and what each one sets up first."""

import sys
from collections.abc import Callable, Sequence

from devtools import bench, demo, environment, lock, suites, system
from devtools.commands import LOG, SetUpStopped

USAGE = """\
python3 packaging/dev.py VERB

  run                  set everything up, then play the demo errand in the window
                       (with no screen: offscreen; prints the transcript and saves a picture)
  test [PYTEST ARGS]   set everything up, then run every check and every test;
                       with arguments for pytest, one run with just those
  bench NAME [--quick] [--shard K/N] [--resume FILE] [--out FILE]
                       set everything up, then measure, and say which figures were reached
  lock [--upgrade]     refresh packaging/requirements.lock from pyproject.toml
                       (--upgrade: also move to the newest versions it allows)
"""


def perform(arguments: Sequence[str]) -> int:
    verb, rest = (arguments[0], arguments[1:]) if arguments else ("", ())
    action = VERBS.get(verb)
    if action is None:
        print(USAGE, end="", file=sys.stdout if verb in ("-h", "--help", "help") else sys.stderr)
        return 0 if verb in ("-h", "--help", "help") else 2
    LOG.unlink(missing_ok=True)
    try:
        return action(rest)
    except SetUpStopped as stop:
        print(stop, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130


def run(arguments: Sequence[str]) -> int:
    if arguments:
        raise SetUpStopped(f"run takes no arguments; it was given: {' '.join(arguments)}")
    system.prepare(system.to_run(has_screen=demo.has_screen()))
    environment.prepare()
    system.require_browser()
    return demo.play()


def test(arguments: Sequence[str]) -> int:
    system.prepare(system.to_test())
    environment.prepare()
    system.require_browser()
    return suites.run(arguments)


def measure(arguments: Sequence[str]) -> int:
    bench.check(arguments)
    system.prepare(system.to_test())
    environment.prepare()
    system.require_browser()
    return bench.run(arguments)


def refresh_lock(arguments: Sequence[str]) -> int:
    if list(arguments) not in ([], ["--upgrade"]):
        raise SetUpStopped(f"lock takes only --upgrade; it was given: {' '.join(arguments)}")
    lock.refresh(upgrade=bool(arguments))
    return 0


VERBS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run,
    "test": test,
    "bench": measure,
    "lock": refresh_lock,
}
