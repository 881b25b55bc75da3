"""Says in plain words what went wrong with a model call: foreign errors in, ProviderError out."""

import re
import socket
import ssl
from collections.abc import Iterator

import httpx2

from app.domain.errors import ProviderError, ProviderFault
from app.guard.redact import redact
from app.providers.endpoint import Endpoint
from app.providers.wire_json import JsonObject, as_object, as_text

_NO_SUCH_MODEL = re.compile(
    r"model.{0,120}(?:not (?:be )?found|not exist|not a valid|unknown|no such|not available)"
    r"|(?:unknown|invalid|no such) model|model_not_found|^model: ",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient credits?|credit balance|billing|exceeded your current quota", re.IGNORECASE
)
_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window)|maximum context|prompt is too long|too many tokens", re.IGNORECASE
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
    "invalid_request_error": 400,
    "request_too_large": 413,
    "timeout_error": 504,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
}
_QUOTED_CHARACTERS = 240


def provider_error(exc: BaseException, endpoint: Endpoint, model: str) -> ProviderError:
    """What a foreign error of a model call means."""
    status = getattr(exc, "status_code", None)
    body = getattr(exc, "body", None)
    if isinstance(status, int) and status >= 300:
        return by_status(status, body, endpoint, model)
    if body:
        return by_error_object(body, endpoint, model)
    return _by_cause(list(_causes(exc)), endpoint)


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
    if _NO_CREDIT.search(said) or status == 402:
        return _error(
            f"The account at {endpoint.title} has no credit left",
            "refused_request",
            "Add credit there, or choose another provider in the settings.",
            status,
        )
    if status in (400, 404, 422) and _NO_SUCH_MODEL.search(said):
        return _no_such_model(endpoint, model, status)
    if status in (400, 413, 422) and (status == 413 or _TOO_LONG.search(said)):
        return _error(
            f"The conversation has grown longer than {model} can read",
            "refused_request",
            "Start a new conversation, or choose a model with a larger window.",
            status,
        )
    if status == 401 or (status == 400 and _BAD_KEY.search(said)):
        return _error(
            f"{endpoint.title} did not accept the key",
            "auth",
            "Check the key in the settings, or paste a new one.",
            status,
        )
    return _by_plain_status(status, body, endpoint, model)


def web_page(endpoint: Endpoint) -> ProviderError:
    """A page for people came where a model's answer should be."""
    return _error(
        f"{endpoint.host} sent a web page instead of an answer",
        "broken_answer",
        "Check the base address in the settings, and whether this network wants a sign-in first.",
        retriable=True,
    )


def silence(endpoint: Endpoint, seconds: float) -> ProviderError:
    """Nothing came for too long."""
    return _error(
        f"{endpoint.title} sent nothing for {seconds:.3g} seconds",
        "timeout",
        "Try again; if it stays silent, choose another model.",
        retriable=True,
    )


def broke_off(exc: BaseException) -> bool:
    """The connection ended in the middle of an answer, without a word from the server."""
    breaks = (httpx2.ReadError, httpx2.RemoteProtocolError, httpx2.CloseError, ConnectionError)
    return any(isinstance(cause, breaks) for cause in _causes(exc))


def _by_plain_status(status: int, body: object, endpoint: Endpoint, model: str) -> ProviderError:
    if status == 403:
        return _error(
            f"{endpoint.title} does not let this key use {model}{_quoted(body)}",
            "auth",
            "Choose another model, or a key that may use this one.",
            status,
        )
    if status in (404, 405):
        return _error(
            f"There is no model service at {endpoint.base_url}",
            "unreachable",
            "Check the base address in the settings; most end with /v1.",
            status,
        )
    if 300 <= status < 400:
        return _error(
            f"{endpoint.host} sends on to another address; the key was not sent there",
            "refused_request",
            "Check the base address in the settings.",
            status,
        )
    if status == 429:
        return _error(
            f"{endpoint.title} asks for a pause: too many requests",
            "rate_limited",
            "Wait a little, then try again.",
            status,
            retriable=True,
        )
    if status in (408, 504):
        return _error(f"{endpoint.title} took too long", "timeout", "Try again in a moment.", status, retriable=True)
    if status >= 500 or status in (409, 425):
        what = "is overloaded" if status in (503, 529) else f"has a fault of its own ({status})"
        return _error(
            f"{endpoint.title} {what}", "overloaded", "Try again in a moment.", status, retriable=status != 501
        )
    return _error(
        f"{endpoint.title} refused the request{_quoted(body)}",
        "refused_request",
        "Choose another model in the settings.",
        status,
    )


