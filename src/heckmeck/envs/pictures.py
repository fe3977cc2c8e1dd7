"""A table as text and as a picture, for people and language models that watch or play."""

from __future__ import annotations

import io
import json
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from heckmeck import drawing
from heckmeck.record import JsonValue, state_to_json
from heckmeck.rules import AnyState, game_at, legal, scores, word


def as_text(state: AnyState) -> str:
    """Return the table, the turn and what may be done, one fact a line, in record notation.

    >>> from heckmeck import rules
    >>> print(as_text(rules.new_game("classic", 2)))
    edition: classic
    grill: 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
    face_down: -
    stacks: P0 - | P1 -
    scores: P0 0 | P1 0
    to move: P0
    kept: - (total 0), dice in hand: 8
    legal: roll
    """
    shown = state_to_json(state)
    table, turn = shown["table"], shown["turn"]
    assert isinstance(table, dict)
    assert isinstance(turn, dict)
    lines = [f"edition: {game_at(state.table).edition}"]
    lines += [f"{key}: {_listed(key, value)}" for key, value in table.items()]
    lines.append(f"scores: {_by_player(list(scores(state)))}")
    lines.append(f"to move: P{state.seat}")
    lines.append(
        f"kept: {turn['kept'] or '-'} (total {turn['total']}), dice in hand: {turn['hand']}"
        + (" and the golden die" if turn["golden"] else "")
    )
    if turn["roll"] is not None:
        golden = f"+{turn['golden_roll']}" if turn["golden_roll"] else ""
        lines.append(f"rolled: {turn['roll']}{golden}")
    lines.append(f"legal: {' '.join(sorted(map(word, legal(state)))) or '-'}")
    return "\n".join(lines)


def _listed(key: str, value: JsonValue) -> str:
    if isinstance(value, list) and key not in ("grill", "face_down"):
        return _by_player(value)
    return _plain(value)


def _by_player(values: list[JsonValue] | list[int]) -> str:
    return " | ".join(f"P{seat} {_plain(value)}" for seat, value in enumerate(values))


def _plain(value: JsonValue | int) -> str:
    if isinstance(value, list):
        return " ".join(map(_plain, value)) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items()) or "-"
    return "-" if value is None else value if isinstance(value, str) else json.dumps(value)


def as_svg(state: AnyState) -> str:
    """Return the table as SVG; players have the same names on their plates as in the text."""
    names = [f"P{seat}" for seat in range(state.table.seats)]
    players = [drawing.Player(name, name, plate) for plate, name in enumerate(names, start=1)]
    return drawing.whole(drawing.picture(state, players, drawing.title_of(state, names, "en")))


def picture(state: AnyState) -> NDArray[np.uint8]:
    """Return the table as [row, column, colour], drawn with the art of the pages."""
    from PIL import Image
    from resvg_py import svg_to_bytes

    with as_file(files("heckmeck") / "web_dist") as pages:
        fonts = [str(font) for font in pages.glob("fonts/*.ttf")]
        png = svg_to_bytes(svg_string=as_svg(state), skip_system_fonts=True, font_files=fonts)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.asarray(image.convert("RGB"))
