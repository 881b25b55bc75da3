"""Pilotfish: a desktop companion that browses with you."""

__version__ = "0.1.0"
