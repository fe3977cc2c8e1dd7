"""The look of the table: charcoal and embers in the dark theme, butcher's paper in the light one.

Pieces have the same colours in both themes.
"""

from typing import Final

from textual.theme import Theme

DARK: Final = "heckmeck-dark"
LIGHT: Final = "heckmeck-light"

_PIECES: Final = {
    "ink": "#2e1c12",
    "ivory": "#fbf3e1",
    "ivory-edge": "#a98a5a",
    "ivory-worm": "#b3402a",
    "gold": "#f6bd3a",
    "gold-edge": "#8a6410",
    "glow": "#ffb13d",
    "iron": "#211c18",
    "iron-text": "#a3937f",
    "iron-dim": "#6d6157",
    "specialist": "#ffc35c",
    # Players: a colour, always together with a badge.
    "player-0": "#c8402f",
    "player-0-on": "#ffffff",
    "player-1": "#2f79bd",
    "player-1-on": "#ffffff",
    "player-2": "#43803b",
    "player-2-on": "#ffffff",
    "player-3": "#8a4fa8",
    "player-3-on": "#ffffff",
    "player-4": "#e3a51f",
    "player-4-on": "#2e1c12",
    "player-5": "#17807b",
    "player-5-on": "#ffffff",
    "player-6": "#6b5a4c",
    "player-6-on": "#ffffff",
}

DARK_THEME: Final = Theme(
    name=DARK,
    primary="#ff8a3d",
    secondary="#f3b64a",
    accent="#ff8a3d",
    warning="#f3b64a",
    error="#ff8b78",
    success="#8fc76b",
    foreground="#f7eddc",
    background="#191512",
    surface="#241e1a",
    panel="#2e2721",
    dark=True,
    variables={
        **_PIECES,
        "quiet": "#ab9a86",
        "line": "#453a31",
        "button": "#efe2c8",
        "on-button": "#2e1c12",
        "go": "#f47a2a",
        "on-go": "#1f0e04",
        "fails": "#43180f",
        "on-fails": "#ffb5a8",
        "worm": "#f2907a",
    },
)

LIGHT_THEME: Final = Theme(
    name=LIGHT,
    primary="#a83c12",
    secondary="#7a5200",
    accent="#a83c12",
    warning="#7a5200",
    error="#a1260f",
    success="#2f6a1b",
    foreground="#2a1a10",
    background="#ecdcbd",
    surface="#fbf4e4",
    panel="#f4e8cf",
    dark=False,
    variables={
        **_PIECES,
        "quiet": "#5d4632",
        "line": "#c0a878",
        "button": "#fffaf0",
        "on-button": "#2a1a10",
        "go": "#a83c12",
        "on-go": "#fff6ea",
        "fails": "#f3cfc4",
        "on-fails": "#7c1d0b",
        "worm": "#a83c12",
    },
)

THEMES: Final = (DARK_THEME, LIGHT_THEME)


def player_style(seat: int) -> str:
    """Return the style of a player's badge."""
    return f"bold $player-{seat % 7}-on on $player-{seat % 7}"
