"""Hides what must not be seen: values of secret fields in a tree or a text."""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote, quote_plus

from app.domain.snapshot import SnapshotNode

MASK = "••••••"

_IS_SECRET = re.compile(
    r"\b(?:password\d?|passwd|pwd|psw|passphrase|passcode|passwort|kennwort|mdp|mot de passe|senha|contrase[nñ]a"
    r"|credentials?|pin|otp|totp|cvc2?|cvv2?|csc|secret|api key|apikey|cardnumber|card (?:number|num|no))\b"
    r"|\b(?:one time|verification|security|sms|auth(?:entication)?) ?(?:code|pass\w*|pin)\b|^(?:pass|pw)$"
)
_NAME_PARTS = re.compile(r"[A-Z]?[a-zñ]+|[A-Z]+(?![a-z])|\d+")
_SHORTEST_VALUE_SOUGHT = 4  # shorter values would hide ordinary text
_SHORTEST_VALUE_CODED = 6


def mask_tree(tree: SnapshotNode, secrets: Iterable[str] = ()) -> SnapshotNode:
    """The tree without the values of nodes marked as password and without any of the secrets."""
    known = _worth_seeking(secrets)
    return _mask_node(tree, known)


def mask_text(text: str, secrets: Iterable[str]) -> str:
    """The text without any of the secrets."""
    return _mask(text, _worth_seeking(secrets))


def mask_fields(fields: Iterable[tuple[str, str]], secrets: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Names and values of what leaves; what is named like a secret is one, whether or not its value was seen."""
    known = _worth_seeking(secrets)
    return tuple((name, MASK if value and _is_secret(name) else _mask(value, known)) for name, value in fields)


def _is_secret(name: str) -> bool:
    """By the words of its last part: `user.newPassword`, `card[number]`."""
    parts = [part for part in re.split(r"[.\[\]]+", name) if part and not part.isdigit()]
    words = (" ".join(_NAME_PARTS.findall(part)).lower() for part in (*parts[-1:], " ".join(parts[-2:])))
    return any(_IS_SECRET.search(text) for text in words)


def _mask_node(node: SnapshotNode, secrets: tuple[str, ...]) -> SnapshotNode:
    if "password" in node.marks:
        return replace(node, text=MASK if node.text else "", children=(), name=_mask(node.name, secrets))
    children = tuple(_mask_node(child, secrets) for child in node.children)
    text, name = _mask(node.text, secrets), _mask(node.name, secrets)
    url, placeholder = _mask(node.url, secrets), _mask(node.placeholder, secrets)
    return replace(node, text=text, name=name, url=url, placeholder=placeholder, children=children)


def _mask(text: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, MASK)
    return text


def _worth_seeking(secrets: Iterable[str]) -> tuple[str, ...]:
    known = {secret for secret in secrets if len(secret) >= _SHORTEST_VALUE_SOUGHT}
    return tuple(sorted({form for secret in known for form in _forms_of(secret)}, key=len, reverse=True))


def _forms_of(secret: str) -> Iterator[str]:
    """The secret, and as it stands in addresses, markup and headers; half characters fit into none of these."""
    yield secret
    whole = secret.encode(errors="replace")
    yield json.dumps(secret)[1:-1]
    yield from (quote(whole, safe=""), quote(whole), quote_plus(whole), html.escape(secret))
    if len(whole) >= _SHORTEST_VALUE_CODED:
        yield base64.b64encode(whole).decode()
