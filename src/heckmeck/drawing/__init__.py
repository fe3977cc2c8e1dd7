"""The table as a picture: SVG made of our own art, for links, reviews and the end of a game."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final, NamedTuple

from heckmeck.narration.messages import messages_in, table_words
from heckmeck.narration.narrator import badges
from heckmeck.record import JsonObject, JsonValue, state_to_json
from heckmeck.rules import EDITIONS, AnyState, game_at, outcome, scores
from heckmeck.rules.components import BARBECUE_SPOTS, DELUXE_TILES, JUNIOR_TILES

#: The size that messengers and social networks ask for.
WIDTH: Final = 1200
HEIGHT: Final = 630
#: The height of the bar with the title. Below it is the table.
BAR: Final = 92
#: What is drawn where: the edge, the grill, the dice and the players.
_EDGE: Final = 40
_INNER: Final = WIDTH - 2 * _EDGE
_GRILL: Final = (BAR, 424)
_DICE: Final = 436
_PLAYERS: Final = 506

WORMS: Final = {**JUNIOR_TILES, **DELUXE_TILES, **BARBECUE_SPOTS}
#: Colours as on the pages, in the dark.
_INK, _CREAM, _SOFT, _EMBER = "#2e1c12", "#f7eddc", "#c9b8a4", "#ff7a2f"
_BACKGROUND, _PANEL, _COAL, _ROD = "#191512", "#241e1a", "#15100d", "#6f655d"
#: Badges are dark on the yellow plate only.
_DARK_ON: Final = 2
#: Where worms are on a tile, as x, y and width, by their number.
_PIPS: Final = {
    1: ((13.0, 60.5, 34.0),),
    2: ((4.5, 61.5, 25.5), (30.0, 61.5, 25.5)),
    3: ((17.5, 55.0, 24.5), (4.5, 69.0, 24.5), (31.0, 69.0, 24.5)),
    4: ((4.5, 55.0, 24.5), (31.0, 55.0, 24.5), (4.5, 69.5, 24.5), (31.0, 69.5, 24.5)),
}
#: The letters of our font: Latin and Cyrillic.
_LETTERS: Final = re.compile(r"[\x20-\x7e\xa0-\u024f\u0400-\u045f\u2010-\u2026]+")
#: The width of a letter of our font as a part of its size, on average.
_LETTER_WIDTH: Final = 0.58


class Player(NamedTuple):
    """A player as drawn: a name, the badge and the number of the plate."""

    name: str
    badge: str
    plate: int


def players_of(names: Sequence[str], plates: Sequence[int], language: str) -> list[Player]:
    """Return the players of a table; a name that our font cannot write becomes "Player 2"."""
    words = table_words(language)
    shown = [
        name if _LETTERS.fullmatch(name) else words.say("seat.number", number=seat + 1)
        for seat, name in enumerate(names)
    ]
    drawn = zip(shown, badges(shown), plates, strict=False)
    return [Player(name, badge, plate) for name, badge, plate in drawn]


def title_of(state: AnyState, names: Sequence[str], language: str) -> str:
    """Return whose turn it is, or who has won."""
    end, words = outcome(state), table_words(language)
    if end is None:
        return words.say("turn.of", name=names[state.seat])
    winners = [names[seat] for seat in end.winners]
    listed = messages_in(language).listed(winners)
    if len(winners) == 1:
        return words.say("end.wins", name=listed)
    return words.say("end.share", names=listed)


def whole(body: str) -> str:
    """Return a picture that needs nothing else, from the body of one."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"><defs>{symbols_in(body)}</defs>{body}</svg>'
    )


def symbols_in(body: str) -> str:
    """Return the drawings that a picture, or a page with several, refers to."""
    used = set(re.findall(r'<use href="#([^"]+)"', body))
    return "".join(symbol for name, symbol in _art().items() if name in used)


@cache
def _art() -> dict[str, str]:
    """Return our drawings, by name; the pages hang up the same file."""
    text = (files("heckmeck.drawing") / "art.svg").read_text(encoding="utf-8")
    return {
        found[1]: found[0]
        for found in re.finditer(r'<symbol id="([^"]+)".*?</symbol>', text, re.DOTALL)
    }


def picture(state: AnyState, players: Sequence[Player], title: str) -> str:
    """Return the body of a picture: the table, or the final standings if the game is over."""
    draw = _standings if outcome(state) is not None else _table
    return _background() + _bar(title) + draw(state, players)


