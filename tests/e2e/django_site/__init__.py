"""A small Django project of our own: harbours, ships, and the admin that Django brings."""
