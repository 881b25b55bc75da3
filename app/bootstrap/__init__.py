"""Joins the parts: the one place that knows every class."""
