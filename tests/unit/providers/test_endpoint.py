import pytest

from app.providers.endpoint import Endpoint, Limits, limits_of


@pytest.mark.parametrize(
    ("url", "is_loopback"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://127.8.0.1/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://models.localhost/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.1.20:11434/v1", False),
        ("https://localhost.example.com/v1", False),
    ],
)
def test_a_model_on_this_machine_is_known_by_its_address(url: str, is_loopback: bool) -> None:
    assert Endpoint("local", "It", url).is_loopback is is_loopback


def test_the_host_is_shown_with_its_port_and_without_a_password() -> None:
    assert Endpoint("local", "It", "http://me:secret@models.lan:8000/v1").host == "models.lan:8000"


def test_a_distant_model_must_begin_soon_and_one_on_this_machine_may_take_ten_minutes() -> None:
    distant = limits_of(Endpoint("openai", "OpenAI", "https://api.openai.com/v1"))
    near = limits_of(Endpoint("local", "It", "http://127.0.0.1:11434/v1"))
    assert (distant.connect_s, distant.first_byte_s, distant.silence_s) == (10, 40, 120)
    assert (near.first_byte_s, near.first_event_s, near.event_s) == (600, 600, 120)


def test_all_limits_scale_but_connecting_keeps_a_second() -> None:
    assert Limits(4, 2, 3, 4, 5, 6).scaled(0.5) == Limits(2, 1, 1.5, 2, 2.5, 3)
    assert Limits().scaled(0.001).connect_s == 1
