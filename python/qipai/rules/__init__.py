"""The rule sheets of the games, as plain data: one module per game."""
