"""Which models can take pictures: by their names, until an endpoint has refused one."""

import re

from app.providers.lessons import LessonBook

PICTURES = "image_url"
"""The lesson of an endpoint that takes no pictures."""

_SEE = re.compile(
    r"\bvl\b|vl[:\d-]|vl$|vision|llava|bakllava|gemma-?3|gemma-?4|pixtral|minicpm-?v|minicpm-?o|moondream|llama-?4"
    r"|mistral-small-?3\.[12]|omni|internvl|glm-[\d.]+v|granite.*vision|gpt-4o|gpt-5|claude|gemini"
)
_DO_NOT_SEE = re.compile(
    r"gpt-3\.5|gpt-oss|o1-mini|o3-mini|deepseek(?!.*vl)|codestral|devstral|qwen[\d.-]*(?:coder|max|next|instruct|\d+b)(?!.*vl)"
    r"|kimi-k2(?!\.)|glm-[\d.]+(?!\d*v)(?:-air|-flash)?$|llama-3\.[0-3](?!.*vision)|mixtral|phi-[34](?!.*(?:vision|multimodal))"
)


def sees(kind: str, base_url: str, model: str, lessons: LessonBook) -> bool:
    """A model of a service can see unless its name says otherwise, one of this computer only if its name says so."""
    if PICTURES in lessons.refused(base_url, model):
        return False
    name = model.lower()
    return bool(_SEE.search(name)) if kind == "local" else not _DO_NOT_SEE.search(name)
