import socket
import time

import pytest

from app.domain.errors import ProviderError, ProviderFault
from app.providers.catalog import create
from tests.fakes.wire_models import WIRES, model_at, request, unheard
from tests.fakes.wire_replies import Answer, BrokenInside, Cut, Garbage, Refusal, Reply, Silence
from tests.fakes.wire_server import Wire, WireServer

pytestmark = pytest.mark.parametrize("wire", WIRES)

HTML = b"<!doctype html><title>Sign in</title><h1>Sign in to the hotel network</h1>"
JARGON = ("Error(", "Exception", "Traceback", "httpx", "openai.", "anthropic.", "<html", "<!doctype", "{'", '{"')


async def fault_of(reply: Reply, wire: Wire, **of_server: object) -> ProviderError:
    with WireServer([reply], **of_server) as server:  # type: ignore[arg-type]
        async with model_at(server, wire, key="sk-test", time_scale=0.01) as model:
            with pytest.raises(ProviderError) as caught:
                await model.answer(request(), unheard)
    assert not any(word in caught.value.message for word in JARGON), caught.value.message
    assert caught.value.next_step
    return caught.value


@pytest.mark.parametrize(
    ("refusal", "fault", "retriable", "words"),
    [
        (
            Refusal(401, "Incorrect API key provided: sk-test", "authentication_error"),
            "auth",
            False,
            "did not accept the key",
        ),
        (Refusal(403, "Country not supported", "permission_error"), "auth", False, "Country not supported"),
        (
            Refusal(404, "The model `x` does not exist", "not_found_error"),
            "unknown_model",
            False,
            "does not know the model",
        ),
        (Refusal(404, body=b"404 page not found"), "unreachable", False, "no model service"),
        (Refusal(400, "tools[0] is malformed"), "refused_request", False, "tools[0] is malformed"),
        (Refusal(400, "This model's maximum context length is 8192 tokens"), "too_long", False, "longer than"),
        (Refusal(413, "too big", "request_too_large"), "too_long", False, "longer than"),
        (Refusal(402, "Insufficient credits", "billing_error"), "refused_request", False, "no credit"),
        (Refusal(429, "You exceeded your current quota", "insufficient_quota"), "refused_request", False, "no credit"),
        (Refusal(429, "slow down", "rate_limit_error"), "rate_limited", True, "too many requests"),
        (Refusal(500, "oops", "api_error"), "overloaded", True, "500"),
        (Refusal(502, body=HTML, headers={"content-type": "text/html"}), "overloaded", True, "502"),
        (Refusal(503, "busy", "api_error"), "overloaded", True, "is overloaded"),
        (Refusal(504, "late", "timeout_error"), "timeout", True, "too long"),
        (Refusal(529, "Overloaded", "overloaded_error"), "overloaded", True, "is overloaded"),
        (Refusal(408, "late", "timeout_error"), "timeout", True, "too long"),
        (Refusal(422, "no such field"), "refused_request", False, "no such field"),
        (Refusal(307, headers={"location": "http://127.0.0.1:9/v1"}), "refused_request", False, "key was not sent"),
    ],
    ids=lambda value: f"{value.status} {value.kind}" if isinstance(value, Refusal) else None,
)
async def test_a_refusal_is_told_in_plain_words(
    wire: Wire, refusal: Refusal, fault: ProviderFault, retriable: bool, words: str
) -> None:
    error = await fault_of(refusal, wire)
    assert (error.fault, error.retriable) == (fault, retriable)
    assert words in error.message
    assert error.status == refusal.status


async def test_a_refused_call_is_made_once(wire: Wire) -> None:
    with WireServer([Refusal(503, "busy")] * 3) as server:
        async with model_at(server, wire) as model:
            with pytest.raises(ProviderError):
                await model.answer(request(), unheard)
        assert len(server.asked) == 1


async def test_the_key_is_never_repeated_in_an_error(wire: Wire) -> None:
    key = "sk-verysecret0123456789abcdef"
    error = await fault_of(Refusal(400, f"bad header {key}"), wire)
    assert key not in error.message


async def test_a_wrong_key_and_an_unknown_model_are_told_apart(wire: Wire) -> None:
    wrong_key = await fault_of(Answer("never"), wire, key="sk-right")
    unknown = await fault_of(Answer("never"), wire, models=["another"])
    assert (wrong_key.fault, unknown.fault) == ("auth", "unknown_model")
    assert "test-model" in unknown.message


