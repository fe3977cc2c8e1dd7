"""A review as one page that needs nothing else: curve, figures, luck, pictures of mistakes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from typing import Final

from heckmeck.cli.review import SIGNS, amount, mistakes, turns_of
from heckmeck.coach.story import story_of
from heckmeck.record import JsonObject, JsonValue, Record, replay, state_to_json
from heckmeck.rules import AnyState, Specialist, scores, word
from heckmeck.rules.components import BARBECUE_SPOTS, DELUXE_TILES, JUNIOR_TILES
from heckmeck.wire.coach import Decision, Review

#: Colours that colour-blind people can distinguish; lines are also dashed differently.
COLOURS: Final = ("#c8641e", "#3f6f8f", "#4f7a3a", "#b8862b", "#7a4f8a", "#8a5a44", "#666666")
DASHES: Final = ("", "2 4", "8 4", "8 3 2 3", "12 4", "1 3", "5 3")
WIDTH: Final = 860
HEIGHT: Final = 240
LEFT: Final = 44
#: What stands for a figure that does not exist.
NONE: Final = "&ndash;"
WORMS: Final = {**JUNIOR_TILES, **DELUXE_TILES, **BARBECUE_SPOTS}

STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 900px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 8px; border-top: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
article { margin: 12px 0; padding: 12px; border: 1px solid var(--line); border-radius: 10px; }
article h3 { margin: 0 0 8px; font-size: 1rem; }
.row { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; margin: 6px 0; }
.row > b { min-width: 6.5em; font-weight: 600; overflow-wrap: anywhere; }
.piece { display: inline-grid; place-items: center; min-width: 30px; padding: 2px 4px;
  border: 1px solid var(--line); border-radius: 6px; background: var(--soft); line-height: 1.15; }
.piece small { font-size: 0.7rem; } .down { opacity: 0.45; text-decoration: line-through; }
.die { border-radius: 7px; min-width: 20px; font-weight: 600; } .gold { background: #d9a44166; }
.played td { font-weight: 700; } .muted { opacity: 0.75; font-size: 0.9rem; }
"""


def page(record: Record, judged: Review, language: str) -> str:
    """Return the page as HTML."""
    names = [escape(name) for name in record.seats]
    title = f"{record.edition}: {', '.join(names)}"
    parts = [
        f"<h1>{title}</h1>",
        *_stories(record, judged, language),
        f'<div class="wide">{_players(record, judged)}</div>',
        *_curve(judged, names),
        *_luck(record, judged),
        *_mistakes(record, judged),
        f'<p class="muted">In {_unit(judged)}, judged by {escape(judged.evaluator)}.</p>',
        '<p class="muted">Definitions: <code>heckmeck docs analysis</code></p>',
    ]
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _unit(judged: Review) -> str:
    return "points of win chance" if judged.unit == "win" else "worms"


def _stories(record: Record, judged: Review, language: str) -> list[str]:
    found = (story_of(t, n, language) for t, n in zip(judged.players, record.seats, strict=True))
    return [f"<p>{escape(story)}</p>" for story in found if story]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{cell}</th>' for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _players(record: Record, judged: Review) -> str:
    header = ["", "worms", "given away", "luck", *SIGNS.values()]
    if judged.unit == "win":
        header += ["even luck", "error rate", "PR", "plays like", "unexplained"]
    rows = []
    for seat, (totals, score) in enumerate(zip(judged.players, scores(record.end), strict=True)):
        marks = Counter(each.mark for each in judged.decisions if each.seat == seat)
        row = [escape(record.seats[seat]), str(score)]
        row += [amount(totals.given_away, judged), amount(totals.luck, judged)]
        row += [str(marks[mark]) for mark in SIGNS]
        if judged.unit == "win":
            figures = (totals.error_rate, totals.pr)
            row += [NONE if totals.adjusted is None else f"{totals.adjusted:.0%}"]
            row += [NONE if each is None else f"{each:.1f}" for each in figures]
            row += [totals.grade or NONE]
            row += [NONE if totals.residual is None else amount(totals.residual, judged)]
        rows.append(row)
    return _table(header, rows)


# --- pictures of the whole game -------------------------------------------------------------------


def _curve(judged: Review, names: Sequence[str]) -> list[str]:
    """Return the chances to win from the first move to the last, with the mistakes."""
    if judged.chances is None:
        return []
    last = max(len(judged.chances) - 1, 1)

    def at(move: int, chance: float) -> str:
        x = LEFT + move / last * (WIDTH - LEFT - 8)
        return f"{x:.1f} {8 + (1 - chance) * (HEIGHT - 16):.1f}"

    lines = [
        f'<path fill="none" stroke-width="2" stroke="{COLOURS[seat]}" '
        f'stroke-dasharray="{DASHES[seat]}" '
        f'd="M{" L".join(at(move, row[seat]) for move, row in enumerate(judged.chances))}"/>'
        for seat in range(len(names))
    ]
    rules = [
        f'<path stroke="currentColor" opacity="0.2" d="M{at(0, part / 4)} L{at(last, part / 4)}"/>'
        f'<text x="4" y="{12 + (1 - part / 4) * (HEIGHT - 16):.0f}">{25 * part}%</text>'
        for part in range(5)
    ]
    dots = [
        _dot(each, at(each.index, judged.chances[each.index][each.seat]))
        for each in mistakes(judged)
    ]
    legend = "".join(
        f'<span class="piece" style="border-color:{COLOURS[seat]};border-width:2px">{name}</span>'
        for seat, name in enumerate(names)
    )
    drawn = "".join(chain(rules, lines, dots))
    label = 'role="img" aria-label="Chance to win, move by move"'
    return [
        "<h2>Chance to win</h2>",
        f'<div class="row">{legend}</div>',
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" {label}>{drawn}</svg>',
    ]


