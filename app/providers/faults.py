"""Says in plain words what went wrong with a model call: foreign errors in, ProviderError out."""

import socket
import ssl
from collections.abc import Iterator

import httpx2

from app.domain.errors import ProviderError
from app.providers.endpoint import Endpoint
from app.providers.refusals import by_error_object, by_status, fault


def provider_error(exc: BaseException, endpoint: Endpoint, model: str) -> ProviderError:
    """What a foreign error of a model call means."""
    status = getattr(exc, "status_code", None)
    body = getattr(exc, "body", None)
    if isinstance(status, int) and status >= 300:
        return by_status(status, body, endpoint, model)
    if body:
        return by_error_object(body, endpoint, model)
    return _by_cause(list(_causes(exc)), endpoint)


def web_page(endpoint: Endpoint) -> ProviderError:
    """A page for people came where a model's answer should be."""
    return fault(
        f"{endpoint.host} sent a web page instead of an answer",
        "broken_answer",
        "Check the base address in the settings, and whether this network wants a sign-in first.",
        retriable=True,
    )


def silence(endpoint: Endpoint, seconds: float) -> ProviderError:
    """Nothing came for too long."""
    return fault(
        f"{endpoint.title} sent nothing for {seconds:.3g} seconds",
        "timeout",
        "Try again; if it stays silent, choose another model.",
        retriable=True,
    )


def impossible_key() -> ProviderError:
    """The key could not even be sent."""
    return fault("The key holds characters that no key has", "auth", "Paste the key again in the settings.")


def broke_off(exc: BaseException) -> bool:
    """The connection ended in the middle of an answer, without a word from the server."""
    breaks = (httpx2.ReadError, httpx2.RemoteProtocolError, httpx2.CloseError, ConnectionError)
    return any(isinstance(cause, breaks) for cause in _causes(exc))


def _by_cause(causes: list[BaseException], endpoint: Endpoint) -> ProviderError:
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return _no_safe_connection(endpoint)
        if isinstance(cause, socket.gaierror):
            return _no_such_host(endpoint)
    for cause in causes:
        if (error := _by_transport(cause, endpoint)) is not None:
            return error
    return _by_name({kind.__name__ for kind in type(causes[0]).__mro__}, endpoint)


def _by_name(names: set[str], endpoint: Endpoint) -> ProviderError:
    """An SDK's own error with nothing behind it; by name, so that no SDK must be loaded to tell them apart."""
    if "APITimeoutError" in names:
        return _too_long_silent(endpoint)
    if "APIConnectionError" in names:
        return _broken_off(endpoint)
    if names & {"CredentialsError", "SubjectTokenProviderError"}:
        return fault(f"{endpoint.title} needs a key", "auth", "Paste a key in the settings.")
    return _unreadable(endpoint)


def _by_transport(cause: BaseException, endpoint: Endpoint) -> ProviderError | None:
    if isinstance(cause, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return fault(
            f"“{endpoint.base_url}” is not an address", "unreachable", "Correct the base address in the settings."
        )
    if isinstance(cause, httpx2.DecodingError):
        return _unreadable(endpoint)
    if isinstance(cause, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return fault(f"{endpoint.host} does not answer", "timeout", _look_at_the_network(endpoint), retriable=True)
    if isinstance(cause, httpx2.TimeoutException | TimeoutError):
        return _too_long_silent(endpoint)
    if isinstance(cause, httpx2.ProxyError):
        return fault(
            f"The proxy of this computer does not let {endpoint.host} through",
            "unreachable",
            "Check the proxy in the system's network settings.",
            retriable=True,
        )
    if isinstance(cause, httpx2.LocalProtocolError | UnicodeEncodeError):
        return impossible_key()
    if isinstance(cause, httpx2.ConnectError | ConnectionRefusedError):
        return _no_connection(endpoint)
    if isinstance(cause, httpx2.TransportError | OSError):
        return _broken_off(endpoint)
    return None


def _unreadable(endpoint: Endpoint) -> ProviderError:
    return fault(
        f"The answer of {endpoint.title} could not be read",
        "broken_answer",
        "Try again; if it stays, choose another model.",
        retriable=True,
    )


def _too_long_silent(endpoint: Endpoint) -> ProviderError:
    return fault(
        f"{endpoint.title} was silent for too long",
        "timeout",
        "Try again; if it stays silent, choose another model.",
        retriable=True,
    )


def _broken_off(endpoint: Endpoint) -> ProviderError:
    return fault(
        f"The connection to {endpoint.title} broke off", "unreachable", "Try again in a moment.", retriable=True
    )


def _no_connection(endpoint: Endpoint) -> ProviderError:
    what = (
        f"No model is running at {endpoint.host}" if endpoint.is_loopback else f"{endpoint.host} refuses the connection"
    )
    return fault(what, "unreachable", _look_at_the_network(endpoint), retriable=True)


def _no_such_host(endpoint: Endpoint) -> ProviderError:
    return fault(
        f"The address {endpoint.host} could not be found",
        "unreachable",
        "Check the internet connection, and the base address in the settings.",
        retriable=True,
    )


def _no_safe_connection(endpoint: Endpoint) -> ProviderError:
    return fault(
        f"A safe connection to {endpoint.host} could not be made",
        "unreachable",
        "Check the base address, the clock of this computer, and whether this network wants a sign-in first.",
    )


def _look_at_the_network(endpoint: Endpoint) -> str:
    if endpoint.is_loopback:
        return "Start the program that serves it, or choose another model in the settings."
    return "Check the internet connection, and the base address in the settings."


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
