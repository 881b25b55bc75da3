import os
import subprocess
import sys
from pathlib import Path

from app.settings.paths import find_paths


def test_one_variable_moves_everything_into_one_folder(tmp_path: Path) -> None:
    paths = find_paths({"PILOTFISH_HOME": str(tmp_path / "home")})
    places = (paths.settings_file, paths.record_file, paths.profile_dir, paths.downloads_dir, paths.logs_dir)
    assert {place.parent for place in places} == {tmp_path / "home"}
    assert len(set(places)) == len(places)
    assert not paths.data_dir.exists()


def test_a_relative_home_does_not_move_with_the_working_folder() -> None:
    paths = find_paths({"PILOTFISH_HOME": "here"})
    assert paths.data_dir == Path.cwd() / "here"


def test_without_it_the_folders_are_those_of_the_system() -> None:
    paths = find_paths({"PILOTFISH_HOME": "  "})
    for place in (paths.settings_file, paths.record_file, paths.profile_dir, paths.logs_dir):
        assert "pilotfish" in place.as_posix().lower()
        assert place.is_absolute()
    assert paths.record_file.parent == paths.data_dir
    assert paths.downloads_dir.name == "Pilotfish"
    assert "pilotfish" not in paths.downloads_dir.parent.name.lower()


def test_the_home_of_the_user_is_respected(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PILOTFISH_HOME"}
    environment |= {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    script = "from app.settings.paths import find_paths; print(find_paths().record_file)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert Path(done.stdout.strip()).is_relative_to(tmp_path) or sys.platform == "win32"
