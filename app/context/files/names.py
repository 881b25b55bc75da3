"""Names for a file beside others: one that is free, one for what was found damaged; the caller knows what is taken."""

import itertools
from collections.abc import Callable
from datetime import datetime
from pathlib import Path


def free_beside(place: Path, is_taken: Callable[[Path], bool], *, mark: str = " ({})") -> Path:
    """The place itself, or the first one beside it with a number from 2 on in its name that is not taken."""
    more = (place.with_name(f"{place.stem}{mark.format(number)}{place.suffix}") for number in itertools.count(2))
    return next(one for one in itertools.chain((place,), more) if not is_taken(one))


def damaged(place: Path, found: datetime, is_taken: Callable[[Path], bool]) -> Path:
    """A free place for a file that was found damaged then."""
    stamp = found.strftime("%Y-%m-%d-%H%M%S")
    return free_beside(place.with_name(f"{place.stem}-damaged-{stamp}{place.suffix}"), is_taken, mark="-{}")
