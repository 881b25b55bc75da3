"""The providers of models that the settings can name, and what people call them."""

from collections.abc import Mapping
from typing import Literal, get_args

ProviderKind = Literal["openai", "openrouter", "anthropic", "local", "scripted"]

KINDS: tuple[str, ...] = get_args(ProviderKind)
TITLES: Mapping[str, str] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "openrouter": "OpenRouter",
    "local": "Your own server",
    "scripted": "The scripted demo",
}
