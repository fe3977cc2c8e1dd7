"""A review as one page that needs nothing else: curve, figures, luck, pictures of mistakes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from typing import Final

from heckmeck.cli.review import SIGNS, amount, mistakes, turns_of
from heckmeck.coach.story import story_of
from heckmeck.coach.why import Why
from heckmeck.drawing import Player, symbols_in, table_only
from heckmeck.narration.narrator import badges
from heckmeck.record import Record, replay
from heckmeck.rules import AnyState, scores, word
from heckmeck.table.model import PLATES
from heckmeck.wire.coach import Decision, Review

#: Colours that colour-blind people can distinguish; lines are also dashed differently.
COLOURS: Final = ("#c8641e", "#3f6f8f", "#4f7a3a", "#b8862b", "#7a4f8a", "#8a5a44", "#666666")
DASHES: Final = ("", "2 4", "8 4", "8 3 2 3", "12 4", "1 3", "5 3")
WIDTH: Final = 860
HEIGHT: Final = 240
LEFT: Final = 44
#: What stands for a figure that does not exist.
NONE: Final = "&ndash;"

STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 900px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 8px; border-top: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
.curve text { font: 12px system-ui, sans-serif; fill: currentColor; }
article { margin: 12px 0; padding: 12px; border: 1px solid var(--line); border-radius: 10px; }
article h3 { margin: 0 0 8px; font-size: 1rem; }
.row { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; margin: 6px 0; }
.row > b { min-width: 6.5em; font-weight: 600; overflow-wrap: anywhere; }
.piece { display: inline-grid; place-items: center; min-width: 30px; padding: 2px 4px;
  border: 1px solid var(--line); border-radius: 6px; background: var(--soft); line-height: 1.15; }
.art { position: absolute; width: 0; height: 0; }
article .wide svg { min-width: 560px; border-radius: 10px; }
.played td { font-weight: 700; } .muted { opacity: 0.75; font-size: 0.9rem; }
"""


def page(record: Record, judged: Review, language: str, seat: str | None = None) -> str:
    """Return the page as HTML, with the mistakes of all players or of the one called ``seat``."""
    names = [escape(name) for name in record.seats]
    title = f"{record.edition}: {', '.join(names)}"
    parts = [
        f"<h1>{title}</h1>",
        *_stories(record, judged, language),
        f'<div class="wide">{_players(record, judged)}</div>',
        *_curve(judged, names),
        *_luck(record, judged),
        *_mistakes(record, judged, language, seat),
        f'<p class="muted">In {_unit(judged)}, judged by {escape(judged.evaluator)}.</p>',
        '<p class="muted">Definitions: <code>heckmeck docs analysis</code></p>',
    ]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<svg class="art" aria-hidden="true">{symbols_in(body)}</svg>\n{body}'
        "\n</body>\n</html>\n"
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
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" {label}>{drawn}</svg>',
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


def _mistakes(record: Record, judged: Review, language: str, seat: str | None) -> list[str]:
    found = mistakes(judged, None if seat is None else record.seats.index(seat))
    if not found:
        return ["<h2>Mistakes</h2><p>None.</p>"]
    turns, why = turns_of(record), Why(language, record.seats)
    states = [record.start(), *(step.state for step in replay(record))]
    return [
        "<h2>Mistakes</h2>",
        *(
            _mistake(record, judged, each, f"Turn {turns[each.index]}", states[each.index], why)
            for each in found
        ),
    ]


def _mistake(
    record: Record, judged: Review, decision: Decision, turn: str, state: AnyState, why: Why
) -> str:
    sign = SIGNS[decision.mark] if decision.mark else ""
    name, lost = escape(record.seats[decision.seat]), amount(decision.loss, judged)
    rows = "".join(
        f"<tr{' class=played' if each.move == decision.move else ''}><td>{escape(each.move)}</td>"
        f"<td>{_worth(each.worth, judged)}</td><td>{each.fail:.0%}</td></tr>"
        for each in decision.choices
    )
    head = "".join(f'<th scope="col">{cell}</th>' for cell in ("move", "worth", "brings nothing"))
    return (
        f'<article id="move-{decision.index}"><h3>{sign} {turn}, {name}: '
        f"{escape(decision.move)} gave away {lost}</h3>"
        f'<div class="wide">{table_only(state, _players_drawn(record))}</div>'
        f"<p>{'' if decision.reason is None else escape(why(decision.reason, judged.unit))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></article>"
    )


def _players_drawn(record: Record) -> list[Player]:
    names = record.seats
    return [*map(Player, names, badges(names), PLATES)]


def _worth(worth: float, judged: Review) -> str:
    return f"{worth:.1%}" if judged.unit == "win" else f"{worth:+.2f}"
