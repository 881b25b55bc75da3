"""Says in plain words what a server means that refuses a call, by its status and its own words."""

import re

from app.domain.errors import ProviderError, ProviderFault
from app.guard.redact import redact
from app.providers.endpoint import Endpoint
from app.providers.wire_json import JsonObject, as_object, as_text

_NO_SUCH_MODEL = re.compile(
    r"model.{0,120}(?:not (?:be )?found|not exist|not a valid|unknown|no such|not available)"
    r"|(?:unknown|invalid|no such) model|model_not_found|(?:^|\s)model: ",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient credits?|credit balance|billing|exceeded your current quota", re.IGNORECASE
)
_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window|size)|maximum context|prompt is too long|too many tokens|input is too long",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(r"(?:incorrect|invalid|missing|malformed|no) (?:api )?key", re.IGNORECASE)
_KINDS = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 402,
    "billing_error": 402,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "invalid_api_key": 401,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "request_too_large": 413,
    "timeout_error": 504,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
}
_QUOTED_CHARACTERS = 240


def by_error_object(body: object, endpoint: Endpoint, model: str) -> ProviderError:
    """An error that came inside an answer which had begun as a good one."""
    error = _error_in(body)
    code, kind = error.get("code"), as_text(error.get("type"))
    status = code if isinstance(code, int) and code >= 400 else _KINDS.get(str(code), _KINDS.get(kind))
    if status is not None:
        return by_status(status, body, endpoint, model)
    return ProviderError(
        f"{endpoint.title} broke off its answer with an error{_quoted(body)}.",
        fault="broken_answer",
        retriable=True,
        next_step="Try again; if it stays, choose another model.",
    )


def by_status(status: int, body: object, endpoint: Endpoint, model: str) -> ProviderError:
    """What a status other than success means, with what the server said beside it."""
    said = _said(body)
    if status == 402 or (status in (400, 403, 429) and _NO_CREDIT.search(said)):
        return fault(
            f"The account at {endpoint.title} has no credit left",
            "refused_request",
            "Add credit there, or choose another provider in the settings.",
            status,
        )
    if status in (400, 404, 422) and _NO_SUCH_MODEL.search(said):
        return _no_such_model(endpoint, model, status)
    if status in (400, 413, 422) and (status == 413 or _TOO_LONG.search(said)):
        return fault(
            f"The conversation has grown longer than {model} can read",
            "too_long",
            "Start a new conversation, or choose a model with a larger window.",
            status,
        )
    if status == 401 or (status == 400 and _BAD_KEY.search(said)):
        return fault(
            f"{endpoint.title} did not accept the key",
            "auth",
            "Check the key in the settings, or paste a new one.",
            status,
        )
    return _by_plain_status(status, body, endpoint, model)


def fault(
    what: str, kind: ProviderFault, next_step: str, status: int | None = None, *, retriable: bool = False
) -> ProviderError:
    return ProviderError(f"{what}.", fault=kind, retriable=retriable, next_step=next_step, status=status)


def _by_plain_status(status: int, body: object, endpoint: Endpoint, model: str) -> ProviderError:
    if status == 403:
        return fault(
            f"{endpoint.title} does not let this key use {model}{_quoted(body)}",
            "auth",
            "Choose another model, or a key that may use this one.",
            status,
        )
    if status in (404, 405):
        return fault(
            f"There is no model service at {endpoint.base_url}",
            "unreachable",
            "Check the base address in the settings; most end with /v1.",
            status,
        )
    if 300 <= status < 400:
        return fault(
            f"{endpoint.host} sends on to another address; the key was not sent there",
            "refused_request",
            "Check the base address in the settings.",
            status,
        )
    if status == 429:
        return fault(
            f"{endpoint.title} asks for a pause: too many requests",
            "rate_limited",
            "Wait a little, then try again.",
            status,
            retriable=True,
        )
    if status in (408, 504):
        return fault(f"{endpoint.title} took too long", "timeout", "Try again in a moment.", status, retriable=True)
    if status >= 500 or status in (409, 425):
        what = "is overloaded" if status in (503, 529) else f"has a fault of its own ({status})"
        return fault(
            f"{endpoint.title} {what}", "overloaded", "Try again in a moment.", status, retriable=status != 501
        )
    return fault(
        f"{endpoint.title} refused the request{_quoted(body)}",
        "refused_request",
        "Choose another model in the settings.",
        status,
    )


def _no_such_model(endpoint: Endpoint, model: str, status: int) -> ProviderError:
    return fault(
        f"{endpoint.title} does not know the model {model}",
        "unknown_model",
        "Choose another model in the settings.",
        status,
    )


def _error_in(body: object) -> JsonObject:
    return as_object(as_object(body).get("error")) or as_object(body)


def _said(body: object) -> str:
    error = _error_in(body)
    words = (as_text(error.get("type")), str(error.get("code") or ""), as_text(error.get("message")))
    return " ".join(filter(None, words)) or as_text(as_object(body).get("error")) or as_text(body)


def _quoted(body: object) -> str:
    """The server's own message in short; a page of markup says nothing to a person."""
    error = _error_in(body)
    said = as_text(error.get("message")) or as_text(as_object(body).get("error"))
    said = " ".join(redact(said).split())[:_QUOTED_CHARACTERS].rstrip(".")
    return f" and says: “{said}”" if said else ""
