"""The system prompt: made once when a conversation starts, stored with it, never changed inside it."""

import datetime as dt

from app import resources


def system_prompt(today: dt.date) -> str:
    """Working advice for the model, with the day on which the conversation started."""
    return resources.text("prompts", "system.md").replace("{date}", f"{today:%A, %d %B %Y}").strip()
