"""Whose key it is, told by how it begins."""

from dataclasses import dataclass

from app.domain.providers import TITLES


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """A provider as the settings name it and as people do."""

    name: str
    title: str


_PREFIXES = (
    ("sk-ant-", KeyOwner("anthropic", TITLES["anthropic"])),
    ("sk-or-", KeyOwner("openrouter", TITLES["openrouter"])),
    ("sk-", KeyOwner("openai", TITLES["openai"])),
)


def provider_of(key: str) -> KeyOwner | None:
    """The longest prefix wins; None when no provider is known by it."""
    cleaned = key.strip()
    if len(cleaned) < 12 or any(letter.isspace() for letter in cleaned):
        return None
    return next((owner for prefix, owner in _PREFIXES if cleaned.startswith(prefix)), None)
