"""Runs one benchmark and says which figures were reached: `python -m tests.bench.run NAME`."""

import argparse
import asyncio
import datetime as dt
import importlib
import platform
import shlex
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs

from tests.bench.figures import expected, judged
from tests.bench.report import Report
from tests.bench.result import Options, Partial, Result
from tests.bench.versions import of_checkout

Bench = Callable[[Options], Coroutine[Any, Any, Result]]


def main(arguments: Sequence[str]) -> int:
    """0 when every figure is reached, 1 when not, 2 when the command was wrong."""
    known = expected()
    given = parser(known).parse_args(arguments)
    complaint = complaint_about(given, known)
    if complaint:
        sys.stderr.write(f"{complaint}\n")
        return 2
    ours = (*of_checkout(), ("Python", platform.python_version()))
    result = asyncio.run(_bench(given.name)(options_of(given)))
    report = Report(
        name=given.name,
        date=f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        versions=(*ours, *result.versions),
        command=shlex.join(["python3", "packaging/dev.py", "bench", *_repeatable(given)]),
        figures=judged(known[given.name], result.figures),
        tables=result.tables,
        notes=result.notes,
    )
    sys.stdout.write(report.as_text())
    if given.out:
        given.out.write_text(report.as_json(), encoding="utf-8")
        given.out.with_suffix(".md").write_text(report.as_markdown(), encoding="utf-8")
    return int(not report.is_ok)


def parser(known: Mapping[str, object]) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="dev.py bench", description="Measures what is promised.")
    made.add_argument("name", metavar="NAME", help=", ".join(known))
    made.add_argument("--quick", action="store_true", help="a seeded sample of about a minute")
    made.add_argument("--shard", metavar="K/N", default="1/1", help="only the K-th of N shares of the work")
    made.add_argument(
        "--resume", metavar="FILE", type=Path, help="go on from the parts kept in FILE, and keep new ones"
    )
    made.add_argument("--out", metavar="FILE", type=Path, help="write the JSON there, and a page of it beside")
    return made


def complaint_about(given: argparse.Namespace, known: Mapping[str, object]) -> str:
    """What is wrong with a command line, in plain words; empty when nothing is."""
    if given.name not in known:
        return f"There is no benchmark “{given.name}”. The benchmarks are: {', '.join(known)}."
    share, _, shares = given.shard.partition("/")
    if not (share.isdecimal() and shares.isdecimal() and 1 <= int(share) <= int(shares)):
        return f"“{given.shard}” is no share: give K/N with K from 1 to N, such as 1/4."
    for file in filter(None, (given.out, given.resume)):
        if not file.parent.is_dir():
            return f"The folder of {file} is not there. Nothing was started."
    return ""


def options_of(given: argparse.Namespace) -> Options:
    cache = platformdirs.user_cache_path("pilotfish-bench", appauthor=False)
    cache.mkdir(parents=True, exist_ok=True)
    share, _, shares = given.shard.partition("/")
    return Options(
        cache=cache,
        quick=given.quick,
        shard=int(share),
        shards=int(shares),
        partial=Partial.read(given.resume),
    )


def _bench(name: str) -> Bench:
    bench: Bench = importlib.import_module(f"tests.bench.{name}").run
    return bench


def _repeatable(given: argparse.Namespace) -> list[str]:
    quick = ["--quick"] if given.quick else []
    share = ["--shard", given.shard] if given.shard != "1/1" else []
    return [given.name, *quick, *share]


if __name__ == "__main__":
    # Ended from outside it still ends the applications and browsers that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
