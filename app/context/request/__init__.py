"""Computes what a model is sent of a conversation, and what leaves its view."""
