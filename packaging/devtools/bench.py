"""Runs a benchmark of `tests/bench` in the environment of the checkout."""

import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

from devtools.commands import ROOT, SetUpStopped, environment, sandbox_switch
from devtools.environment import ENVIRONMENT

FIGURES = ROOT / "tests" / "bench" / "figures.toml"


def names(file: Path = FIGURES) -> tuple[str, ...]:
    """The benchmarks that have figures to reach."""
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")))


def check(arguments: Sequence[str]) -> None:
    """Stops before anything is set up when no benchmark has the name that was given."""
    known = ", ".join(names())
    if not arguments or arguments[0].startswith("-"):
        raise SetUpStopped(f"bench takes the name of a benchmark first: {known}. Nothing was changed.")
    if arguments[0] not in names():
        raise SetUpStopped(f"There is no benchmark “{arguments[0]}”. The benchmarks are: {known}. Nothing was changed.")


def run(arguments: Sequence[str]) -> int:
    """0 when every figure was reached, 1 when not."""
    settings = {**sandbox_switch(), "QT_QPA_PLATFORM": "offscreen"}
    command = [str(ENVIRONMENT.python), "-m", "tests.bench.run", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment(settings)).returncode
