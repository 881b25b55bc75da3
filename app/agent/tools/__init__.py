"""The tools a model can call, one module a family."""

from typing import Any

from app.agent.tools.batch import BATCH
from app.agent.tools.files import FILES
from app.agent.tools.input import INPUT
from app.agent.tools.navigation import NAVIGATION
from app.agent.tools.reading import READING
from app.agent.tools.record import RECORD
from app.agent.tools.seeing import SEEING
from app.agent.tools.tool import Tool
from app.domain.messages import ToolSpec

TOOLS: dict[str, Tool[Any]] = {
    tool.name: tool for tool in (*NAVIGATION, *INPUT, *BATCH, *FILES, *READING, *SEEING, *RECORD)
}


SMALL = (
    *("browser_navigate", "browser_navigate_back", "browser_tabs", "browser_snapshot", "browser_find"),
    *("browser_click", "browser_type", "browser_fill_form", "browser_select_option", "browser_press_key"),
    *("browser_scroll", "browser_wait_for", "browser_handle_dialog", "keep_quote", "recall", "ask_user"),
)
"""What a model with a small window is told of, in few words."""


def specs(*, small: bool = False) -> tuple[ToolSpec, ...]:
    """The tools as a model is told of them, in their fixed order."""
    return tuple(tool.spec(brief=small) for name, tool in TOOLS.items() if not small or name in SMALL)
