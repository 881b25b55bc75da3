"""Records a walk once against the real application; later runs play the tape."""

import hashlib
import importlib
import tempfile
from pathlib import Path

from app.agent.ladder import IDLE_S
from app.browser.browser import PlaywrightBrowser
from tests.bench.apps.app import App, running
from tests.bench.playing import play
from tests.bench.recorder import Recorder
from tests.bench.tape import Tape
from tests.bench.versions import ROOT
from tests.bench.walks.walk import Walk
from tests.browser.steps import options_for

WHAT_A_TAPE_RESTS_ON = ("app/browser", "app/domain/pages.py", "app/domain/snapshot.py", "resources/scripts")


def app_of(name: str) -> App:
    app: App = importlib.import_module(f"tests.bench.apps.{name}").APP
    return app


async def tape_of(walk: Walk, cache: Path) -> Tape:
    """From the cache, or recorded now. Raises NotInstalled, AppFailed or WalkBroken."""
    file = cache / "tapes" / f"{walk.name}-{_digest(walk)}.json.gz"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        (await recorded(walk, cache)).write(file)
    return Tape.read(file)


async def recorded(walk: Walk, cache: Path) -> Tape:
    """Played once on the running application. Raises NotInstalled, AppFailed or WalkBroken."""
    with running(app_of(walk.app), cache) as root, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        recorder = Recorder(PlaywrightBrowser(options_for(Path(folder))))
        await recorder.start()
        try:
            await play(walk, recorder, root, idle_s=IDLE_S)
        finally:
            await recorder.close()
        return recorder.tape(walk.name, root)


def _digest(walk: Walk) -> str:
    """Another walk, another version of the application, or another browser package asks for a new tape."""
    digest = hashlib.sha256(repr((walk, app_of(walk.app).packages)).encode())
    for place in WHAT_A_TAPE_RESTS_ON:
        path = ROOT / place
        for file in sorted(path.rglob("*.*")) if path.is_dir() else [path]:
            if file.suffix in (".py", ".js"):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
