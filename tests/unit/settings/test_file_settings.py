import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.errors import SettingsError
from app.settings.file_settings import FileSettings
from app.settings.options import OPTIONS
from app.settings.paths import Paths, find_paths

ROOT = Path(__file__).parents[3]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return find_paths({"PILOTFISH_HOME": str(tmp_path / "home")})


def opened(paths: Paths, **environment: str) -> FileSettings:
    return FileSettings(paths, environment=environment)


def written(paths: Paths, text: str) -> None:
    paths.settings_file.parent.mkdir(parents=True, exist_ok=True)
    paths.settings_file.write_text(text, encoding="utf-8")


def test_without_a_file_everything_has_its_default_and_nothing_is_made(paths: Paths) -> None:
    settings = opened(paths)
    assert settings.values() == tuple((item.name, item.default) for item in OPTIONS)
    assert settings.notices() == ()
    assert not paths.data_dir.exists()


def test_a_change_is_there_after_a_restart(paths: Paths) -> None:
    settings = opened(paths)
    settings.change((("model", "日本 model"), ("max_steps", "12"), ("theme", "DARK")))
    for now in (settings, opened(paths)):
        assert (now.value("model"), now.value("max_steps"), now.value("theme")) == ("日本 model", "12", "dark")
        assert now.value("effort") == "low"
    assert json.loads(paths.settings_file.read_bytes())["max_steps"] == 12


@pytest.mark.parametrize("bad", [("colour", "red"), ("max_steps", "many")])
def test_a_change_with_one_bad_part_changes_nothing(paths: Paths, bad: tuple[str, str]) -> None:
    settings = opened(paths)
    with pytest.raises(SettingsError):
        settings.change((("model", "m"), bad))
    assert settings.value("model") == ""
    assert not paths.settings_file.exists()


def test_an_unknown_name_cannot_be_read(paths: Paths) -> None:
    with pytest.raises(SettingsError, match="no option"):
        opened(paths).value("colour")


def test_entries_of_a_newer_version_are_kept(paths: Paths) -> None:
    written(paths, '{"future": {"a": [1]}, "model": "m"}')
    settings = opened(paths)
    settings.change((("theme", "light"),))
    kept = json.loads(paths.settings_file.read_bytes())
    assert kept == {"future": {"a": [1]}, "model": "m", "theme": "light"}
    assert settings.notices() == ()


def test_what_another_process_changed_meanwhile_is_kept(paths: Paths) -> None:
    first, second = opened(paths), opened(paths)
    first.change((("model", "m"),))
    second.change((("theme", "dark"),))
    again = opened(paths)
    assert (again.value("model"), again.value("theme")) == ("m", "dark")


@pytest.mark.parametrize("text", ["{", "", "[1]", '"x"', "\0\0\0", '{"model": "m"} tail'])
def test_a_damaged_file_is_kept_aside_and_the_defaults_are_used(paths: Paths, text: str) -> None:
    written(paths, text)
    settings = opened(paths)
    (kept,) = paths.data_dir.glob("settings-damaged-*.json")
    assert kept.read_text(encoding="utf-8") == text
    assert settings.value("model") == ""
    (notice,) = settings.notices()
    assert "damaged; the defaults are used" in notice
    assert str(kept) in notice
    settings.change((("model", "m"),))
    assert opened(paths).value("model") == "m"
    assert opened(paths).notices() == ()


def test_a_file_that_is_no_text_is_damaged_too(paths: Paths) -> None:
    written(paths, "")
    paths.settings_file.write_bytes(b"\xff\xfe{}")
    assert "damaged" in opened(paths).notices()[0]


def test_a_file_that_cannot_be_read_is_reported_and_left_alone(paths: Paths) -> None:
    paths.settings_file.mkdir(parents=True)
    settings = opened(paths)
    assert settings.value("theme") == "system"
    assert "could not be read" in settings.notices()[0]
    with pytest.raises(SettingsError, match="could not be written") as caught:
        settings.change((("theme", "dark"),))
    assert "as they were before" in caught.value.message
    assert settings.value("theme") == "system"
    assert [path.name for path in paths.data_dir.iterdir()] == ["settings.json"]


def test_a_bad_value_in_the_file_gives_way_to_the_default_with_a_notice(paths: Paths) -> None:
    written(paths, '{"max_steps": "many", "theme": "dark"}')
    settings = opened(paths)
    assert (settings.value("max_steps"), settings.value("theme")) == ("40", "dark")
    assert "max_steps" in settings.notices()[0]
    assert "40 is used instead" in settings.notices()[0]


def test_the_environment_wins_and_is_not_written_to_the_file(paths: Paths) -> None:
    settings = opened(paths, PILOTFISH_MODEL="from env", PILOTFISH_MAX_STEPS="5")
    settings.change((("model", "from window"), ("theme", "dark")))
    assert (settings.value("model"), settings.value("max_steps")) == ("from env", "5")
    (notice,) = settings.notices()
    assert "PILOTFISH_MODEL" in notice
    assert opened(paths).value("model") == "from window"
    assert opened(paths).value("max_steps") == "40"


def test_a_bad_value_in_the_environment_is_left_out_with_a_notice(paths: Paths) -> None:
    settings = opened(paths, PILOTFISH_MAX_STEPS="lots")
    assert settings.value("max_steps") == "40"
    assert "PILOTFISH_MAX_STEPS" in settings.notices()[0]
    assert "left out" in settings.notices()[0]


def test_the_file_is_for_its_owner_only_and_nothing_else_is_left_beside_it(paths: Paths) -> None:
    settings = opened(paths)
    for number in range(1, 5):
        settings.change((("max_steps", str(number)),))
    assert [path.name for path in paths.data_dir.iterdir()] == ["settings.json"]
    if os.name != "nt":
        assert paths.settings_file.stat().st_mode & 0o077 == 0
        assert paths.data_dir.stat().st_mode & 0o077 == 0


def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new_one(paths: Paths) -> None:
    opened(paths).change((("model", "old"),))
    script = (
        "import sys; from pathlib import Path; from app.settings.files import write_atomically\n"
        "print('on', flush=True)\n"
        "while True: write_atomically(Path(sys.argv[1]), b'{\"model\": \"' + b'n' * 200000 + b'\"}')"
    )
    for _ in range(3):
        command = [sys.executable, "-c", script, str(paths.settings_file)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            writer.kill()
        settings = opened(paths)
        assert settings.value("model") in ("old", "n" * 200_000)
        assert settings.notices() == ()


def test_downloads_go_where_the_person_says(paths: Paths, tmp_path: Path) -> None:
    settings = opened(paths)
    assert settings.downloads_dir() == paths.data_dir / "downloads"
    settings.change((("downloads_dir", str(tmp_path / "mine")),))
    assert settings.downloads_dir() == tmp_path / "mine"


def test_settings_load_no_key_store_before_a_key_is_asked_for(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from app.settings.file_settings import FileSettings\n"
        "from app.settings.logs import configure_logging\n"
        "from app.settings.paths import find_paths\n"
        "settings = FileSettings(find_paths())\n"
        "settings.change((('model', 'm'),))\n"
        "print('keyring' in sys.modules)\n"
        "print(settings.key('openai'), settings.key_place())\n"
    )
    environment = os.environ | {"PILOTFISH_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=50)
    first, second = done.stdout.splitlines()
    assert first == "False"
    assert "in memory until Pilotfish ends" in second
