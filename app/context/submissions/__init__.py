"""What a conversation has submitted, read from its events and told in words."""
