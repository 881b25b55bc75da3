"""Starts Pilotfish, its tests or the refresh of its lock from a bare checkout: `python3 packaging/dev.py run`.

This file alone must be readable by Python versions that are too old, so that they can say so plainly.
"""

import os
import sys

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST = (3, 11)
FIRST_UNTRIED = (3, 14)


def complaint_about(version: "tuple[int, ...]") -> "str | None":
    """What to tell a person whose Python does not fit, or None."""
    if OLDEST <= version[:2] < FIRST_UNTRIED:
        return None
    return (
        "Pilotfish needs Python 3.11, 3.12 or 3.13; this one is {}.{}. Nothing was changed.\n"
        "Start the same command with a Python that fits, for example: python3.13 packaging/dev.py run"
    ).format(*version[:2])


def main(arguments: "list[str]", version: "tuple[int, ...]" = tuple(sys.version_info[:3])) -> int:
    complaint = complaint_about(version)
    if complaint:
        print(complaint, file=sys.stderr)
        return 2
    sys.path.insert(1, CHECKOUT)
    from devtools.verbs import perform

    return perform(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
