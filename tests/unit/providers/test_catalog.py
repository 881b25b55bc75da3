import subprocess
import sys

import pytest

from app.domain.errors import SettingsError
from app.providers.catalog import PROVIDERS, create, normal_base_url, provider_of


def test_the_catalogue_loads_no_sdk_and_neither_does_making_a_model() -> None:
    code = (
        "import sys, app.providers.catalog as c; [c.create(p.kind, key='sk-x') for p in c.PROVIDERS];"
        "print(sorted({'openai', 'anthropic'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_reading_the_catalogue_loads_no_network_library() -> None:
    code = "import sys, app.providers.catalog; print('httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.kind)
def test_every_provider_can_be_made_and_says_its_name(provider: object) -> None:
    kind = provider.kind  # type: ignore[attr-defined]
    assert create(kind, key="sk-x").provider == kind


def test_an_unknown_provider_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"no provider called “mystery”.*openai, anthropic"):
        provider_of("mystery")


@pytest.mark.parametrize(
    ("kind", "given", "url"),
    [
        ("openai", "", "https://api.openai.com/v1"),
        ("local", "", "http://127.0.0.1:11434/v1"),
        ("local", "localhost:1234", "http://localhost:1234/v1"),
        ("local", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("local", "http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("local", "http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1"),
        ("local", "models.lan/openai", "https://models.lan/openai"),
        ("openrouter", "", "https://openrouter.ai/api/v1"),
        ("anthropic", "", "https://api.anthropic.com"),
        ("anthropic", "http://127.0.0.1:5000/v1/messages", "http://127.0.0.1:5000"),
        ("anthropic", "http://127.0.0.1:5000/v1", "http://127.0.0.1:5000"),
    ],
)
def test_addresses_are_taken_as_people_paste_them(kind: str, given: str, url: str) -> None:
    assert normal_base_url(provider_of(kind), given) == url


@pytest.mark.parametrize(
    "given", ["ftp://models.lan", "http://", "http://[::1", "http://models.lan:99999", "file:///etc/passwd"]
)
def test_what_is_no_address_is_refused_in_plain_words(given: str) -> None:
    with pytest.raises(SettingsError, match="is not the address of a model"):
        normal_base_url(provider_of("local"), given)
