"""The append-only record of every conversation."""
