"""Judges by the page what became of a submission that the site has answered."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from app.agent.observing import Seeing
from app.domain.snapshot import SnapshotNode, walk
from app.domain.submissions import Proof, Submission
from app.guard.ledger import became

_TROUBLE = re.compile(
    r"time[d]?[ -]?out|gateway|try again|went wrong|temporarily unavailable|service unavailable|internal error"
    r"|server error|could not be (?:processed|completed|sent)|not be reached|zeitüberschreitung|erneut versuchen"
    r"|réessayer",
    re.IGNORECASE,
)
_WRONG_FIELD = re.compile(
    r"required|invalid|not valid|must (?:be|not|contain|have)|please (?:enter|choose|fill|select|provide|correct|check)"
    r"|cannot be (?:blank|empty)|can['’]t be (?:blank|empty)|too (?:short|long)|ungültig|pflichtfeld|obligatoire"
    r"|obligatorio",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"declin|fail(?:ed|ure)|insufficient|incorrect|\bwrong\b|denied|expired|\bsorry\b|unable|out of stock|sold out"
    r"|already exists|already taken|\berror\b|\b(?:was|were|is|has|have|could|can)(?: ?n['’]?t|not| not)\b"
    r"|abgelehnt|fehlgeschlagen|refusé|échoué|rechazad",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"thank|confirm(?:ed|ation)|success|receiv|placed|\bsent\b|delet|remov|saved|created|booked|published|posted|added"
    r"|updated|submitted|your order|\bdone\b|danke|merci|gracias|gespeichert|gesendet|enregistré",
    re.IGNORECASE,
)
_LONGEST = 200  # characters of a text that says what became of something
_TELLING = 2  # characters of a value
_FIELDS = frozenset({"textbox", "combobox", "spinbutton", "searchbox", "checkbox", "radio"})


def judged(record: Submission, before: Seeing, after: Seeing) -> Submission:
    """The record of an answered submission, by what the page shows since; unchanged when it shows nothing."""
    new = list(_new_texts(before, after))
    trouble = next((text for text in new if _TROUBLE.search(text)), "")
    if trouble:
        return became(record, "unknown", note=f"the page says “{trouble[:_LONGEST]}”")
    wrong = next((text for text in new if _WRONG_FIELD.search(text)), "")
    if wrong and _shows_form_again(record, before, after):
        return became(record, "refused", note=f"the form is there again and says “{wrong[:_LONGEST]}”")
    failed = next((text for text in new if _FAILED.search(text)), "")
    if failed:
        return replace(record, note=f"the page says “{failed[:_LONGEST]}”")
    words = _proof(record, new, moved=before.observation.document != after.observation.document)
    if words:
        return became(record, "settled", proof=Proof(words[:_LONGEST], after.observation.id))
    return record if record.status is not None else became(record, "unknown", note="nothing shows that it arrived")


def _proof(record: Submission, new: list[str], *, moved: bool) -> str:
    """Words that tell of it, else a text that holds what was sent, else what another page is called."""
    sent = [value for _, value in (*record.fields, *record.shown) if len(value) > _TELLING]
    tells = next((text for text in new if _TELLS.search(text)), "")
    return (
        tells
        or next((text for text in new if any(value in text for value in sent)), "")
        or (new[0] if moved and new else "")
    )


def proven(record: Submission, proof: Proof) -> Submission:
    """The record once a quote of the site proves that it happened."""
    return replace(became(record, "settled", proof=proof, note=""), ended_at=record.ended_at or time.time())


def _new_texts(before: Seeing, after: Seeing) -> Iterator[str]:
    """What the page says now and did not say before, headings first."""
    known = {text for _, text in _texts(before.shown.tree)}
    new = [(role, text) for role, text in _texts(after.shown.tree) if text not in known]
    yield from (text for role, text in new if role in ("heading", "status", "alert"))
    yield from (text for role, text in new if role not in ("heading", "status", "alert"))


def _texts(tree: SnapshotNode) -> Iterator[tuple[str, str]]:
    for node in walk(tree):
        said = node.text or (node.name if node.role not in _FIELDS else "")
        if said and node.role not in ("button", "link", "option", "combobox", "textbox"):
            yield node.role, " ".join(said.split())


def _shows_form_again(record: Submission, before: Seeing, after: Seeing) -> bool:
    paths = {urlsplit(url).path for url in (before.observation.url, record.url)}
    if urlsplit(after.observation.url).path not in paths:
        return False
    nodes = list(walk(after.shown.tree))
    return any(node.name == record.control for node in nodes if record.control) or any(
        node.role in _FIELDS for node in nodes
    )
