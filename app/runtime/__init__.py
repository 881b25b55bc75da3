"""The engine thread: commands in, events out."""
