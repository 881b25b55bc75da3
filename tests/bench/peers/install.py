"""Installs the peers once, pinned, and says where they are."""

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.browser.launcher import may_drop_sandbox
from tests.bench.installing import installed_by_npm, installed_by_pip, python_in
from tests.bench.node import node, npm
from tests.bench.peers.agent_browser import native
from tests.bench.peers.peer import Kit
from tests.browser.steps import executable

NPM = ("@playwright/mcp@0.0.83", "chrome-devtools-mcp@1.11.0", "agent-browser@0.41.2", "gpt-tokenizer@4.0.0")
PIP = Path(__file__).with_name("browser_use.txt")
VERSIONS = (
    ("@playwright/mcp", "0.0.83"),
    ("chrome-devtools-mcp", "1.11.0"),
    ("agent-browser", "0.41.2"),
    ("browser-use", "0.13.14"),
    ("gpt-tokenizer (o200k_base)", "4.0.0"),
)
_GIVEN = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DISPLAY")


def kit(cache: Path, scratch: Path) -> Kit:
    """Everything the peers need; `scratch` is theirs and is thrown away. Raises NotInstalled."""
    tools = node_kit(cache, scratch)
    program = native(tools.modules)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    python = python_in(installed_by_pip(cache, "browser-use", PIP.read_text(encoding="utf-8").split()))
    return replace(tools, python=python)


def node_kit(cache: Path, scratch: Path) -> Kit:
    """What the peers from npm need. Raises NotInstalled."""
    return Kit(
        node=Path(node(cache)),
        modules=installed_by_npm(cache, "peers", NPM, npm(cache)) / "node_modules",
        python=Path(),
        browser=executable(),
        without_sandbox=may_drop_sandbox(os.environ),
        scratch=scratch,
        env=_env(scratch),
    )


def _env(scratch: Path) -> Mapping[str, str]:
    """A home of their own, so that no settings and no keys of the person reach a peer."""
    home = scratch / "home"
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in _GIVEN if name in os.environ}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA"), str(home))
    return {**kept, **homes, "DO_NOT_TRACK": "1", "CI": "1"}
