"""What files are and how they are told of, as pure functions."""
