"""Sees when nothing moves, whatever moves by itself."""
