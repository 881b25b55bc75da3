"""Runs other programs: with their output in a log, again when a network was flaky, and in words when they failed."""

import os
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOG = BUILD / "set-up.log"
NETWORK_PAUSES_S = (3, 15)
SHOWN_LINES = 25
LEADS_ELSEWHERE = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}


class SetUpStopped(Exception):
    """The set-up cannot go on; its text says what happened and what to do."""


def carry_out(
    command: Sequence[str], purpose: str, *, extra: Mapping[str, str] | None = None, pauses_s: Sequence[float] = ()
) -> None:
    """Runs a command with its output in the log, again after each pause; at last its final lines are the message."""
    output = _failure(command, extra)
    for pause_s in pauses_s:
        if output is None:
            return
        print(f"  {purpose} did not work; trying again in {pause_s:.0f} s.", flush=True)
        time.sleep(pause_s)
        output = _failure(command, extra)
    if output is not None:
        raise SetUpStopped(
            f"{purpose} did not work. The end of what it said (all of it is in {LOG.relative_to(ROOT)}):\n\n"
            f"{output}\n\nThe command was: {shlex.join(command)}\n"
            "Nothing was lost; when the cause is mended, the same command goes on from here."
        )


def answer_of(command: Sequence[str], extra: Mapping[str, str] | None = None) -> str | None:
    """What a command prints, or None when it cannot be started or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment(extra))
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what would install packages elsewhere, or find those that are."""
    kept = {name: value for name, value in os.environ.items() if name not in LEADS_ELSEWHERE}
    return {**kept, **(extra or {})}


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def sandbox_switch() -> dict[str, str]:
    """As root Chromium's sandbox cannot start: the switch is passed to the children, and said."""
    if not is_root():
        return {}
    print("This is root: the browser runs without its sandbox (PILOTFISH_NO_SANDBOX=1).", flush=True)
    return {"PILOTFISH_NO_SANDBOX": "1"}


def _failure(command: Sequence[str], extra: Mapping[str, str] | None) -> str | None:
    """Runs a command; None when it worked, else the last lines it printed."""
    BUILD.mkdir(exist_ok=True)
    with LOG.open("a+b") as log:
        log.write(f"$ {shlex.join(command)}\n".encode())
        log.flush()
        start = log.tell()
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False, cwd=ROOT, env=environment(extra)
            )
        except OSError as error:
            return f"  {error}"
        log.seek(start)
        lines = log.read().decode(errors="replace").splitlines()
    return "\n".join(f"  {line}" for line in lines[-SHOWN_LINES:]) if done.returncode else None
