"""Starts one of the applications and keeps it until Enter is pressed: `python -m tests.bench.apps NAME`."""

import importlib
import sys

import platformdirs

from tests.bench.apps.app import running


def main(name: str) -> int:
    app = importlib.import_module(f"tests.bench.apps.{name}").APP
    with running(app, platformdirs.user_cache_path("pilotfish-bench", appauthor=False)) as root:
        sys.stdout.write(f"{root}{app.starts_at}\n")
        sys.stdout.flush()
        sys.stdin.readline()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
