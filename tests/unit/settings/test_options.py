import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import SettingsError
from app.settings.options import OPTIONS, Option, option


@pytest.mark.parametrize("declared", OPTIONS, ids=lambda item: item.name)
def test_every_default_is_a_value_that_its_option_takes(declared: Option) -> None:
    assert declared.read(declared.default) == declared.default
    assert declared.read(declared.stored(declared.default)) == declared.default
    assert declared.help.endswith(".")
    assert "\n" not in declared.help


def test_names_are_given_once() -> None:
    assert len({item.name for item in OPTIONS}) == len(OPTIONS)
    assert len({item.variable for item in OPTIONS} | {"PILOTFISH_HOME", "PILOTFISH_BROWSER"}) == len(OPTIONS) + 2


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("provider", "Anthropic", "anthropic"),
        ("theme", " dark ", "dark"),
        ("model_sees", "No", "no"),
        ("vision_provider", "Anthropic", "anthropic"),
        ("vision_model", "qwen3-vl:30b", "qwen3-vl:30b"),
        ("max_steps", 7, "7"),
        ("max_steps", "0012", "12"),
        ("time_scale", "0.050", "0.05"),
        ("time_scale", 1, "1"),
        ("time_scale", 1.0, "1"),
        ("base_url", " http://127.0.0.1:11434/v1 ", "http://127.0.0.1:11434/v1"),
        ("base_url", "https://[::1]:8080", "https://[::1]:8080"),
        ("base_url", "", ""),
        ("model", "gpt-5 mini:latest", "gpt-5 mini:latest"),
        ("browser_path", "C:\\Program Files\\chrome.exe", "C:\\Program Files\\chrome.exe"),
    ],
)
def test_a_value_is_brought_to_its_one_spelling(name: str, raw: object, value: str) -> None:
    assert option(name).read(raw) == value


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("provider", "skynet", "one of openai, openrouter, anthropic, local, scripted"),
        ("theme", "", "one of system, light, dark"),
        ("vision_provider", "scripted", "one of same, openai, openrouter, anthropic, local"),
        ("vision_base_url", "my server", "a web address"),
        ("max_steps", "many", "a whole number from 1 to 1000"),
        ("max_steps", "0", "a whole number from 1 to 1000"),
        ("max_steps", "1001", "a whole number from 1 to 1000"),
        ("max_steps", "1.5", "a whole number from 1 to 1000"),
        ("max_steps", None, "a whole number from 1 to 1000"),
        ("max_steps", [40], "a whole number from 1 to 1000"),
        ("max_steps", True, "a whole number from 1 to 1000"),
        ("time_scale", "nan", "a number from 0.01 to 10"),
        ("time_scale", "inf", "a number from 0.01 to 10"),
        ("base_url", "localhost:11434", "a web address"),
        ("base_url", "file:///etc/passwd", "a web address"),
        ("base_url", "http://", "a web address"),
        ("base_url", "http://host:99999", "a web address"),
        ("base_url", "http://[::1", "a web address"),
        ("start_page", "javascript:alert(1)", "a web address"),
    ],
)
def test_a_bad_value_is_refused_with_what_is_expected(name: str, raw: object, expected: str) -> None:
    with pytest.raises(SettingsError, match="cannot be used") as caught:
        option(name).read(raw)
    assert expected in caught.value.message
    assert "not changed" in caught.value.message
    assert name in caught.value.message


@given(st.sampled_from(OPTIONS), st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none()))
def test_what_an_option_takes_it_takes_again_from_the_file(declared: Option, raw: object) -> None:
    try:
        value = declared.read(raw)
    except SettingsError:
        return
    assert declared.read(declared.stored(value)) == value
    assert declared.read(value) == value


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(SettingsError, match="no option with the name “colour”") as caught:
        option("colour")
    assert "theme" in caught.value.next_step
