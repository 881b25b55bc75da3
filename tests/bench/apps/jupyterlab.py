"""JupyterLab, over a folder with notebooks, tables and texts."""

import json
import random
from pathlib import Path

from tests.bench.apps.app import App, Place
from tests.bench.installing import installed_by_pip, python_in

PACKAGES = ("jupyterlab==4.6.6",)
CELLS = (
    ("markdown", "# Tides\n\nHow high the water stood."),
    ("code", "levels = [3, 1, 4, 1, 5, 9, 2, 6]"),
    ("code", "sum(levels) / len(levels)"),
    ("code", "for level in sorted(levels):\n    print(level)"),
)


def _install(cache: Path) -> Path:
    return installed_by_pip(cache, "jupyterlab", PACKAGES)


def _command(place: Place) -> list[str]:
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={place.port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--ServerApp.disable_check_xsrf=True",
        f"--ServerApp.root_dir={place.data / 'work'}",
    ]
    return [str(python_in(place.installed)), "-m", "jupyterlab", *options]


def _settings(place: Place) -> dict[str, str]:
    own = place.data / "jupyter"
    return {
        "JUPYTER_CONFIG_DIR": str(own),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "IPYTHONDIR": str(own / "ipython"),
    }


def _fill(place: Place) -> None:
    work = place.data / "work"
    for folder in ("notebooks", "tables", "texts"):
        (work / folder).mkdir(parents=True)
    draw = random.Random(20_261)
    for name in ("tides", "winds", "catches"):
        (work / "notebooks" / f"{name}.ipynb").write_text(_notebook(), encoding="utf-8")
    for name in ("ports", "ships", "calls"):
        rows = [f"{number},{name[:-1]} {number},{draw.randrange(1, 500)}" for number in range(1, 61)]
        (work / "tables" / f"{name}.csv").write_text("\n".join(["id,name,value", *rows]) + "\n", encoding="utf-8")
    for number in range(1, 9):
        (work / "texts" / f"log-{number}.md").write_text(f"# Log {number}\n\nA quiet watch.\n", encoding="utf-8")
    news = place.data / "jupyter" / "settings" / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    asked = {"fetchNews": "false", "checkForUpdates": False}
    (news / "notification.jupyterlab-settings").write_text(json.dumps(asked), encoding="utf-8")


def _notebook() -> str:
    cells = [
        {"cell_type": kind, "id": f"cell{number}", "metadata": {}, "source": source}
        | ({"execution_count": None, "outputs": []} if kind == "code" else {})
        for number, (kind, source) in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


APP = App("jupyterlab", PACKAGES, _install, _command, _fill, _settings, starts_at="/lab")
