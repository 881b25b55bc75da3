"""What refusals taught about an endpoint: fields of a request that one model there does not take."""

import json
import re
from collections.abc import Iterable, Mapping

from app.providers.wire_json import as_object, as_text

REFUSING_STATUSES = (400, 422)
NO_ENDPOINT_STATUS = 404  # of brokers that know no server for a request with pictures

_ABOUT_THE_VALUE = re.compile(r"\bvalues?\b|\bone of\b|\bexpected\b|\benum\b|\bliteral\b", re.IGNORECASE)
_ABOUT_THE_HISTORY = re.compile(r"\bsignature\b|thinking[`'\"]? blocks?|\bbound to\b|messages\.\d+", re.IGNORECASE)
_NO_PICTURES = re.compile(r"\bimage (?:input|url)|\bimages?\b.{0,40}\bsupport|support.{0,40}\bimages?\b", re.IGNORECASE)
_READ_CHARACTERS = 600  # what follows may be an echo of our own request


class LessonBook:
    """Remembers lessons by endpoint and model, in memory."""

    def __init__(self) -> None:
        self._refused: dict[tuple[str, str], frozenset[str]] = {}

    def refused(self, base_url: str, model: str) -> frozenset[str]:
        """Fields ("stream_options") and values ("reasoning_effort=none") that must not be sent."""
        return self._refused.get((base_url, model), frozenset())

    def learn(self, base_url: str, model: str, lesson: str) -> None:
        """Remember one more."""
        self._refused[base_url, model] = self.refused(base_url, model) | {lesson}


def lesson_of(status: int, answer: object, sent: Mapping[str, Iterable[str]], values: Mapping[str, str]) -> str | None:
    """The lesson in a refusal, or None when it names nothing that was sent.

    `sent` holds the droppable fields of the request with the words a refusal may name each by;
    `values` those whose value can be exchanged for another, with the value that was sent.
    """
    text = _words_of(answer)
    if status == NO_ENDPOINT_STATUS and _NO_PICTURES.search(text) and "image_url" in sent:
        return "image_url"
    if status not in REFUSING_STATUSES or _ABOUT_THE_HISTORY.search(text):
        return None
    for field, names in sent.items():
        if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names):
            is_about_value = field in values and _ABOUT_THE_VALUE.search(text)
            return f"{field}={values[field]}" if is_about_value else field
    return None


def _words_of(answer: object) -> str:
    body = as_object(answer)
    error = as_object(body.get("error")) or body
    detail = error.get("detail")
    said = as_text(error.get("message")) or as_text(body.get("error")) or (json.dumps(detail) if detail else "")
    return f"{as_text(error.get('param'))} {said or str(answer)}"[:_READ_CHARACTERS]