def neutral() -> str:
    """Return the body of the picture for links that are not about a game: a table is laid."""
    start = EDITIONS["deluxe"].initial(2)
    table = state_to_json(start)["table"]
    assert isinstance(table, dict), "a state has a table"
    dice = [*"123455", "W", "W"]
    shown = [_use(f"die-{face}", 66 + 134 * place, 458, 130) for place, face in enumerate(dice)]
    return _background() + _bar("") + _grill(start, table, ()) + "".join(shown)


def table_only(state: AnyState, players: Sequence[Player]) -> str:
    """Return the table at a moment as a picture without a bar, for pages with its symbols."""
    top, height = BAR, HEIGHT - BAR
    return (
        f'<svg viewBox="0 {top} {WIDTH} {height}" role="img" aria-label="The table">'
        f"{_background()}{_table(state, players)}</svg>"
    )


# --- pieces ---------------------------------------------------------------------------------------


def _use(name: str, x: float, y: float, width: float, height: float | None = None) -> str:
    return (
        f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{width if height is None else height:g}"/>'
    )


def _number(value: int, x: float, y: float, height: float, colour: str) -> str:
    """Return a number in our own figures, beginning at ``x``."""
    width = height * 20 / 28
    digits = "".join(
        _use(f"n{digit}", x + place * (width + 1), y, width, height)
        for place, digit in enumerate(str(value))
    )
    return f'<g color="{colour}">{digits}</g>'


def _number_width(value: int, height: float) -> float:
    return len(str(value)) * (height * 20 / 28 + 1)


def _words(text: str, x: float, y: float, size: float, room: float, colour: str = _CREAM) -> str:
    """Return a line of text that fits into ``room``."""
    fitting = min(size, room / (_LETTER_WIDTH * max(1, len(text))))
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="Bitter, serif" font-weight="700" '
        f'font-size="{fitting:.1f}" fill="{colour}">{escape(text)}</text>'
    )


def _scaled(x: float, y: float, scale: float, parts: Iterable[str]) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({scale:.3f})">{"".join(parts)}</g>'


def _tile(number: int, x: float, y: float, width: float, *, back: bool = False) -> str:
    digits = str(number)
    if back:
        places = (23.0,) if len(digits) == 1 else (15.5, 30.5)
        shown = [_use("tile-back", 0, 0, 60, 92)]
        shown += ['<rect x="10" y="31" width="40" height="30" rx="7" fill="#33231a"/>']
        shown += ['<g color="#b3927a">']
        shown += [_use(f"n{d}", at, 36, 14, 19.6) for d, at in zip(digits, places, strict=True)]
    else:
        places = (16.8,) if len(digits) == 1 else (4.3, 29.2)
        shown = [_use("tile", 0, 0, 60, 92)]
        shown += [_use("pip", x, y, width, width * 0.625) for x, y, width in _PIPS[WORMS[number]]]
        shown += [f'<g color="{_INK}">']
        shown += [_use(f"n{d}", at, 7.5, 26.4, 37) for d, at in zip(digits, places, strict=True)]
    return _scaled(x, y, width / 60, [*shown, "</g>"])


def _spot(
    number: int, x: float, y: float, width: float, there: JsonValue, players: Sequence[Player]
) -> str:
    """Return a spot of the barbecue with the plates or the snail on it."""
    worms = WORMS[number]
    size = 17 if worms < 3 else 13.2
    tens, ones = divmod(number, 10)
    on_it = there if isinstance(there, list) else []
    shown = [
        _use("spot", 0, 0, 60, 116),
        f'<g color="{_INK}">',
        _use(f"n{tens}", 7.3, 5.5, 23.2, 32.5),
        _use(f"n{ones}", 29.5, 5.5, 23.2, 32.5),
        "</g>",
        *(
            _use("pip", 30 - worms * size / 2 + i * size, 95, size, size * 0.625)
            for i in range(worms)
        ),
        *(
            _plate(players[each], 8 + 4 * i, 42 + 4 * i, 44)
            if isinstance(each, int)
            else _use("snail", 6, 42, 48)
            for i, each in enumerate(on_it)
        ),
    ]
    return _scaled(x, y, width / 60, shown)


def _plate(player: Player, x: float, y: float, size: float) -> str:
    colour = _INK if player.plate == _DARK_ON else "#fff"
    scale = 0.46 if len(player.badge) == 1 else 0.36
    return _use(f"plate-{player.plate}", x, y, size) + (
        f'<text x="{x + size / 2:g}" y="{y + size * (0.5 + 0.36 * scale):.1f}" '
        f'font-family="Bitter, serif" font-weight="700" font-size="{size * scale:.1f}" '
        f'text-anchor="middle" fill="{colour}">{escape(player.badge)}</text>'
    )


