"""Refreshes `packaging/requirements.lock`: every version and hash, for every system and every Python that fits."""

import os
import sys
from pathlib import Path

from devtools.commands import BUILD, NETWORK_PAUSES_S, ROOT, SetUpStopped, answer_of, carry_out
from devtools.environment import ENVIRONMENT

RESOLVER = "uv==0.13.9"
EVERYTHING = ("pyproject.toml", "--all-extras", "--group", "dev")
EVERYWHERE = ("--universal", "--python-version", "3.11", "--fork-strategy", "fewest")
WITHOUT_PLACES = ("--no-emit-index-url", "--no-emit-find-links")


def refresh(*, upgrade: bool) -> None:
    """Writes the lock anew; versions it already holds stay, unless they no longer fit or an upgrade is asked for."""
    before = ENVIRONMENT.lock.read_bytes() if ENVIRONMENT.lock.exists() else b""
    resolver = _resolver()
    command = [
        *(str(resolver), "pip", "compile", "--quiet", "--generate-hashes"),
        *(*EVERYTHING, *EVERYWHERE, *WITHOUT_PLACES, *(["--upgrade"] if upgrade else [])),
        *("--custom-compile-command", "python3 packaging/dev.py lock"),
        *("--output-file", str(ENVIRONMENT.lock.relative_to(ROOT))),
    ]
    carry_out(command, "Resolving the dependencies", extra=_settings_of_pip(), pauses_s=NETWORK_PAUSES_S)
    if "://" in ENVIRONMENT.lock.read_text(encoding="utf-8"):
        ENVIRONMENT.lock.write_bytes(before)
        raise SetUpStopped(
            "The new lock names an address, which would tie it to one place. The lock was left as it was."
        )
    outcome = "is as before" if ENVIRONMENT.lock.read_bytes() == before else "is new: run the tests, then commit it"
    print(f"{ENVIRONMENT.lock.relative_to(ROOT)} {outcome}.")


def _resolver() -> Path:
    """The resolver lives in an environment of its own: it is needed even when the lock is missing or wrong."""
    folder = BUILD / "lock-tools"
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    if answer_of([str(scripts / "uv"), "--version"]) is None:
        carry_out([sys.executable, "-m", "venv", "--clear", str(folder)], "Making the environment of the resolver")
        carry_out(
            [str(scripts / "python"), "-m", "pip", "install", RESOLVER],
            "Installing the resolver",
            pauses_s=NETWORK_PAUSES_S,
        )
    return scripts / "uv"


def _settings_of_pip() -> dict[str, str]:
    """Where pip was told to find its packages and whom to trust; the resolver does not read pip's files."""
    found = {
        "UV_DEFAULT_INDEX": answer_of([sys.executable, "-m", "pip", "config", "get", "global.index-url"]),
        "SSL_CERT_FILE": answer_of([sys.executable, "-m", "pip", "config", "get", "global.cert"]),
    }
    return {name: value for name, value in found.items() if value and name not in os.environ}
