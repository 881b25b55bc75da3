"""Where the program's own files lie: inside the installed package, else in the checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """The path of a resource such as `path("styles", "light.json")`; it need not exist."""
    packed = _PACKAGE / "_resources"
    root = packed if packed.is_dir() else _PACKAGE.parent / "resources"
    return root.joinpath(*parts)


def text(*parts: str) -> str:
    """The text of a resource."""
    return path(*parts).read_text(encoding="utf-8")
