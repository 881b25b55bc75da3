"""What `dev.py` does, in the standard library alone."""
