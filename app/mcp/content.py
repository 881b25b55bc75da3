"""What a client is told of a result: its text with the page, pictures, and whether it failed."""

import base64

from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent

from app.agent.ports import Record
from app.domain.events import ToolAnswered
from app.domain.ids import Ref


async def result_of(answered: ToolAnswered, record: Record, focus: Ref | None) -> CallToolResult:
    """The result as a client reads it: the receipt, then the page between its marks, then a picture.

    The line of what has the focus is marked as other servers mark it; the header says it in any case.
    """
    page = answered.observation.shown if answered.observation else ""
    if focus is not None:
        page = page.replace(f" [ref={focus}]", f" [active] [ref={focus}]", 1)
    texts = [answered.text, *_saved(answered), page]
    content: list[ContentBlock] = [TextContent(type="text", text="\n".join(text for text in texts if text))]
    if answered.picture is not None:
        data = base64.b64encode(await record.blob(answered.picture)).decode()
        content.append(ImageContent(type="image", data=data, mime_type=answered.picture_mime))
    return CallToolResult(content=content, is_error=answered.is_error)


def failure(text: str) -> CallToolResult:
    """A result that stands on no record: of a call that was not taken."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _saved(answered: ToolAnswered) -> list[str]:
    downloads = answered.receipt.downloads if answered.receipt else ()
    return [f"Saved as {one.path}" for one in downloads if one.path]
