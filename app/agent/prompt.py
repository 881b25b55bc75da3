"""The system prompt: made once when a conversation starts, stored with it, never changed inside it."""

import datetime as dt

from app import resources


def system_prompt(today: dt.date, *, small: bool = False) -> str:
    """Working advice for the model, with the day on which the conversation started; short for a small window."""
    return (
        resources.text("prompts", "system-small.md" if small else "system.md")
        .replace("{date}", f"{today:%A, %d %B %Y}")
        .strip()
    )
