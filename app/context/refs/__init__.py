"""Gives the things on a page their names, one counter a conversation, none for two things."""