@pytest.mark.parametrize("events", [0, 3])
async def test_overload_inside_a_good_answer_is_overload(wire: Wire, events: int) -> None:
    error = await fault_of(BrokenInside(Answer("Hello there"), events), wire)
    assert (error.fault, error.retriable) == ("overloaded", True)


async def test_an_error_of_unknown_kind_inside_an_answer_is_told_with_its_words(wire: Wire) -> None:
    error = await fault_of(BrokenInside(Answer("Hello there"), 3, kind="odd_error", message="The cat sat on it"), wire)
    assert (error.fault, error.retriable) == ("broken_answer", True)
    assert "The cat sat on it" in error.message


@pytest.mark.parametrize(
    ("garbage", "words"),
    [
        (Garbage(HTML, "text/html; charset=utf-8"), "web page"),
        (Garbage(HTML, "application/json"), "web page"),
        (Garbage(b'{"error": {"message": "no capacity", "code": 503}}', "application/json"), "overloaded"),
        (Garbage(b'{"choi', "application/json"), "could not be read"),
        (Garbage(b"event: message_start\ndata: {{{{\n\n"), "could not be read"),
        (Garbage(b"event: message_start\ndata: \xff\xfe\n\n"), "could not be read"),
        (Garbage(b"not gzip", headers={"content-encoding": "gzip"}), "could not be read"),
    ],
)
async def test_what_is_no_answer_is_never_taken_for_one(wire: Wire, garbage: Garbage, words: str) -> None:
    error = await fault_of(garbage, wire)
    assert words in error.message
    assert error.retriable


@pytest.mark.parametrize("body", [b"", b"\n\n", b": ping\n\n", b"hello, I am no event stream"])
async def test_a_stream_without_an_event_is_cut(wire: Wire, body: bytes) -> None:
    with WireServer([Garbage(body)]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
    assert (turn.stop, turn.text, turn.calls) == ("cut", "", ())


async def test_a_connection_that_breaks_before_any_text_is_a_fault(wire: Wire) -> None:
    error = await fault_of(Cut(Answer("Hello"), events=1), wire)
    assert (error.fault, error.retriable) == ("unreachable", True)
    assert "broke off" in error.message


@pytest.mark.parametrize(("events", "limit_s"), [(None, 1.2), (0, 1.2), (3, 0.24)])
async def test_silence_ends_after_its_limit(wire: Wire, events: int | None, limit_s: float) -> None:
    with WireServer([Silence(events=events)]) as server:
        async with model_at(server, wire, time_scale=0.002) as model:
            await model.models()
            began = time.monotonic()
            with pytest.raises(ProviderError) as caught:
                await model.answer(request(), unheard)
        assert limit_s * 0.9 < time.monotonic() - began < limit_s + 3
    assert (caught.value.fault, caught.value.retriable) == ("timeout", True)


async def test_pings_are_no_progress(wire: Wire) -> None:
    with WireServer([Silence(events=3, pings_s=0.05)]) as server:
        async with model_at(server, wire, time_scale=0.002) as model:
            with pytest.raises(ProviderError) as caught:
                await model.answer(request(), unheard)
    assert caught.value.fault == "timeout"


async def test_a_refused_connection_on_this_machine_says_that_nothing_runs_there(wire: Wire) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    error = await error_at(wire, f"http://{address}")
    assert (error.fault, error.retriable) == ("unreachable", True)
    assert f"No model is running at {address}." in error.message


async def test_an_unknown_host_is_told_as_such(wire: Wire) -> None:
    error = await error_at(wire, "https://models.invalid/v1")
    assert (error.fault, error.retriable) == ("unreachable", True)
    assert "models.invalid could not be found" in error.message


async def test_a_server_without_encryption_behind_https_is_no_safe_connection(wire: Wire) -> None:
    with WireServer([Answer("never")]) as server:
        error = await error_at(wire, f"https://127.0.0.1:{server.port}")
    assert (error.fault, error.retriable) == ("unreachable", False)
    assert "safe connection" in error.message


async def test_a_key_with_impossible_characters_is_told_as_such(wire: Wire) -> None:
    with WireServer([Answer("never")]) as server:
        error = await error_at(wire, server.anthropic_url, key="sk-“quoted”")
    assert error.fault == "auth"
    assert "key" in error.message


async def error_at(wire: Wire, base_url: str, key: str = "") -> ProviderError:
    model = create("local" if wire == "openai-chat" else "anthropic", base_url, key)
    with pytest.raises(ProviderError) as caught:
        await model.answer(request(), unheard)
    with pytest.raises(ProviderError) as listing:
        await model.models()
    await model.close()
    assert listing.value.fault == caught.value.fault
    return caught.value
