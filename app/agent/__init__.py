"""The loop that lets a model work, and the ports it works through."""
