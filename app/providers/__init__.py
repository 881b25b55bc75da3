"""Models behind their wires."""
