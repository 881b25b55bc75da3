"""Pure rules and state machines that decide what may happen."""
