"""Which models are sent pictures: by their names, until their server has refused one."""

import pytest

from app.providers.lessons import LessonBook, lesson_of
from app.providers.seeing import PICTURES, sees

URL = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("kind", "model", "seen"),
    [
        ("openai", "gpt-5-mini", True),
        ("openai", "gpt-4o", True),
        ("openai", "gpt-3.5-turbo", False),
        ("openai", "o3-mini", False),
        ("anthropic", "claude-sonnet-4-5", True),
        ("openrouter", "deepseek/deepseek-chat-v3", False),
        ("openrouter", "openai/gpt-oss-120b", False),
        ("openrouter", "qwen/qwen3-235b-a22b", False),
        ("openrouter", "qwen/qwen3-vl-235b-a22b-instruct", True),
        ("openrouter", "meta-llama/llama-3.3-70b-instruct", False),
        ("openrouter", "meta-llama/llama-4-maverick", True),
        ("openrouter", "google/gemini-2.5-flash", True),
        ("openrouter", "z-ai/glm-4.6", False),
        ("openrouter", "z-ai/glm-4.5v", True),
        ("openrouter", "somebody/a-new-model", True),
        ("local", "qwen3:8b", False),
        ("local", "qwen2.5vl:7b", True),
        ("local", "qwen3-vl:30b", True),
        ("local", "gemma3:12b", True),
        ("local", "llava:13b", True),
        ("local", "llama3.2-vision:11b", True),
        ("local", "gpt-oss:20b", False),
        ("local", "a-new-model", False),
    ],
)
def test_a_model_sees_as_its_name_says(kind: str, model: str, seen: bool) -> None:
    assert sees(kind, URL, model, LessonBook()) is seen


def test_a_model_whose_server_refused_a_picture_sees_no_more() -> None:
    lessons = LessonBook()
    lessons.learn(URL, "a-new-model", PICTURES)
    assert not sees("openrouter", URL, "a-new-model", lessons)
    assert sees("openrouter", URL, "another-model", lessons)


SENT = {PICTURES: (PICTURES, "image", "images")}


@pytest.mark.parametrize(
    ("status", "message", "lesson"),
    [
        (400, "image_url is only supported by certain models", PICTURES),
        (400, "This model does not support image input", PICTURES),
        (422, "messages: content type image is not allowed", PICTURES),
        (404, "No endpoints found that support image input", PICTURES),
        (404, "The model `x` does not exist", None),
        (500, "image input failed", None),
    ],
)
def test_a_refusal_of_pictures_is_a_lesson(status: int, message: str, lesson: str | None) -> None:
    assert lesson_of(status, {"error": {"message": message}}, SENT, {}) == lesson
