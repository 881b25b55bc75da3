"""A model that cannot see works on a drawn page through a second model, from the command line to the record."""

import json
from pathlib import Path

from app.domain.events import ToolAnswered
from tests.e2e import stored
from tests.e2e.command import Caller
from tests.fakes.wire_replies import Answer, Asked, Call, Reply
from tests.fakes.wire_server import WireServer
from tests.pages.site import serve

PAGE = """<title>Game</title><body style="margin:0"><canvas id=sheet width=1280 height=600></canvas><p id=said>none</p>
<script>const pen = sheet.getContext('2d'); pen.fillStyle = '#c00'; pen.fillRect(560, 260, 160, 80);
sheet.onclick = event => { said.textContent = `hit at ${event.offsetX}, ${event.offsetY}` }</script>"""
FORM = {
    "blockers": [],
    "context": "A drawn game with one red button",
    "primary": {"what": "the red button", "box": [437, 325, 563, 425]},
    "panels": [],
    "fields": [],
    "actions": [],
    "notes": ["The button is in the middle."],
}


def play(asked: Asked) -> Reply:
    """The second model answers whoever sends a picture; the first looks, and clicks where it was told."""
    if asked.body["model"] == "eyes":
        return Answer(json.dumps(FORM))
    assert "image_url" not in json.dumps(asked.body)
    said = json.dumps(asked.body["messages"])
    if "reports of a new picture" not in said:
        return Answer(calls=(Call("look", {"question": "Where is the button?"}),))
    if "Clicked the point" not in said:
        return Answer(calls=(Call("browser_mouse_click_xy", {"x": 640, "y": 300}),))
    return Answer("The button was pressed.")


def test_a_model_without_eyes_plays_a_drawn_page_through_a_second_model(call: Caller, home: Path) -> None:
    site, running = serve()
    with WireServer(play, models=("words", "eyes")) as server:
        model = ("--provider", "local", "--model", "words", "--base-url", server.base_url)
        done = call("run", "press the button", "--url", site.put("/game", PAGE), *model, "--vision-model", "eyes")
    running.shutdown()
    running.server_close()
    assert done.code == 0, done.said
    answers = [one.event for one in stored.events(home) if isinstance(one.event, ToolAnswered)]
    looked, clicked = answers
    assert looked.asked_model == "eyes"
    assert looked.asked_usage is not None
    assert looked.picture is not None
    assert looked.observation is not None
    assert (
        "primary control: the red button · generic" in looked.observation.shown
        or "at 640, 300" in looked.observation.shown
    )
    assert clicked.observation is not None
    assert "hit at 640, 300" in clicked.observation.shown
