"""Marks in a finished text what nothing bears out: a dotted line under it, and words that say why."""

from collections.abc import Sequence

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument

from app.domain.records import Claim
from app.ui.colours import Colours
from app.ui.safe_text import plain_tip

# In markdown a place cannot be found again by counting; these letters of no script stand around it until it is read.
_BEGIN, _END = "\uf8f2", "\uf8f3"
_LISTED = 4
_LONGEST = 60
UNVERIFIED = "Not found in a kept quote, on the newest page or in your words."


def with_claim_marks(text: str, claims: Sequence[Claim]) -> str:
    """The text with a mark before and after each claim; as it is when a claim does not stand where it should."""
    if _BEGIN in text or _END in text or not _stand(text, claims):
        return text
    for claim in sorted(claims, key=lambda one: one.start, reverse=True):
        text = f"{text[: claim.start]}{_BEGIN}{claim.text}{_END}{text[claim.end :]}"
    return text


def show_claims(document: QTextDocument, claims: Sequence[Claim], colours: Colours) -> None:
    """Turn the marks into lines under the words between them."""
    for claim in sorted(claims, key=lambda one: one.start):
        begin, end = document.find(_BEGIN), document.find(_END)
        if begin.isNull() or end.isNull():
            return
        words = QTextCursor(document)
        words.setPosition(begin.selectionEnd())
        words.setPosition(end.selectionStart(), QTextCursor.MoveMode.KeepAnchor)
        if begin.block() == end.block():
            words.mergeCharFormat(_look(claim, colours))
        end.removeSelectedText()
        begin.removeSelectedText()


def claims_note(claims: Sequence[Claim]) -> str:
    """What stands in small below the answer."""
    wrong = [_short(claim.text) for claim in claims if claim.verdict == "unverified"]
    made = [f"{_short(claim.text)} = {claim.basis}" for claim in claims if claim.verdict == "computed"]
    parts = (f"Unverified: {_listed(wrong)}" if wrong else "", f"Computed: {_listed(made)}" if made else "")
    return "\n".join(part for part in parts if part)


def _stand(text: str, claims: Sequence[Claim]) -> bool:
    return all(text[claim.start : claim.end] == claim.text for claim in claims)


def _look(claim: Claim, colours: Colours) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    is_wrong = claim.verdict == "unverified"
    look.setUnderlineColor(QColor(colours.warning if is_wrong else colours.muted_text))
    look.setToolTip(plain_tip(UNVERIFIED if is_wrong else f"Computed from known figures: {claim.basis}"))
    return look


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return " · ".join(words[:_LISTED]) + more


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
