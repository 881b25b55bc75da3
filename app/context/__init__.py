"""Pure functions that decide what the model sees."""
