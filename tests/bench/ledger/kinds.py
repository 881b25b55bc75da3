"""The kinds of submit, as pages; which disturbance meets what they send is told by the trial."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).with_name("pages")


@dataclass(frozen=True, slots=True)
class Kind:
    """A page that sends in one way; `answers` is where the answer is shown, as a new page or as a text on this one."""

    name: str
    title: str
    label: str
    answers: str
    body: str
    script: str
    role: str = "button"
    inner: str = ""
    fields: bool = True
    path: str = "send"

    @property
    def presses_enter(self) -> bool:
        """What is acted on takes a text, and Enter in it sends."""
        return self.role == "textbox"


def kinds() -> tuple[Kind, ...]:
    plain = tomllib.loads((PAGES / "kinds.toml").read_text(encoding="utf-8"))
    return tuple(Kind(name=name, **one) for name, one in plain.items())


def written(template: str, **marks: str) -> str:
    """The template with {{MARK}} replaced by what is given as `mark`."""
    for name, value in marks.items():
        template = template.replace(f"{{{{{name.upper()}}}}}", value)
    return template


def template(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")
