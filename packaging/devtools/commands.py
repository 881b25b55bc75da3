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


class SetUpStopped(Exception):
    """The set-up cannot go on; its text says what happened and what to do."""


def carry_out(
    command: Sequence[str], purpose: str, *, extra: Mapping[str, str] | None = None, pauses_s: Sequence[float] = ()
) -> None:
    """Runs a command with its output in the log, again after each pause; at last its final lines are the message."""
    BUILD.mkdir(exist_ok=True)
    if _logged(command, clean_environment(extra)) == 0:
        return
    for pause_s in pauses_s:
        print(f"  {purpose} did not work; trying again in {pause_s:.0f} s.", flush=True)
        time.sleep(pause_s)
        if _logged(command, clean_environment(extra)) == 0:
            return
    raise SetUpStopped(
        f"{purpose} did not work. The last lines of {LOG.relative_to(ROOT)}:\n\n{_end_of_log()}\n\n"
        f"The command was: {shlex.join(command)}\n"
        "Nothing was lost; when the cause is mended, the same command goes on from here."
    )


def answer_of(command: Sequence[str], extra: Mapping[str, str] | None = None) -> str | None:
    """What a command prints, or None when it cannot be started or fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, env=clean_environment(extra)
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what would make another Python's packages visible."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, **(extra or {})}


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def sandbox_switch() -> dict[str, str]:
    """As root Chromium's sandbox cannot start: the switch is passed to the children, and said."""
    if not is_root():
        return {}
    print("This is root: the browser runs without its sandbox (PILOTFISH_NO_SANDBOX=1).", flush=True)
    return {"PILOTFISH_NO_SANDBOX": "1"}


def _logged(command: Sequence[str], environment: Mapping[str, str]) -> int:
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {shlex.join(command)}\n")
        log.flush()
        try:
            return subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False, cwd=ROOT, env=environment
            ).returncode
        except OSError as error:
            log.write(f"{error}\n")
            return 127


def _end_of_log() -> str:
    lines = LOG.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"  {line}" for line in lines[-SHOWN_LINES:])
