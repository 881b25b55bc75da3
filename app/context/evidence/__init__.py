"""Holds an answer against what was seen: quotes, the task card, claims."""
