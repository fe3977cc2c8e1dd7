"""The terminal table: one screen for all four games, with keyboard and mouse.

The screen knows neither the rules nor where its game comes from: it shows the updates of a `Source`
and returns words. See `heckmeck.tui.source`.
"""
