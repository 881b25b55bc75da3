"""Targets as models name them: a ref of the newest page, nothing else."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from app.domain.ids import Ref

_REF = re.compile(r"\[?(?:ref=)?(e\d+)\]?")


def _ref(text: str) -> str:
    match = _REF.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            f"“{text[:60]}” is no ref. Give a ref of the newest page, such as e17; selectors are not taken."
        )
    return match.group(1)


Target = Annotated[str, AfterValidator(_ref), Field(description="ref from the newest page, such as e17")]
Element = Annotated[str, Field(description="what it is, in words, for the person who watches")]


def as_ref(text: str) -> Ref:
    """A checked target as a ref."""
    return Ref(text)
