"""Sends a held request once, through the driver, in place of the browser, which sends again by itself when it fails."""

import base64
from typing import Any

from playwright.async_api import APIRequestContext, APIResponse, Error

from app.domain.submissions import CameBack

_LIMIT_MS = 120_000
_NOT_PASSED_ON = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"})
_NEVER_LEFT = ("ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH")

Event = dict[str, Any]


def can_be_sent_once(event: Event) -> bool:
    """A body that is not all told, such as a file of the disk, can only be sent by the browser itself."""
    request = event["request"]
    entries = request.get("postDataEntries") or []
    is_whole = all("bytes" in entry for entry in entries) and (bool(entries) or not request.get("hasPostData"))
    return is_whole and event.get("resourceType") in ("Document", "XHR", "Fetch")


async def send_once(requests: APIRequestContext, event: Event, hold: int) -> tuple[CameBack, Event]:
    """How it ended, and what the browser is told in place of an answer of its own."""
    request = event["request"]
    body = b"".join(base64.b64decode(entry["bytes"]) for entry in request.get("postDataEntries") or [])
    try:
        answer = await requests.fetch(
            request["url"],
            method=request["method"],
            headers={name: str(value) for name, value in request["headers"].items()},
            data=body or None,
            max_redirects=0,
            timeout=_LIMIT_MS,
        )
        return CameBack(hold, answer.status), await _told(answer)
    except Error as exc:
        never_left = any(word in str(exc) for word in _NEVER_LEFT)
        return CameBack(hold, None, _reason(exc), never_left=never_left), {"errorReason": "ConnectionReset"}


async def _told(answer: APIResponse) -> Event:
    headers = [one for one in answer.headers_array if one["name"].lower() not in _NOT_PASSED_ON]
    return {
        "responseCode": answer.status,
        "responseHeaders": [{"name": one["name"], "value": one["value"]} for one in headers],
        "body": base64.b64encode(await answer.body()).decode(),
    }


def _reason(exc: Error) -> str:
    first = str(exc).splitlines()[0]
    return first.rpartition(": ")[2][:120] or "no answer"