def _background() -> str:
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_BACKGROUND}"/>'


def _bar(title: str) -> str:
    return (
        f'<rect width="{WIDTH}" height="{BAR}" fill="{_PANEL}"/><g color="{_CREAM}">'
        f"{_use('logo', _EDGE, 22, 265, 48)}</g>"
        f"{_words(title, 345, 61, 42, WIDTH - 345 - _EDGE)}"
    )


# --- the table during a game ----------------------------------------------------------------------


def _table(state: AnyState, players: Sequence[Player]) -> str:
    shown = state_to_json(state)
    table, turn = shown["table"], shown["turn"]
    assert isinstance(table, dict), "a state has a table"
    assert isinstance(turn, dict), "a state has a turn"
    dice = _dice(turn)
    top = _PLAYERS if dice else (_DICE + _PLAYERS) / 2
    return _grill(state, table, players) + dice + _seats(state, table, players, top)


def _grill(state: AnyState, table: JsonObject, players: Sequence[Player]) -> str:
    top, bottom = _GRILL
    rods = "".join(
        f'<rect x="{x}" y="{top}" width="7" height="{bottom - top}" fill="{_ROD}" opacity=".55"/>'
        for x in range(18, WIDTH, 56)
    )
    embers = (
        f'<rect y="{top}" width="{WIDTH}" height="{bottom - top}" fill="{_COAL}"/>'
        f'<rect y="{top}" width="{WIDTH}" height="{bottom - top}" fill="#6e260b" opacity=".55"/>'
    )
    spots = table.get("spots")
    if isinstance(spots, dict):
        numbers = [*BARBECUE_SPOTS]
        pieces = [
            _spot(number, x, y, 76, spots.get(str(number)), players)
            for number, (x, y) in zip(numbers, _places(len(numbers), 76, 147), strict=True)
        ]
    else:
        pieces = _tiles(state, table)
    return embers + rods + "".join(pieces)


def _tiles(state: AnyState, table: JsonObject) -> list[str]:
    """Return the tiles of the grill in their places; those that somebody has leave a gap."""
    first = state_to_json(game_at(state.table).initial(2))["table"]
    assert isinstance(first, dict), "a state has a table"
    slots, standing = _numbers(first["grill"]), table.get("on_grill")
    guests = standing if isinstance(standing, dict) else {}
    up, down = _numbers(table["grill"]), _numbers(table["face_down"])
    width = 78 if "on_grill" in table else 94
    over = 34 if "on_grill" in table else 0
    shown = []
    places = _places(len(slots), width, width * 92 / 60 + over)
    for number, (x, y) in zip(slots, places, strict=True):
        if number in up:
            up.remove(number)
            guest = guests.get(str(number))
            shown.append(_tile(number, x, y + over, width))
            shown += [_use(str(guest), x + 8, y - 9, 62)] if guest else []
        elif number in down:
            down.remove(number)
            shown.append(_tile(number, x, y + over, width, back=True))
        else:
            shown.append(
                f'<rect x="{x:g}" y="{y + over:g}" width="{width}" height="{width * 92 / 60:g}" '
                f'rx="14" fill="{_COAL}" opacity=".45"/>'
            )
    return shown


def _places(count: int, width: float, height: float) -> list[tuple[float, float]]:
    """Return the corners of pieces of this size in two rows on the grill."""
    columns = (count + 1) // 2
    top, bottom = _GRILL
    step, gap = _INNER / columns, (bottom - top - 2 * height) / 3
    return [
        (
            _EDGE + place % columns * step + (step - width) / 2,
            top + gap + place // columns * (height + gap),
        )
        for place in range(count)
    ]


def _dice(turn: JsonObject) -> str:
    """Return the kept dice with their total, and the dice just rolled."""
    kept, rolled, golden = (str(turn[name] or "") for name in ("kept", "roll", "golden_roll"))
    faces = [f"die-{face}" for face in rolled] + [f"gold-{face}" for face in golden]
    shown = [
        _use(f"die-{face}", _EDGE + place * 48, _DICE + 6, 44) for place, face in enumerate(kept)
    ]
    if kept:
        total = turn["total"]
        assert isinstance(total, int), "a turn has a total"
        shown.append(_number(total, _EDGE + len(kept) * 48 + 14, _DICE + 10, 36, _CREAM))
    left = WIDTH - _EDGE - len(faces) * 60
    shown += [_use(face, left + place * 60, _DICE, 56) for place, face in enumerate(faces)]
    return "".join(shown)


