"""The terminal table: one screen for all four games, played by keys and by mouse.

The screen knows no rules and not where its game comes from: it shows what a `Source` tells it and
hands back words. See `heckmeck.tui.source`.
"""
