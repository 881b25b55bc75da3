"""What the applications are filled with and shown through; each runs in its own environment, outside of ours."""
