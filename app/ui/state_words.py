"""The words for what goes on and for who drives; the same wherever they stand."""

from app.domain.passing import Driver, RunState

STATES: dict[RunState, str] = {
    "idle": "Ready",
    "working": "Working",
    "paused": "Paused",
    "waiting": "Waiting for you",
    "stopping": "Stopping",
}
DRIVERS: dict[Driver, str] = {
    "agent": "Agent is driving",
    "person": "You are driving",
    "nobody": "Nobody is driving",
}
_CALLS = {
    "ask user": "asking you",
    "click": "clicking",
    "close": "closing the tab",
    "console messages": "reading the console",
    "drag": "dragging",
    "file upload": "giving a file to the page",
    "fill form": "filling in the form",
    "find": "searching the page",
    "handle dialog": "answering the dialog",
    "hover": "pointing",
    "keep quote": "keeping a quote",
    "look": "having the picture looked at",
    "mouse click xy": "clicking",
    "mouse drag xy": "dragging",
    "mouse wheel": "scrolling",
    "navigate": "opening a page",
    "navigate back": "going back",
    "navigate forward": "going forward",
    "network requests": "reading the list of requests",
    "press key": "pressing a key",
    "recall": "reading an older page",
    "reload": "loading the page again",
    "resize": "changing the size of the page",
    "scroll": "scrolling",
    "select option": "choosing from a list",
    "snapshot": "reading the page",
    "tabs": "looking after the tabs",
    "take screenshot": "taking a picture",
    "type": "typing",
    "wait for": "waiting for the page",
}

_UNDER_WAY = {
    "accepted": "accepting",
    "chose": "choosing",
    "clicked": "clicking",
    "closed": "closing",
    "dismissed": "dismissing",
    "double-clicked": "double-clicking",
    "dragged": "dragging",
    "filled": "filling",
    "opened": "opening",
    "pointed": "pointing",
    "pressed": "pressing",
    "reloaded": "reloading",
    "resized": "resizing",
    "scrolled": "scrolling",
    "typed": "typing",
    "went": "going",
}


def under_way(act: str) -> str:
    """What a receipt will say was done, while it is being done."""
    verb, gap, rest = act.partition(" ")
    return f"{_UNDER_WAY.get(verb, verb)}{gap}{rest}"


def doing(state: RunState, detail: str) -> str:
    """One short sentence on what goes on, without a full stop; empty while nothing does."""
    if state == "idle":
        return ""
    words = _CALLS.get(detail, detail) if state == "working" else ""
    return capitalized(words) if words else STATES[state]


def capitalized(text: str) -> str:
    """The first letter large, the rest as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(text: str) -> str:
    """Words of others as a sentence of ours."""
    return f"{capitalized(text)}{'' if text.endswith(('.', '!', '?')) or not text else '.'}"
