"""The commands of the coach: `heckmeck odds` and `heckmeck advise`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click
from msgspec import to_builtins

from heckmeck import coach, installation, rules
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.cli.files import game_option, load
from heckmeck.cli.options import (
    edition_option,
    json_option,
    language_option,
    number_option,
    position_option,
)
from heckmeck.cli.printing import Cell, Column, can_draw, print_line, print_table
from heckmeck.coach.why import Why
from heckmeck.record import BadPosition, JsonObject, Record, read_position, record_from
from heckmeck.rules.moves import Keep, Roll, Stop

if TYPE_CHECKING:
    from heckmeck.coach.advice import Odds
    from heckmeck.wire.coach import Advice


#: The name endings of pictures that can be drawn.
PICTURES: Final = (".svg", ".png")
#: What the value of a move is called, by unit.
VALUE_IN: Final = {"win": "chance to win", "worms": "worth in worms"}

unit_option = click.option(
    "--unit",
    type=click.Choice(list(VALUE_IN)),
    help="Measure moves by win (chance to win the game) or worms (worms the turn brings). "
    "Default: win, where a champion has learned the game.",
)


class Options(TypedDict):
    """The options of `heckmeck odds`, as click hands them over."""

    edition: str
    holding: str | None
    kept: str
    hand: int | None
    roll: str | None
    position: str | None
    unit: coach.Unit | None
    as_json: bool
    plot: Path | None


class Advising(TypedDict):
    """The options of `heckmeck advise`."""

    file: str | None
    after: int | None
    game: int | None
    position: str | None
    unit: coach.Unit | None
    language: str
    as_json: bool


@click.command()
@edition_option("Edition whose dice to use.")
@click.option(
    "--holding",
    type=click.Choice(["golden", "weasel", "canned"]),
    help="Specialist held by the player, in deluxe (default: none).",
)
@click.option(
    "--kept",
    default="",
    show_default=False,
    metavar="DICE",
    help="Dice kept so far, such as 44W (default: none).",
)
@number_option("--hand", "White dice still in hand (default: all that are not kept).", least=0)
@click.option(
    "--roll",
    metavar="DICE",
    help="The dice just rolled, such as 1134W, or 1134W+1 with the golden die (default: not "
    "rolled yet).",
)
@position_option
@unit_option
@json_option("Print JSON; with --unit, the moves are included.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also draw the odds to FILE, an .svg or .png (default: no picture).",
)
def odds(**options: Unpack[Options]) -> None:
    """Show the exact odds of a turn: at least and exactly each number, with a worm.

    The odds for each number assume perfect play for that number alone. Describe any point of a
    turn with --kept, --hand and --roll; if there is a choice, each move is weighed as in the first
    turn of a two-player game. With --position, moves are weighed in that position.

    \b
    Examples:
      $ heckmeck odds
      $ heckmeck odds --kept 44W --hand 5
      $ heckmeck odds --edition deluxe --holding weasel --roll 11234455
      $ heckmeck odds --edition junior --json
      $ heckmeck odds --roll 1124445W --unit worms
      $ heckmeck odds --position classic_21-24.26-36_25_-_1~44W~11335
    """
    unit, plot = options["unit"], options["plot"]
    if plot is not None:
        _check_picture(plot)
    with reporting(coach.BadTurn, coach.NoChampion):
        title, result, advice = _solved(options)
    if plot is not None:
        _draw(result, title, plot)
    if options["as_json"]:
        click.echo(json.dumps(_to_json(result) | (to_builtins(advice) if unit else {})))
    else:
        _show(result, title)
        if len(advice.moves) > 1:
            click.echo()
            _show_advice(advice)


def _solved(options: Options) -> "tuple[str, Odds, Advice]":
    """Return the title, the odds and the moves of the turn that the options describe."""
    from heckmeck.coach import advice

    position, holding, unit = options["position"], options["holding"], options["unit"]
    if position is not None:
        described = holding, options["kept"], options["hand"], options["roll"]
        if any(each not in (None, "") for each in described):
            raise UserError("--position has the dice of the turn; leave out the other options.")
        state = state_at(position)
        if not any(isinstance(move, Roll | Stop | Keep) for move in rules.legal(state)):
            raise UserError("In this position there is neither a roll nor a keep to decide.")
        return position, advice.odds_at(state), advice.advise(state, unit)
    setup = coach.TurnSetup(
        options["edition"],
        rules.Specialist(holding) if holding else None,
        options["kept"],
        options["hand"],
        options["roll"],
    )
    return _title(setup), advice.odds(setup), advice.advise_turn(setup, unit)


def _to_json(odds: "Odds") -> JsonObject:
    return {
        "edition": odds.edition,
        "at_least": {str(number): chance for number, chance in odds.at_least.items()},
        "exactly": {str(number): chance for number, chance in odds.exactly.items()},
    }


def _title(setup: coach.TurnSetup) -> str:
    parts = [
        setup.edition,
        f"holding {setup.holding}" if setup.holding else "",
        f"kept {setup.kept}" if setup.kept else "",
        f"{setup.hand} in hand" if setup.hand is not None else "",
        f"rolled {setup.roll}" if setup.roll else "",
    ]
    return ", ".join(filter(None, parts))


def _show(odds: "Odds", title: str) -> None:
    columns = (
        Column("", style="bold"),
        Column("at least"),
        Column("", "left", "dark_orange", is_bar=True),
        Column("exactly"),
        Column("", "left", "green", is_bar=True),
    )
    rows: list[list[Cell]] = []
    for number in sorted({*odds.at_least, *odds.exactly}):
        at_least, exactly = odds.at_least.get(number), odds.exactly.get(number)
        rows.append([str(number), _percent(at_least), at_least, _percent(exactly), exactly])
    print_line(f"Odds with a worm: {title}")
    print_table(columns, rows)


def _percent(chance: float | None) -> str:
    return "" if chance is None else f"{chance:.1%}"


def _check_picture(path: Path) -> None:
    """Raise a `UserError` if no picture can be drawn to ``path``, before anything is solved."""
    if path.suffix not in PICTURES:
        raise UserError(f"{path}: the name of a picture must end in {' or '.join(PICTURES)}.")
    if not can_draw():
        raise UserError(f"--plot needs matplotlib. {installation.to_add('plots')}")


def _draw(odds: "Odds", title: str, path: Path) -> None:
    """Draw the odds to ``path``, in the format of its suffix."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    numbers = sorted({*odds.at_least, *odds.exactly})
    for shift, chances, label, colour in (
        (-0.2, odds.at_least, "at least", "#c8641e"),
        (+0.2, odds.exactly, "exactly", "#4f7a3a"),
    ):
        places = [numbers.index(number) + shift for number in chances]
        axes.bar(
            places, [chance * 100 for chance in chances.values()], 0.38, label=label, color=colour
        )
    axes.set_xticks(range(len(numbers)), [str(number) for number in numbers])
    axes.set_ylabel("chance in %")
    axes.set_ylim(0, 100)
    axes.set_title(f"Odds with a worm: {title}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    with file_errors(path):
        figure.savefig(path, dpi=150)


@click.command()
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--move",
    "after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Weigh the position after the first N moves (default: after all of them).",
)
@game_option
@position_option
@unit_option
@language_option
@json_option("Print JSON, as in the engine protocol.")
def advise(**options: Unpack[Advising]) -> None:
    """Weigh every legal move at a position.

    FILE is a record in JSON or text form, - reads standard input (default: none, with --position).
    A move is worth its chance to win with best play (--unit win), or the worms the turn brings,
    losses included (--unit worms). The chance that the turn brings nothing is shown too, and why
    the best move is better than each other one.

    \b
    Examples:
      $ heckmeck advise game.heckmeck.json
      $ heckmeck advise game.heckmeck.json --move 17 --json
      $ heckmeck advise game.heckmeck.json --unit worms
      $ heckmeck advise games.jsonl --game 3 --move 17
      $ heckmeck advise --position classic_21-24.26-36_25_-_1~44W~11335
    """
    from heckmeck.coach.advice import advise as weigh

    after, position = options["after"], options["position"]
    record = record_to_study(options["file"], options["game"], after, position)
    with reporting(coach.NoChampion):
        advice = weigh(record.end, options["unit"])
    if options["as_json"]:
        click.echo(json.dumps(to_builtins(advice)))
        return
    _show_advice(advice)
    click.echo()
    why = Why(options["language"], record.seats)
    for reason in advice.reasons:
        print_line(f"{reason.other}: {why.short(reason, advice.unit)}")
    if advice.cost is not None and advice.reasons:
        print_line(why.cost(advice.cost))


