"""The command `pilotfish` in a process of its own, and what it said and left behind."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        """All lines a person sees."""
        return [line for line in (self.out + self.err).splitlines() if line.strip()]

    @property
    def conversation(self) -> str:
        """The id that was printed first."""
        head, name, *_ = self.said[0].split()
        assert head == "Conversation", self.said
        return name


class Caller(Protocol):
    """Calls `pilotfish` with arguments and variables of the environment."""

    def __call__(self, *arguments: str, **variables: object) -> Done: ...


def environment(**variables: object) -> dict[str, str]:
    return {**os.environ, **{name: str(value) for name, value in variables.items()}}


@contextlib.contextmanager
def started(*arguments: str, before: tuple[str, ...] = (), **variables: object) -> Iterator[subprocess.Popen[str]]:
    """A module of ours with its arguments, running; killed at the end when it still runs."""
    command = [*before, sys.executable, "-m", *arguments]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def pilotfish(*arguments: str, before: tuple[str, ...] = (), **variables: object) -> Done:
    """Run the command to its end."""
    with started("app", *arguments, before=before, **variables) as process:
        out, err = process.communicate(timeout=50)
        return Done(process.returncode, out, err)
