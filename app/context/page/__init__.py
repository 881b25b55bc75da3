"""Turns a look at a page into what the model reads of it."""
