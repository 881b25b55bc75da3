"""The tree of errors.

AppError
├── ProviderError     a model call failed; says whether a retry can help
├── BrowserError      the browser could not be started or was lost
├── StoreError        the record could not be read or written
├── SettingsError     an option or a secret could not be read or written
├── UsageError        the command line was not right
└── LimitReached      a limit of steps, time or money; a question to the person, not a failure
"""

from typing import Literal


class AppError(Exception):
    """An error a person can be told about.

    `what` says what happened, `lost` whether anything was lost, `next_step` the next thing to do.
    """

    def __init__(self, what: str, *, lost: str = "Nothing was lost.", next_step: str = "") -> None:
        self.what = _sentence(what)
        self.lost = _sentence(lost)
        self.next_step = _sentence(next_step)
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The sentences a person reads."""
        return " ".join(part for part in (self.what, self.lost, self.next_step) if part)


def _sentence(text: str) -> str:
    """Words of others, such as a path or what a program wrote, often come without a full stop."""
    return f"{text}." if text and text[-1].isalnum() else text


ProviderFault = Literal[
    "unreachable",
    "auth",
    "unknown_model",
    "refused_request",
    "too_long",
    "rate_limited",
    "overloaded",
    "broken_answer",
    "timeout",
]


class ProviderError(AppError):
    """A model call failed."""

    def __init__(
        self,
        what: str,
        *,
        fault: ProviderFault,
        retriable: bool,
        next_step: str,
        status: int | None = None,
    ) -> None:
        self.fault = fault
        self.retriable = retriable
        self.status = status
        super().__init__(what, next_step=next_step)


BrowserFault = Literal["not_found", "did_not_start", "profile_in_use", "lost"]


class BrowserError(AppError):
    """The browser could not be started or was lost."""

    def __init__(
        self,
        what: str,
        *,
        fault: BrowserFault,
        next_step: str,
        lost: str = "Nothing was lost.",
    ) -> None:
        self.fault = fault
        super().__init__(what, lost=lost, next_step=next_step)


StoreFault = Literal["damaged", "newer", "full", "in_use", "unreadable", "not_found"]


class StoreError(AppError):
    """The record could not be read or written."""

    def __init__(
        self,
        what: str,
        *,
        fault: StoreFault,
        next_step: str,
        lost: str = "Nothing was lost.",
    ) -> None:
        self.fault = fault
        super().__init__(what, lost=lost, next_step=next_step)


class SettingsError(AppError):
    """An option or a secret could not be read or written."""


class UsageError(AppError):
    """The command line was not right."""


class LimitReached(AppError):
    """A limit was reached; the person is asked before going on."""

    def __init__(self, *, kind: Literal["steps", "time", "money"], value: float, limit: float) -> None:
        self.kind = kind
        self.value = value
        self.limit = limit
        super().__init__(
            f"The limit of {limit:g} {kind} is reached.",
            next_step="Write “go on” for more.",
        )
