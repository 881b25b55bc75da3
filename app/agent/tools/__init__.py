"""The tools a model can call, one module a family."""

from typing import Any

from app.agent.tools.input import INPUT
from app.agent.tools.navigation import NAVIGATION
from app.agent.tools.reading import READING
from app.agent.tools.record import RECORD
from app.agent.tools.tool import Tool
from app.domain.messages import ToolSpec

TOOLS: dict[str, Tool[Any]] = {tool.name: tool for tool in (*NAVIGATION, *INPUT, *READING, *RECORD)}


def specs() -> tuple[ToolSpec, ...]:
    """All tools as a model is told of them, in their fixed order."""
    return tuple(tool.spec() for tool in TOOLS.values())
