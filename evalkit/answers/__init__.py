"""What an answer says: its words, its numbers with their units, and what is demanded of its text."""
