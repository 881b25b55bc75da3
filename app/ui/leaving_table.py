"""Exactly what would leave, as a table; beside it what an earlier submission held, where it would be done again."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.context.submissions.wording import values
from app.domain.submissions import Submission
from app.ui.card import Card
from app.ui.elements import TextButton, Words, column
from app.ui.safe_text import shown, web_link
from app.ui.submission_words import clock_of

LONGEST_VALUE = 240
LONGEST_BESIDE = 100  # where two columns share the room
MOST_LINES = 6
NOT_THEN = "—"
EMPTY = "(empty)"
_SITE = "Site"


@dataclass(frozen=True, slots=True)
class Pair:
    """One value as it would leave now, and as it left then; None where there was none."""

    name: str
    now: str | None
    then: str | None = None


def leaving_table(about: tuple[tuple[str, str], ...], earlier: Submission | None = None) -> Card:
    """The site stands first and large; names of fields are the page's own words."""
    count = len(values(earlier)) if earlier is not None else 0
    leaves = about[: len(about) - count]
    site = next((place for place, (name, _) in enumerate(leaves) if name == _SITE), None)
    rest = [pair for place, pair in enumerate(leaves) if place != site]
    spoken = "; ".join(f"{name}: {value}" for name, value in about)
    holder = Card("raised", f"What would leave: {shown(spoken)}", can_focus=False)
    if site is not None:
        holder.body.addLayout(_site(leaves[site][1]))
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    if earlier is None:
        _fill(grid, [Pair(name, value) for name, value in rest], has_two=False)
    else:
        grid.setColumnStretch(2, 1)
        for place, head in ((1, "Now"), (2, f"{earlier.id}, {clock_of(earlier)}")):
            grid.addWidget(_as_wide_as_given(Words(head, bold=True, scale=0.95)), 0, place)
        _fill(grid, list(side_by_side(tuple(rest), earlier)), has_two=True)
    holder.body.addLayout(grid)
    return holder


def side_by_side(leaves: tuple[tuple[str, str], ...], earlier: Submission) -> Iterator[Pair]:
    """What would leave now, each with what stood there then; last what only left then."""
    held = [(name, value) for name, value in (("Button", earlier.control), *values(earlier)) if value]
    for name, value in leaves:
        then = next((pair for pair in held if pair[0] == name), None)
        if then is not None:
            held.remove(then)
        yield Pair(name, value, then[1] if then else None)
    yield from (Pair(name, None, value) for name, value in held)


def _site(origin: str) -> QGridLayout:
    """Letters of other scripts are told beneath, so that a look-alike shows."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    label = Words(_SITE, tone="muted")
    label.setMinimumWidth(90)
    grid.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignVCenter)
    grid.addWidget(Words(origin, scale=1.3, bold=True), 0, 1)
    link = web_link(origin)
    if link is not None and link.host not in origin:
        grid.addWidget(Words(f"written out: {link.host}", tone="warning", scale=0.95), 1, 1)
    return grid


def _fill(grid: QGridLayout, pairs: list[Pair], *, has_two: bool) -> None:
    top = Qt.AlignmentFlag.AlignTop
    longest = LONGEST_BESIDE if has_two else LONGEST_VALUE
    for row, pair in enumerate(pairs, 1):
        label = Words(pair.name, tone="muted")
        label.setMinimumWidth(90)
        grid.addWidget(label, row, 0, top)
        differs = has_two and pair.now != pair.then
        grid.addWidget(_as_wide_as_given(_value(pair.name, pair.now, longest, bold=differs)), row, 1, top)
        if has_two:
            then = _value(f"{pair.name}, then", pair.then, longest, tone="muted")
            grid.addWidget(_as_wide_as_given(then), row, 2, top)


def _as_wide_as_given(value: QWidget) -> QWidget:
    """Both columns share the room evenly, whatever they hold."""
    policy = value.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    value.setSizePolicy(policy)
    return value


def _value(name: str, value: str | None, longest: int, *, tone: str = "", bold: bool = False) -> QWidget:
    if not value:
        return Words(NOT_THEN if value is None else EMPTY, tone="muted")
    cut = "\n".join(shown(value).split("\n")[:MOST_LINES])[:longest]
    if len(cut) >= len(shown(value)):
        return Words(value, tone=tone, bold=bold)
    return _LongValue(name, value, cut, tone=tone, bold=bold)


class _LongValue(QWidget):
    """The beginning of a long value, and all of it on demand."""

    def __init__(self, name: str, value: str, cut: str, *, tone: str, bold: bool) -> None:
        super().__init__()
        self._value, self._cut, self._is_whole = value, cut, False
        self._words = Words(f"{cut}…", tone=tone, bold=bold)
        self._more = TextButton("", "link", "", self._turn)
        self._name = name
        lines = column(spacing=0)
        lines.addWidget(self._words)
        lines.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(lines)
        self._say()

    def _turn(self) -> None:
        self._is_whole = not self._is_whole
        self._say()

    def _say(self) -> None:
        self._words.say(self._value if self._is_whole else f"{self._cut}…")
        self._more.say("Show less" if self._is_whole else "Show all", "link", "")
        self._more.setAccessibleName(f"{self._more.text()} of {self._name}, {len(self._value):,} characters")
