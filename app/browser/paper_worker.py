"""Reads the text of a PDF in a process of its own, which can be ended: a file may be made to keep a reader busy."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

READ_PAPER = "--read-paper"
"""The first argument by which the program itself, where it is frozen, becomes this worker."""

MOST_MEMORY = 1_500_000_000
_OUT_OF_HAND = (ArithmeticError, AttributeError, LookupError, NotImplementedError, OSError, TypeError, ValueError)


def main(arguments: Sequence[str]) -> int:
    """Path, first page, characters, seconds. A line of JSON for the file, then one for each page as it is read."""
    path, first, characters, seconds = arguments
    _bound_memory()
    for line in _lines(Path(path), int(first), int(characters), float(seconds)):
        sys.stdout.write(f"{json.dumps(line)}\n")
        sys.stdout.flush()
    return 0


def _lines(path: Path, first: int, characters: int, seconds: float) -> Iterator[dict[str, object]]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    until = time.monotonic() + seconds
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            yield {"trouble": "it is locked with a password"}
            return
        count = len(reader.pages)
    except DependencyError:
        yield {"trouble": "it is encrypted in a way that cannot be read here"}
        return
    except (PyPdfError, RecursionError, *_OUT_OF_HAND):
        yield {"trouble": "it is damaged or no PDF"}
        return
    yield {"pages": count}
    for number in range(first, count + 1):
        try:
            text = reader.pages[number - 1].extract_text()
        except (PyPdfError, RecursionError, *_OUT_OF_HAND):
            yield {"page": number, "text": "", "unreadable": True}
            continue
        yield {"page": number, "text": text[: max(characters, 0)]}
        characters -= len(text)
        if characters <= 0 or time.monotonic() > until:
            return


def _bound_memory() -> None:
    """Where the system knows such a bound; a page may unpack to more than there is."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
