"""Reads the pages in a request as a model does: by role and name, the newest first."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """Where a control is on the page, in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


class NotOnPage(Exception):
    """The model looked for something that the text it was sent does not hold."""


def ref_of(text: str, role: str, name: str) -> str:
    """The newest ref of that role and name."""
    found = re.findall(rf"{_head(role, name)}(?: \[[^\]]*\])*? \[ref=(e\d+)\]", text)
    if not found:
        raise NotOnPage(f"no {role} “{name}”")
    return found[-1]


def box_of(text: str, role: str, name: str) -> Box:
    """Its place, on a page that was shown with boxes."""
    found = re.findall(rf"{_head(role, name)}(?: \[[^\]]*\])*? \[box=([-\d.,]+)\]", text)
    if not found:
        raise NotOnPage(f"no box of {role} “{name}”")
    return Box(*(float(number) for number in found[-1].split(",")))


def has(text: str, role: str, name: str) -> bool:
    return re.search(_head(role, name), text) is not None


def _head(role: str, name: str) -> str:
    return rf'(?<![\w-]){role} "{re.escape(name)}"'
