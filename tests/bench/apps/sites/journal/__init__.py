"""A small journal in Wagtail: a home page, sections, posts with a body made of blocks."""
