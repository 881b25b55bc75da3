"""The import rules hold, and each of them can be broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

LINTER = Path(sys.executable).with_name("lint-imports")

# Contract -> a module that does not exist, and what it would have to import to break the contract.
VIOLATIONS = {
    "The arrows of the architecture": ("app/context/unwanted.py", "import app.agent.ports"),
    "Adapters know the ports, never the runtime": ("app/store/unwanted.py", "import app.runtime.engine"),
    "Of the agent, adapters know only its ports": ("app/browser/unwanted.py", "import app.agent.loop"),
    "Only the bridge of the window talks to the runtime": ("app/ui/unwanted.py", "import app.runtime.engine"),
    "The core knows no toolkit, driver, SDK or database": ("app/agent/unwanted.py", "import platformdirs"),
    "The command line and the server for other programs never load the window": (
        "app/cli/unwanted.py",
        "import app.ui.bridge",
    ),
    "Qt only in the window": ("app/settings/unwanted.py", "import PySide6.QtCore"),
    "The driver only in the browser": ("app/ui/unwanted_too.py", "import playwright.async_api"),
    "The reader of PDFs only in the browser": ("app/ui/unwanted_reader.py", "import pypdf"),
    "The model SDKs only in the providers": ("app/cli/unwanted_too.py", "import openai"),
    "The database only in the store": ("app/settings/unwanted_too.py", "import sqlite3"),
    "Key store and folders only in the settings": ("app/store/unwanted_too.py", "import keyring"),
    "The SDK of the server for other programs only there": ("app/providers/unwanted.py", "import mcp"),
}


def verdicts(folder: Path) -> str:
    command = [str(LINTER), "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=50, check=False)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def verdicts_on_violations(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("violations")
    shutil.copytree(ROOT / "app", folder / "app", ignore=shutil.ignore_patterns("__pycache__"))
    for module, statement in VIOLATIONS.values():
        (folder / module).write_text(f"{statement}\n")
    return verdicts(folder)


def test_every_import_follows_the_arrows() -> None:
    output = verdicts(ROOT)
    assert " kept, 0 broken" in output, output


@pytest.mark.parametrize("contract", VIOLATIONS)
def test_a_violation_breaks_its_contract(verdicts_on_violations: str, contract: str) -> None:
    assert f"{contract} BROKEN" in verdicts_on_violations, verdicts_on_violations


def test_every_contract_is_tried() -> None:
    contracts = [
        line for line in (ROOT / "pyproject.toml").read_text().splitlines() if "importlinter.contracts" in line
    ]
    assert len(contracts) == len(VIOLATIONS)


def test_a_package_outside_of_the_layers_is_reported(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "app" / "stray.py").write_text("")
    output = verdicts(tmp_path)
    assert "stray" in output
    assert "The arrows of the architecture BROKEN" in output


@pytest.mark.parametrize("module", ["app.cli", "app.bootstrap.program", "app.__main__"])
def test_starting_loads_no_toolkit_driver_or_sdk(module: str) -> None:
    heavy = ("PySide6", "shiboken6", "openai", "anthropic", "playwright", "mcp")
    code = f"import sys, {module}; print(sorted(set({heavy!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
