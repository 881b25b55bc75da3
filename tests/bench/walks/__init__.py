"""Scripted walks over real applications; targets are named by role and name, so that any browser tool can play them."""