def record_to_study(
    file: str | None, game: int | None, after: int | None, position: str | None
) -> Record:
    """Return a record that ends with the decision to study: a file's, or one of a position."""
    if (file is None) == (position is None):
        raise UserError("Give either the FILE of a record, or a position with --position.")
    if file is not None:
        return record_at(load(file, game), after)
    if game is not None or after is not None:
        raise UserError("--position is a single position, without --game and --move.")
    state = state_at(position or "")
    return record_at(
        record_from(state, [f"Player {n + 1}" for n in range(state.table.seats)]), None
    )


def state_at(position: str) -> rules.AnyState:
    """Return the position given as text, or raise a `UserError` that says what is wrong."""
    with reporting(BadPosition):
        return read_position(position)


def record_at(record: Record, after: int | None) -> Record:
    """Return the record up to a position in which there is something to decide.

    ``after`` is the number of its moves (None: all of them); raise a `UserError` if it has fewer,
    or if nobody has to decide there.
    """
    count = len(record.moves) if after is None else after
    if count > len(record.moves):
        raise UserError(
            f"--move {count}: the record has only {len(record.moves)} moves. Choose a number from "
            f"0 to {len(record.moves)}."
        )
    until = record if after is None else record.first_moves(count)
    if not rules.legal(until.end):
        raise UserError(
            f"There is nothing to decide after {count} moves: the dice are still to be rolled, or "
            "the game is over."
        )
    return until


def _show_advice(advice: "Advice") -> None:
    """Print every move with its value and its risk, best first."""
    figure = "{:.1%}" if advice.unit == "win" else "{:+.3f}"
    columns = (
        Column("move", "left", "bold"),
        Column(VALUE_IN[advice.unit]),
        Column("brings nothing"),
    )
    print_table(columns, [(m.move, figure.format(m.worth), f"{m.fail:.1%}") for m in advice.moves])