def _dot(decision: Decision, place: str) -> str:
    """Return a link to a mistake, where it happened."""
    x, y = place.split()
    sign = SIGNS[decision.mark] if decision.mark else ""
    fill, words = COLOURS[decision.seat], f"<title>{sign} {escape(decision.move)}</title>"
    dot = f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}">{words}</circle>'
    return f'<a href="#move-{decision.index}">{dot}</a>'


def _luck(record: Record, judged: Review, count: int = 5) -> list[str]:
    """Return the rolls that changed most for the player who rolled."""
    turns = turns_of(record)
    ordered = sorted(judged.throws, key=lambda throw: -abs(throw.luck[throw.seat]))
    rows = [
        [
            f"turn {turns[throw.index]}, {escape(record.seats[throw.seat])}",
            escape(word(record.moves[throw.index]).removeprefix("=")),
            amount(throw.luck[throw.seat], judged),
        ]
        for throw in ordered[:count]
    ]
    if not rows:
        return []
    return ["<h2>The luckiest and unluckiest rolls</h2>", _table(["", "roll", "luck"], rows)]


# --- mistakes -------------------------------------------------------------------------------------


def _mistakes(record: Record, judged: Review) -> list[str]:
    found = mistakes(judged)
    if not found:
        return ["<h2>Mistakes</h2><p>None.</p>"]
    turns = turns_of(record)
    states = [record.start(), *(step.state for step in replay(record))]
    return [
        "<h2>Mistakes</h2>",
        *(_mistake(record, judged, each, turns[each.index], states[each.index]) for each in found),
    ]


def _mistake(record: Record, judged: Review, decision: Decision, turn: int, state: AnyState) -> str:
    sign = SIGNS[decision.mark] if decision.mark else ""
    name, lost = escape(record.seats[decision.seat]), amount(decision.loss, judged)
    rows = "".join(
        f"<tr{' class=played' if each.move == decision.move else ''}><td>{escape(each.move)}</td>"
        f"<td>{_worth(each.worth, judged)}</td><td>{each.fail:.0%}</td></tr>"
        for each in decision.choices
    )
    head = "".join(f'<th scope="col">{cell}</th>' for cell in ("move", "worth", "brings nothing"))
    return (
        f'<article id="move-{decision.index}"><h3>{sign} Turn {turn}, {name}: '
        f"{escape(decision.move)} gave away {lost}</h3>{picture(record, state)}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></article>"
    )


def _worth(worth: float, judged: Review) -> str:
    return f"{worth:.1%}" if judged.unit == "win" else f"{worth:+.2f}"


def picture(record: Record, state: AnyState) -> str:
    """Return the table at a moment: what is on the grill, who has what, and the dice."""
    shown = state_to_json(state)
    table, turn = shown["table"], shown["turn"]
    assert isinstance(table, dict), "a state has a table"
    assert isinstance(turn, dict), "a state has a turn"
    rows = [_row("Grill", _grill(table, [escape(name) for name in record.seats]))]
    rows += [_row(escape(name), _belongings(table, seat)) for seat, name in enumerate(record.seats)]
    rows.append(_row(f"Kept: {turn['total']}", _dice(turn["kept"])))
    if turn["roll"] is not None:
        rows.append(_row("Rolled", [*_dice(turn["roll"]), *_dice(turn["golden_roll"], "gold")]))
    return "".join(rows)


def _row(name: str, pieces: Iterable[str]) -> str:
    return f'<div class="row"><b>{name}</b>{"".join(pieces) or NONE}</div>'


def _piece(text: str, below: str = "", kind: str = "") -> str:
    small = f"<small>{below}</small>" if below else ""
    return f'<span class="piece {kind}">{text}{small}</span>'


def _dice(faces: JsonValue, kind: str = "") -> list[str]:
    return [_piece(face, kind=f"die {kind}") for face in faces] if isinstance(faces, str) else []


def _grill(table: JsonObject, names: Sequence[str]) -> list[str]:
    spots = table.get("spots")
    if isinstance(spots, dict):
        return [
            _piece(str(spot), _on_spot(spots.get(str(spot)), names)) for spot in BARBECUE_SPOTS
        ] + [_piece("pool", f"{table['pool']} snails")]
    standing = table.get("on_grill")
    guests = standing if isinstance(standing, dict) else {}
    up, down = (_numbers(table.get(name)) for name in ("grill", "face_down"))
    return [
        *(_piece(str(tile), f"{guests.get(str(tile)) or WORMS[tile]}") for tile in up),
        *(_piece(str(tile), kind="down") for tile in down),
    ]


def _on_spot(there: JsonValue, names: Sequence[str]) -> str:
    """Return whose plates are on a spot, or that a snail is."""
    if not isinstance(there, list):
        return ""
    return "<br>".join(names[each] if isinstance(each, int) else str(each) for each in there)


def _belongings(table: JsonObject, seat: int) -> list[str]:
    """Return what a player has: the stack, its top first, and everything that is counted."""
    stacks, held = table.get("stacks"), table.get("held")
    pieces: list[str] = []
    if isinstance(stacks, list):
        pieces += [_piece(str(tile), str(WORMS[tile])) for tile in _numbers(stacks[seat])[::-1]]
    if isinstance(held, list) and isinstance(held[seat], str):
        pieces.append(_piece(Specialist(str(held[seat])).value))
    for name in ("bratworms", "worms", "snails", "plates"):
        counts = table.get(name)
        if isinstance(counts, list) and counts[seat]:
            pieces.append(_piece(str(counts[seat]), name))
    return pieces


def _numbers(values: JsonValue) -> list[int]:
    return [each for each in values if isinstance(each, int)] if isinstance(values, list) else []
