import socket
import ssl
from types import ModuleType

import anthropic
import anthropic._exceptions as anthropic_errors
import httpx2
import openai
import openai._exceptions as openai_errors
import pytest

from app.domain.errors import ProviderFault
from app.providers.endpoint import Endpoint
from app.providers.faults import broke_off, provider_error

REMOTE = Endpoint("openai", "OpenAI", "https://api.openai.com/v1")
LOCAL = Endpoint("local", "Your own server", "http://127.0.0.1:11434/v1")
ASKED = httpx2.Request("POST", "https://api.openai.com/v1/chat/completions")

OF_BOTH: dict[str, ProviderFault] = {
    "APIError": "broken_answer",
    "APIResponseValidationError": "broken_answer",
    "APIStatusError": "refused_request",
    "APIConnectionError": "unreachable",
    "APITimeoutError": "timeout",
    "BadRequestError": "refused_request",
    "AuthenticationError": "auth",
    "PermissionDeniedError": "auth",
    "NotFoundError": "unreachable",
    "ConflictError": "overloaded",
    "UnprocessableEntityError": "refused_request",
    "RateLimitError": "rate_limited",
    "InternalServerError": "overloaded",
}
OF_OPENAI: dict[str, ProviderFault] = {
    **OF_BOTH,
    "OpenAIError": "broken_answer",
    "SubjectTokenProviderError": "auth",
    "OAuthError": "auth",
    "LengthFinishReasonError": "broken_answer",
    "ContentFilterFinishReasonError": "broken_answer",
    "WebSocketConnectionClosedError": "broken_answer",
    "WebSocketQueueFullError": "broken_answer",
}
OF_ANTHROPIC: dict[str, ProviderFault] = {
    **OF_BOTH,
    "AnthropicError": "broken_answer",
    "APIWebhookValidationError": "broken_answer",
    "RetryableError": "broken_answer",
    "CredentialsError": "auth",
    "IdentityTokenFileError": "auth",
    "PaymentRequiredError": "refused_request",
    "RequestTimeoutError": "timeout",
    "PreconditionFailedError": "refused_request",
    "ContentTooLargeError": "too_long",
    "RequestHeaderFieldsTooLargeError": "refused_request",
    "ClientClosedRequestError": "refused_request",
    "HTTPNotImplementedError": "overloaded",
    "ServiceUnavailableError": "overloaded",
    "GatewayTimeoutError": "timeout",
    "OverloadedError": "overloaded",
}


def family_of(base: type[Exception]) -> list[type[Exception]]:
    """All errors of an SDK, also those that stand beside single resources."""
    return [base, *(one for kind in base.__subclasses__() for one in family_of(kind))]


def nearest(kind: type[Exception], expected: dict[str, ProviderFault]) -> ProviderFault:
    return next(expected[one.__name__] for one in kind.__mro__ if one.__name__ in expected)


def made(kind: type[Exception], of_status: type[Exception]) -> Exception:
    error = kind.__new__(kind)
    error.args = ("no",)
    if issubclass(kind, of_status) and not hasattr(error, "status_code"):
        error.status_code = 500 if kind.__name__ == "InternalServerError" else 418  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize(
    ("errors", "base", "expected"),
    [
        (openai_errors, openai.OpenAIError, OF_OPENAI),
        (anthropic_errors, anthropic.AnthropicError, OF_ANTHROPIC),
    ],
    ids=["openai", "anthropic"],
)
def test_no_error_of_an_sdk_is_unmapped(
    errors: ModuleType, base: type[Exception], expected: dict[str, ProviderFault]
) -> None:
    declared = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, base)}
    assert declared == set(expected)
    for kind in family_of(base):
        told = provider_error(made(kind, errors.APIStatusError), REMOTE, "gpt-x")
        assert told.fault == nearest(kind, expected), kind
        assert told.what
        assert told.next_step
        assert "Error" not in told.message


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "fault", "retriable", "words"),
    [
        (httpx2.ReadTimeout("", request=ASKED), "timeout", True, "silent for too long"),
        (httpx2.WriteTimeout("", request=ASKED), "timeout", True, "silent for too long"),
        (httpx2.ConnectTimeout("", request=ASKED), "timeout", True, "api.openai.com does not answer"),
        (httpx2.PoolTimeout("", request=ASKED), "timeout", True, "does not answer"),
        (httpx2.ReadError("", request=ASKED), "unreachable", True, "broke off"),
        (httpx2.WriteError("", request=ASKED), "unreachable", True, "broke off"),
        (httpx2.CloseError("", request=ASKED), "unreachable", True, "broke off"),
        (httpx2.RemoteProtocolError("", request=ASKED), "unreachable", True, "broke off"),
        (httpx2.ConnectError("", request=ASKED), "unreachable", True, "refuses the connection"),
        (httpx2.ProxyError("", request=ASKED), "unreachable", True, "proxy"),
        (httpx2.UnsupportedProtocol("", request=ASKED), "unreachable", False, "is not an address"),
        (httpx2.InvalidURL("no"), "unreachable", False, "is not an address"),
        (httpx2.LocalProtocolError("", request=ASKED), "auth", False, "The key holds"),
        (httpx2.DecodingError("", request=ASKED), "broken_answer", True, "could not be read"),
        (httpx2.TooManyRedirects("", request=ASKED), "broken_answer", True, "could not be read"),
        (httpx2.StreamClosed(), "broken_answer", True, "could not be read"),
        (caused(httpx2.ConnectError(""), socket.gaierror(-2, "")), "unreachable", True, "could not be found"),
        (caused(httpx2.ConnectError(""), ssl.SSLCertVerificationError("")), "unreachable", False, "safe connection"),
        (ConnectionResetError(), "unreachable", True, "broke off"),
        (BrokenPipeError(), "unreachable", True, "broke off"),
        (TimeoutError(), "timeout", True, "silent"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, ""), "broken_answer", True, "could not be read"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_errors_from_under_the_sdk_are_told_in_plain_words(
    error: Exception, fault: ProviderFault, retriable: bool, words: str
) -> None:
    told = provider_error(error, REMOTE, "gpt-x")
    assert (told.fault, told.retriable) == (fault, retriable)
    assert words in told.message


def test_what_lies_behind_an_error_of_the_sdk_decides() -> None:
    behind = caused(httpx2.ConnectError(""), ConnectionRefusedError(111, "refused"))
    told = provider_error(caused(openai.APIConnectionError(request=ASKED), behind), LOCAL, "llama")
    assert told.message == (
        "No model is running at 127.0.0.1:11434. Nothing was lost. "
        "Start the program that serves it, or choose another model in the settings."
    )


def test_an_overload_inside_a_good_answer_is_known_by_its_body() -> None:
    response = httpx2.Response(200, request=ASKED)
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    told = provider_error(anthropic.APIStatusError("no", response=response, body=body), REMOTE, "claude")
    assert (told.fault, told.retriable, told.status) == ("overloaded", True, 529)


def test_a_broken_connection_is_told_from_silence() -> None:
    assert broke_off(caused(openai.APIConnectionError(request=ASKED), httpx2.RemoteProtocolError("")))
    assert not broke_off(caused(openai.APITimeoutError(request=ASKED), httpx2.ReadTimeout("")))
