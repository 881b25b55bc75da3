"""Declared options, paths and secrets."""
