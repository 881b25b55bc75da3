import pytest

from app.providers.lessons import LessonBook, lesson_of

SENT = {
    "stream_options": ("stream_options",),
    "reasoning_effort": ("reasoning_effort", "thinking"),
    "max_tokens": ("max_tokens",),
    "reasoning": ("reasoning",),
}
VALUES = {"reasoning_effort": "none"}


@pytest.mark.parametrize(
    ("answer", "lesson"),
    [
        ({"message": "Unrecognized request argument supplied: stream_options"}, "stream_options"),
        ({"message": "no", "param": "stream_options"}, "stream_options"),
        ({"error": {"message": "Unsupported parameter: 'reasoning_effort' is not supported"}}, "reasoning_effort"),
        ({"error": '"llama3.2" does not support thinking'}, "reasoning_effort"),
        ({"message": "Unsupported value: 'reasoning_effort' does not support 'none'"}, "reasoning_effort=none"),
        ({"message": "reasoning_effort must be one of low, high"}, "reasoning_effort=none"),
        ({"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs are not permitted"}]}, "max_tokens"),
        ({"message": "unknown field reasoning"}, "reasoning"),
        ({"message": "tools[0].name is too long"}, None),
        ({"message": "the thinking blocks are bound to a different conversation"}, None),
        ({"message": "messages.3.content.0: thinking is odd"}, None),
        ("<html>thinking</html>", "reasoning_effort"),
        ({"message": "x" * 2000 + "stream_options"}, None),
        (None, None),
    ],
)
def test_a_refusal_teaches_what_to_leave_out(answer: object, lesson: str | None) -> None:
    assert lesson_of(400, answer, SENT, VALUES) == lesson


@pytest.mark.parametrize("status", [0, 200, 401, 404, 429, 500])
def test_only_a_refusal_of_the_request_teaches(status: int) -> None:
    assert lesson_of(status, {"message": "stream_options"}, SENT, VALUES) is None


def test_lessons_are_kept_by_endpoint_and_model() -> None:
    book = LessonBook()
    book.learn("http://a", "m", "stream_options")
    book.learn("http://a", "m", "reasoning_effort")
    assert book.refused("http://a", "m") == {"stream_options", "reasoning_effort"}
    assert book.refused("http://a", "n") == book.refused("http://b", "m") == frozenset()
