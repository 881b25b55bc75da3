"""Where everything that Pilotfish keeps is on this computer."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_NAME = "pilotfish"


@dataclass(frozen=True, slots=True)
class Paths:
    """Files and folders; none of them is made by asking for it."""

    data_dir: Path
    settings_file: Path
    record_file: Path
    visits_dir: Path  # a folder for each program that uses the browser beside the window
    profiles_dir: Path  # named ones of such programs
    profile_dir: Path
    downloads_dir: Path
    logs_dir: Path


def find_paths(environment: Mapping[str, str] = os.environ) -> Paths:
    """`PILOTFISH_HOME` moves all of it into one folder; else each stands where the system expects it."""
    if home := environment.get("PILOTFISH_HOME", "").strip():
        folder = Path(home).expanduser().absolute()
        return _below(folder, folder, folder / "downloads", folder / "logs")
    data = platformdirs.user_data_path(_NAME, appauthor=False)
    config = platformdirs.user_config_path(_NAME, appauthor=False)
    logs = platformdirs.user_log_path(_NAME, appauthor=False)
    return _below(data, config, platformdirs.user_downloads_path() / "Pilotfish", logs)


def _below(data: Path, config: Path, downloads: Path, logs: Path) -> Paths:
    return Paths(
        data_dir=data,
        settings_file=config / "settings.json",
        record_file=data / "record.db",
        visits_dir=data / "visits",
        profiles_dir=data / "profiles",
        profile_dir=data / "profile",
        downloads_dir=downloads,
        logs_dir=logs,
    )
