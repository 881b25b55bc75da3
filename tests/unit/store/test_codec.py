import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import StoreError
from app.domain.events import HandedBack, RecordedEvent, UserSaid
from app.domain.ids import BlobHash
from app.store.codec import blobs_of, decode, encode, known_kinds
from tests.unit.store import samples, strategies


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(event=strategies.events())
def test_every_event_comes_back_exactly(event: RecordedEvent) -> None:
    body = encode(event)
    assert decode(event.kind, body) == event
    assert type(decode(event.kind, body)) is type(event)
    body.encode()  # SQLite takes only text that is whole


def test_every_kind_of_event_is_known() -> None:
    assert known_kinds() == set(samples.kinds())


def test_half_of_a_broken_emoji_comes_back_as_it_was() -> None:
    event = UserSaid("cut \ud83d here, \0 and “日本”")
    assert decode("user_said", encode(event)) == event


def test_a_kind_from_the_future_says_that_a_newer_version_is_needed() -> None:
    with pytest.raises(StoreError, match="newer version of Pilotfish") as caught:
        decode("teleported", "{}")
    assert caught.value.fault == "newer"


@pytest.mark.parametrize(
    "body",
    ["", "not json", "[]", "{}", '{"kind":"user_said"}', '{"kind":"user_said","text":7}', '{"kind":"paused"}x'],
)
def test_a_body_that_is_not_an_event_is_reported_as_damaged(body: str) -> None:
    with pytest.raises(StoreError) as caught:
        decode("user_said", body)
    assert caught.value.fault == "damaged"


def test_the_text_is_cleaned_wherever_it_stands() -> None:
    event = samples.answered('typed "hunter2"', shown="- textbox: hunter2")
    body = encode(event, lambda text: text.replace("hunter2", "••••••"))
    assert "hunter2" not in body
    assert json.loads(body)["observation"]["shown"] == "- textbox: ••••••"


def test_a_secret_that_json_would_spell_otherwise_is_cleaned_too() -> None:
    secret = 'pa"ss\\wörd'
    body = encode(UserSaid(f"it is {secret}"), lambda text: text.replace(secret, "••••••"))
    assert decode("user_said", body) == UserSaid("it is ••••••")


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(event=strategies.events(blobs=st.just(samples.BLOB)))
def test_the_blobs_of_an_event_are_found_wherever_it_names_them(event: RecordedEvent) -> None:
    assert list(blobs_of(event)) == [samples.BLOB] * encode(event).count(samples.BLOB)


def test_an_event_without_a_tree_names_no_blob() -> None:
    assert list(blobs_of(samples.answered("looked"))) == []
    both = samples.answered("looked", BlobHash("t" * 64), BlobHash("p" * 64))
    assert set(blobs_of(both)) == {"t" * 64, "p" * 64}
    assert list(blobs_of(HandedBack("nothing changed"))) == []
