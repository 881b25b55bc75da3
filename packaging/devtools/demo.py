"""Plays the demo errand: in the window, or offscreen with a picture where there is no screen."""

import os
import subprocess
import sys

from devtools.commands import BUILD, ROOT, environment, sandbox_switch
from devtools.environment import ENVIRONMENT

PICTURE = BUILD / "demo.png"


def play() -> int:
    program = str(ENVIRONMENT.program("pilotfish"))
    settings = sandbox_switch()
    if has_screen():
        return subprocess.run([program, "demo"], check=False, cwd=ROOT, env=environment(settings)).returncode
    print(
        "There is no screen: the demo errand plays offscreen, up to the point where the person is asked.\n", flush=True
    )
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.unlink(missing_ok=True)
    command = [program, "demo", "--picture", str(PICTURE), "--transcript"]
    offscreen = environment({**settings, "QT_QPA_PLATFORM": "offscreen"})
    code = subprocess.run(command, check=False, cwd=ROOT, env=offscreen).returncode
    if code == 0 and not PICTURE.exists():
        print("\nThe demo ended, but it saved no picture of the window.", file=sys.stderr)
        return 1
    if code == 0:
        print(f"\nA picture of the window: {PICTURE.relative_to(ROOT)}")
    return code


def has_screen() -> bool:
    if os.environ.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal")):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
