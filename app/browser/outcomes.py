"""Turns what the driver says about an act into an outcome a person can read."""

import re

from playwright.async_api import Error

from app.domain.pages import ActFault, Outcome

DONE = Outcome("done")
CHANGED = Outcome("failed", "Nothing was sent: it changed just now.", target_lost=True, fault="changed")

_SENT = re.compile(r" action done|dispatching|element is visible, enabled and editable")
_TRY = re.compile(r"performing \w+ action")
_HELD_BACK = re.compile(r"intercepts pointer events|not attached to the DOM|Element is not attached")
_INTERCEPTED = re.compile(r"(<[^>\n]{1,120}>)[^\n]* intercepts pointer events")
_CALL = re.compile(r"^\w+\.\w+: ")
_NETWORK = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_NETWORK_WORDS = {
    "ERR_NAME_NOT_RESOLVED": "there is no such site (its name was not found)",
    "ERR_CONNECTION_REFUSED": "the site refuses connections",
    "ERR_CONNECTION_RESET": "the connection was cut off",
    "ERR_CONNECTION_TIMED_OUT": "the site did not answer",
    "ERR_EMPTY_RESPONSE": "the site closed the connection without an answer",
    "ERR_INTERNET_DISCONNECTED": "there is no network",
    "ERR_TOO_MANY_REDIRECTS": "the site redirects in a circle",
    "ERR_ABORTED": "the page was not loaded: it was stopped, or it is a file to download",
    "ERR_INVALID_AUTH_CREDENTIALS": "the site wants a sign-in by the browser",
    "ERR_FILE_NOT_FOUND": "there is no such file",
    "ERR_UNKNOWN_URL_SCHEME": "the browser does not know this kind of address",
    "ERR_UNSAFE_PORT": "browsers do not open this port",
    "ERR_INVALID_URL": "this is not a whole address",
    "ERR_ADDRESS_UNREACHABLE": "there is no way to the site",
    "ERR_ADDRESS_INVALID": "this is not the address of a site",
    "ERR_NETWORK_CHANGED": "the network changed meanwhile",
    "ERR_SSL_PROTOCOL_ERROR": "the site does not speak https",
    "ERR_CACHE_MISS": "it was the answer to a form, which is not sent again",
    "ERR_BLOCKED_BY_CLIENT": "something in the browser blocks it",
    "ERR_BLOCKED_BY_ADMINISTRATOR": "the browser is set up to block it",
    "ERR_HTTP_RESPONSE_CODE_FAILURE": "the site answered with an error and nothing else",
}
_NEVER_REACHED = frozenset(
    {"ERR_NAME_NOT_RESOLVED", "ERR_CONNECTION_REFUSED", "ERR_ADDRESS_UNREACHABLE", "ERR_NETWORK_CHANGED"}
)
_WAITED_FOR: tuple[tuple[str, str, ActFault], ...] = (
    ("not enabled", "it is disabled", "disabled"),
    ("not editable", "it cannot be edited", "readonly"),
    ("not visible", "it cannot be seen", "invisible"),
    ("not stable", "it keeps moving", "timeout"),
    ("outside of the viewport", "it lies outside of what can be shown", "invisible"),
)


def outcome_of(exc: Error) -> Outcome:
    """Failed when the driver's log shows that nothing was sent yet, else uncertain."""
    text = str(exc)
    if _was_sent(text):
        return Outcome(
            "uncertain", f"It was sent, but the page did not come back: {_reason(text)[0]}.", fault="timeout"
        )
    if "Execution context was destroyed" in text or "has been closed" in text:
        return Outcome("uncertain", "The page went away while this was being done.")
    lost = _HELD_BACK.search(text) is not None
    reason, fault = _reason(text)
    return Outcome("failed", f"Nothing was sent: {reason}.", target_lost=lost, fault=fault)


def _was_sent(log: str) -> bool:
    """The driver checks what lies under the pointer after it says "performing" and before the press goes through."""
    tries = _TRY.split(log)
    return _SENT.search(log) is not None or any(_HELD_BACK.search(one) is None for one in tries[1:])


def never_reached(exc: Error) -> bool:
    """Whether the site cannot have noticed anything of it, so that it may be tried once more."""
    code = _NETWORK.search(str(exc))
    return code is not None and code[1] in _NEVER_REACHED


def navigation_outcome(exc: Error, limit_s: float) -> Outcome:
    """A page that did not load is a failure; one that did not answer in time may still come."""
    text = str(exc)
    if "Download is starting" in text:
        return Outcome("done", "The address is a file; it is being downloaded.")
    code = _NETWORK.search(text)
    if code:
        words = _NETWORK_WORDS.get(code[1], "")
        if not words and "CERT" in code[1]:
            words = "the site's certificate is not valid"
        return Outcome("failed", f"The page did not load: {words or code[1]}.", fault="network")
    if "Timeout" in text:
        return Outcome("uncertain", f"The page did not answer within {limit_s:g} seconds.", fault="timeout")
    if "invalid URL" in text:
        return Outcome("failed", "The page did not load: this is not a whole address.", fault="network")
    if "interrupted by another navigation" in text:
        return Outcome("uncertain", "The page went on to another address while it was loading.")
    return Outcome("failed", f"The page did not load: {_first_line(text)}.", fault="network")


def _reason(text: str) -> tuple[str, ActFault]:
    covered = _INTERCEPTED.search(text)
    if covered:
        return f"{covered[1]} lies over it", "covered"
    if "not attached to the DOM" in text or "Element is not attached" in text:
        return "it is no longer on the page", "stale"
    for words, meaning, fault in _WAITED_FOR:
        if words in text:
            return meaning, fault
    return _first_line(text), "timeout" if "Timeout" in text else "failed"


def _first_line(text: str) -> str:
    first = text.splitlines()[0] if text else "no reason was given"
    return _CALL.sub("", first).rstrip(".")[:200]