def _no_such_model(endpoint: Endpoint, model: str, status: int) -> ProviderError:
    return _error(
        f"{endpoint.title} does not know the model {model}",
        "unknown_model",
        "Choose another model in the settings.",
        status,
    )


def _by_cause(causes: list[BaseException], endpoint: Endpoint) -> ProviderError:
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return _no_safe_connection(endpoint)
        if isinstance(cause, socket.gaierror):
            return _no_such_host(endpoint)
    for cause in causes:
        if (error := _by_transport(cause, endpoint)) is not None:
            return error
    return _error(
        f"The answer of {endpoint.title} could not be read",
        "broken_answer",
        "Try again; if it stays, choose another model.",
        retriable=True,
    )


def _by_transport(cause: BaseException, endpoint: Endpoint) -> ProviderError | None:
    if isinstance(cause, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return _error(
            f"“{endpoint.base_url}” is not an address", "unreachable", "Correct the base address in the settings."
        )
    if isinstance(cause, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return _error(f"{endpoint.host} does not answer", "timeout", _look_at_the_network(endpoint), retriable=True)
    if isinstance(cause, httpx2.TimeoutException | TimeoutError):
        return _error(
            f"{endpoint.title} was silent for too long",
            "timeout",
            "Try again; if it stays silent, choose another model.",
            retriable=True,
        )
    if isinstance(cause, httpx2.ProxyError):
        return _error(
            f"The proxy of this computer does not let {endpoint.host} through",
            "unreachable",
            "Check the proxy in the system's network settings.",
            retriable=True,
        )
    if isinstance(cause, httpx2.LocalProtocolError | UnicodeEncodeError):
        return _error("The key holds characters that no key has", "auth", "Paste the key again in the settings.")
    if isinstance(cause, httpx2.ConnectError | ConnectionRefusedError):
        return _no_connection(endpoint)
    if isinstance(cause, httpx2.TransportError | OSError):
        return _error(
            f"The connection to {endpoint.title} broke off", "unreachable", "Try again in a moment.", retriable=True
        )
    return None


def _no_connection(endpoint: Endpoint) -> ProviderError:
    what = (
        f"No model is running at {endpoint.host}" if endpoint.is_loopback else f"{endpoint.host} refuses the connection"
    )
    return _error(what, "unreachable", _look_at_the_network(endpoint), retriable=True)


def _no_such_host(endpoint: Endpoint) -> ProviderError:
    return _error(
        f"The address {endpoint.host} could not be found",
        "unreachable",
        "Check the internet connection, and the base address in the settings.",
        retriable=True,
    )


def _no_safe_connection(endpoint: Endpoint) -> ProviderError:
    return _error(
        f"A safe connection to {endpoint.host} could not be made",
        "unreachable",
        "Check the base address, the clock of this computer, and whether this network wants a sign-in first.",
    )


def _look_at_the_network(endpoint: Endpoint) -> str:
    if endpoint.is_loopback:
        return "Start the program that serves it, or choose another model in the settings."
    return "Check the internet connection, and the base address in the settings."


def _error(
    what: str, fault: ProviderFault, next_step: str, status: int | None = None, *, retriable: bool = False
) -> ProviderError:
    return ProviderError(f"{what}.", fault=fault, retriable=retriable, next_step=next_step, status=status)


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The error and what lies behind it, outermost first."""
    seen: set[int] = set()
    todo = [exc]
    while todo:
        cause = todo.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        todo.extend(one for one in (cause.__cause__, cause.__context__) if one is not None)
        todo.extend(cause.exceptions if isinstance(cause, BaseExceptionGroup) else ())


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