def _seats(state: AnyState, table: JsonObject, players: Sequence[Player], top: float) -> str:
    step = _INNER / len(players)
    shown = []
    for seat, (player, score) in enumerate(zip(players, scores(state), strict=True)):
        x = _EDGE + seat * step
        colour = _EMBER if seat == state.seat else _PANEL
        shown += [
            (
                f'<rect x="{x:g}" y="{top:g}" width="{step - 10:g}" height="112" rx="14" '
                f'fill="{_PANEL}" stroke="{colour}" stroke-width="4"/>'
            ),
            _plate(player, x + 10, top + 8, 46),
            _words(player.name, x + 62, top + 39, 28, step - 84),
            _belongings(table, seat, score, x + 12, top + 60),
        ]
    return "".join(shown)


def _belongings(table: JsonObject, seat: int, score: int, x: float, y: float) -> str:
    """Return what a player has: worms, the top tile, a Specialist or snails."""
    stacks, held, snails = (table.get(name) for name in ("stacks", "held", "snails"))
    shown = [_use("pip", x, y + 8, 45, 28), _number(score, x + 50, y + 7, 30, _CREAM)]
    x += 62 + _number_width(score, 30)
    if isinstance(stacks, list) and (tiles := _numbers(stacks[seat])):
        shown.append(_tile(tiles[-1], x, y, 29))
        x += 34
    if isinstance(held, list) and held[seat]:
        shown.append(_use(str(held[seat]), x, y, 44))
    if isinstance(snails, list) and snails[seat]:
        shown.append(_use("snail", x, y, 44))
    return "".join(shown)


def _numbers(values: JsonValue) -> list[int]:
    return [each for each in values if isinstance(each, int)] if isinstance(values, list) else []


# --- the end --------------------------------------------------------------------------------------


def _standings(state: AnyState, players: Sequence[Player]) -> str:
    """Return everybody's score, the winners first with the chef's hat."""
    end = outcome(state)
    assert end is not None, "the game is over"
    table = state_to_json(state)["table"]
    assert isinstance(table, dict), "a state has a table"
    order = [seat for place in end.ranking for seat in place]
    height = min(124.0, (HEIGHT - BAR - 24) / len(players))
    top = BAR + 12 + (HEIGHT - BAR - 24 - height * len(players)) / 2
    # A row is drawn 124 high and scaled; its width is what then fills the picture.
    wide = _INNER * 124 / height
    return "".join(
        _scaled(_EDGE, top + place * height, height / 124, row)
        for place, row in enumerate(
            _standing(table, players[seat], seat, scores(state)[seat], wide, seat in end.winners)
            for seat in order
        )
    )


def _standing(
    table: JsonObject, player: Player, seat: int, score: int, wide: float, has_won: bool
) -> list[str]:
    return [
        (
            f'<rect y="4" width="{wide:g}" height="116" rx="16" fill="{_PANEL}" '
            f'stroke="{_EMBER if has_won else _PANEL}" stroke-width="4"/>'
        ),
        _plate(player, 22, 28, 76),
        _use("chef", 33, -6, 54) if has_won else "",
        _words(player.name, 120, 78, 44, 290),
        _harvest(table, seat, wide - 700),
        _number(score, wide - 100 - _number_width(score, 62), 31, 62, _CREAM),
        _use("pip", wide - 86, 42, 64, 40),
    ]


def _harvest(table: JsonObject, seat: int, room: float) -> str:
    """Return what the score of a player is made of."""
    stacks, held, x = table.get("stacks"), table.get("held"), 430.0
    tiles = sorted(_numbers(stacks[seat]), reverse=True) if isinstance(stacks, list) else []
    extras: list[str] = []
    for name, art in (("bratworms", "bratworm"), ("snails", "snail")):
        counts = table.get(name)
        if isinstance(counts, list) and isinstance(count := counts[seat], int):
            extras += [art] * count
    if isinstance(held, list) and held[seat]:
        extras.append(str(held[seat]))
    step = min(58.0, room / max(1, len(tiles) + len(extras)))
    shown = [_tile(tile, x + place * step, 22, 52) for place, tile in enumerate(tiles)]
    x += len(tiles) * step
    return "".join([*shown, *(_use(art, x + i * step, 34, 56) for i, art in enumerate(extras))])
