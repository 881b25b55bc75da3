"""Takes key-shaped text and known secrets out of everything that leaves: store, logs, models, exports."""

import re
from collections.abc import Iterable

from app.guard.masking import mask_text

_KEY_SHAPES = re.compile(
    r"\b(?:sk-(?:ant-|or-|proj-)?[A-Za-z0-9_\-]{20,}|AIza[A-Za-z0-9_\-]{30,}|gh[pousr]_[A-Za-z0-9]{30,}|xox[abprs]-[A-Za-z0-9\-]{10,})"
)


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with every key shape and every known secret hidden."""
    return _KEY_SHAPES.sub("[key hidden]", mask_text(text, secrets))
