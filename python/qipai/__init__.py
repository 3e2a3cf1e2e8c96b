"""Exact and fast rules for regional Chinese card and mahjong games."""
