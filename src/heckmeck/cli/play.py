"""`heckmeck play`: a new game, a resumed one or a rematch, with its players and its file."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TypedDict, Unpack

import click
from click.core import ParameterSource

from heckmeck import dice, narration
from heckmeck.bots import BOTS, Player, UnknownBot, is_outside, player
from heckmeck.cli import files, tables
from heckmeck.cli.commands import UserError, reporting
from heckmeck.cli.options import (
    language_option,
    plain_option,
    player_names,
    position_option,
    theme_option,
    warn_option,
)
from heckmeck.record import BadPosition, History, Record, decision_at, read_position, record_from
from heckmeck.rules import EDITIONS, AnyState, BadSetup, HouseRules, outcome
from heckmeck.tui import can_show, local_game
from heckmeck.tui.local_game import CannotSave, Game, Seated
from heckmeck.tui.local_source import LocalSource, Pace

DEFAULT_PLAYERS = "me,rooster"
#: What a resumed game already has.
SETTLED = ("edition", "first", "seed", "flip_always", "flip_returned", "own_dice", "position")
#: What a position already has.
SET_UP = ("edition", "first", "flip_always", "flip_returned")


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    edition: str
    players: str
    first: int | None
    seed: str | None
    hints: bool
    warn: bool
    path: Path | None
    resume: bool
    position: str | None
    plain: bool
    pace: str
    theme: str
    language: str
    flip_always: bool
    flip_returned: bool
    own_dice: bool


@click.command()
@click.argument("edition", type=click.Choice(list(EDITIONS)), default="classic")
@click.option(
    "--players",
    default=DEFAULT_PLAYERS,
    shell_complete=player_names,
    help="Players in seating order: a bot's name, your own bot (py:MODULE:CLASS, exec:PROGRAM), or "
    "any other name for a person at this screen.",
)
@click.option(
    "--first",
    type=int,
    metavar="SEAT",
    help="Seat of the starting player, counting from 0 (default: random).",
)
@click.option(
    "--seed",
    metavar="TEXT|NUMBER",
    help="Seed of the dice and the bots; the same seed and moves give the same game (default: "
    "random).",
)
@click.option("--hints", is_flag=True, help="Show what each move is worth; H turns this on or off.")
@warn_option
@click.option(
    "--flip-always",
    is_flag=True,
    help="House rule: every failed attempt turns a tile, even if none was returned.",
)
@click.option(
    "--flip-returned",
    is_flag=True,
    help="House rule: the returned tile itself is turned if it is the highest.",
)
@click.option(
    "--own-dice",
    is_flag=True,
    help="Roll real dice, for bots too, and type what fell; U corrects a roll.",
)
@click.option(
    "--record",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the game to FILE, even if you leave early. By default, games with people are saved "
    "in your data folder.",
)
@click.option(
    "--resume", is_flag=True, help="Resume the last unfinished game, or the one in --record."
)
@position_option
@plain_option
@click.option(
    "--pace",
    type=click.Choice([pace.value for pace in Pace]),
    default=Pace.NORMAL.value,
    help="How fast bots play; the + and - keys change it.",
)
@theme_option
@language_option
@click.pass_context
def play(ctx: click.Context, /, **options: Unpack[Options]) -> int:
    """Play a game in the terminal, against bots or with people at this screen.

    EDITION is classic (the default), deluxe, barbecue or junior. Use the keyboard or the mouse; ?
    lists the keys. With --plain, answer each prompt with one of the words offered, or its short
    form. Every move is saved at once, so you can close the window and continue later with
    --resume.

    \b
    Examples:
      $ heckmeck play
      $ heckmeck play deluxe --players Ada,Ben,random
      $ heckmeck play junior --seed 7 --record game.heckmeck.json
      $ heckmeck play --own-dice --players Ada,Ben
      $ heckmeck play --resume
      $ heckmeck play --position classic_21-24.26-36_25_-_1~44W~11335
      $ heckmeck play --plain --hints --players me,fox
      $ heckmeck play deluxe --players me,fox,rooster --warn
      $ heckmeck play --players "me,exec:./mybot --careful"
    """
    shown = not options["plain"] and can_show()
    keep = shown or sys.stdin.isatty()
    with reporting(CannotSave):
        if options["resume"]:
            game = _resumed(ctx, options)
        else:
            _check_set_up(ctx, options)
            game = new_game(options, keep=keep)
        return _play(game, options, shown=shown)


def _play(game: Game, options: Options, *, shown: bool) -> int:
    language = options["language"]
    words = narration.table_words(language)
    pace = Pace(options["pace"]) if shown else None
    source = LocalSource(
        game, language, pace=pace, hints=options["hints"], warn=options["warn"], rematch=rematch
    )
    if not shown:
        _introduce(game, words)
    try:
        status = tables.run_table(source, language, options["theme"], shown=shown)
        if not shown and not source.game.is_over:
            click.echo(words.say("left.here"))
    except KeyboardInterrupt:
        click.echo(f"\n{words.say('left.here')}")
        raise click.Abort from None  # click would print an empty line for a KeyboardInterrupt
    finally:
        _say_where(source.game, words)
    return status


def _introduce(game: Game, words: narration.Messages) -> None:
    """Print which game it is, with the seed of its dice."""
    edition, names = game.record.edition, ", ".join(game.record.seats)
    click.echo(words.say("plain.seed", edition=edition, names=names, seed=game.seed))


def _say_where(game: Game, words: narration.Messages) -> None:
    """Print where the game is saved, and how to continue it."""
    if game.path is None:
        return
    if game.is_over or not game.is_ours:
        click.echo(words.say("left.record", path=str(game.path)))
        return
    click.echo(words.say("left.saved", path=str(game.path)))
    click.echo(words.say("left.resume", command="heckmeck play --resume"))


# --- games ----------------------------------------------------------------------------------------


def new_game(options: Options, *, keep: bool) -> Game:
    """Set up the game that the options describe; with ``keep`` it is saved even without a path."""
    path, first = options["path"], options["first"]
    if path is not None and path.exists():
        raise UserError(f"{path} already exists. Choose another name for the record.")
    seed = options["seed"] or str(dice.fresh_seed())
    players = _split(options["players"])
    start = None if options["position"] is None else _start(options["position"])
    if start is not None:
        players = _players_at(start, players)
    if first is None:
        first = dice.SeededLuck(f"first {seed}").below(len(players))
    house = HouseRules(options["flip_always"], options["flip_returned"])
    own_dice = options["own_dice"]
    extra = Seated(players, seed, own_dice).in_record()
    seats = _seat_names(players)
    record = Record(options["edition"], seats, first, house, extra=extra)
    if start is not None:
        record = replace(record_from(start, seats), extra=extra)
    with reporting(BadSetup):
        history = History(record)
    bots = _bots(players, warn=options["warn"])
    if path is None and keep:
        return _in_our_folder(history, bots, seed, own_dice)
    return Game(history, bots, seed, path, own_dice=own_dice)


def _check_set_up(ctx: click.Context, options: Options) -> None:
    """Refuse options that say again what a position says."""
    said = [_spelt(name) for name in SET_UP if _is_given(ctx, name)]
    if options["position"] is not None and said:
        raise UserError(f"--position cannot be combined with {', '.join(said)}: it has them.")


def _start(position: str) -> AnyState:
    """Return where a game from this position begins; dice in the air are rolled again."""
    with reporting(BadPosition):
        state = decision_at(read_position(position))
    if state is None:
        raise UserError("The game is over in this position.")
    return state


def _players_at(start: AnyState, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players of a position: by default as many bots as it needs."""
    seats, usual = start.table.seats, _split(DEFAULT_PLAYERS)
    if players == usual:
        return usual + usual[-1:] * (seats - len(usual))
    if len(players) != seats:
        raise UserError(f"--players has {len(players)} names, but the position has {seats} seats.")
    return players


def rematch(before: Game) -> Game:
    """Set up a rematch of the same players; the next seat starts."""
    record, seated = before.record, local_game.seated_in(before.record)
    players = record.seats if seated is None else seated.players
    seed = str(dice.fresh_seed())
    first = (record.first + 1) % len(record.seats)
    extra = Seated(players, seed, before.own_dice).in_record()
    history = History(replace(record, first=first, moves=(), extra=extra, position=None))
    if before.path is None:
        return Game(history, before.bots, seed, own_dice=before.own_dice)
    return _in_our_folder(history, before.bots, seed, before.own_dice)


def _in_our_folder(history: History, bots: Mapping[int, Player], seed: str, own_dice: bool) -> Game:
    now = datetime.now().astimezone()
    path = local_game.new_path(local_game.games_folder(), history.record.edition, now)
    return Game(history, bots, seed, path, is_ours=True, own_dice=own_dice)


def _resumed(ctx: click.Context, options: Options) -> Game:
    """Return the unfinished game, with its own players or with others in their seats."""
    settled = [_spelt(name) for name in SETTLED if _is_given(ctx, name)]
    if settled:
        raise UserError(
            f"--resume cannot be combined with {', '.join(settled)}: the game continues as it was "
            "set up."
        )
    path = options["path"] or local_game.latest_unfinished(local_game.games_folder())
    if path is None:
        raise UserError("There is no unfinished game. Start one with: heckmeck play")
    record = files.load(str(path))
    if outcome(record.end) is not None:
        raise UserError(f"{path}: this game is over. Replay it with: heckmeck replay {path}")
    seated = local_game.seated_in(record) or Seated(record.seats, str(dice.fresh_seed()))
    if _is_given(ctx, "players"):
        seated = replace(seated, players=_as_many(options["players"], record))
    else:
        _refuse_programs(seated, path)
    history = History(replace(record, extra={**record.extra, **seated.in_record()}))
    bots = _bots(seated.players, warn=options["warn"])
    is_ours = options["path"] is None
    return Game(history, bots, seated.seed, path, is_ours=is_ours, own_dice=seated.own_dice)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT


def _spelt(name: str) -> str:
    return "EDITION" if name == "edition" else f"--{name.replace('_', '-')}"


def _as_many(players: str, record: Record) -> tuple[str, ...]:
    names = _split(players)
    if len(names) != len(record.seats):
        raise UserError(
            f"--players has {len(names)} names, but this game has {len(record.seats)} seats: "
            f"{', '.join(record.seats)}."
        )
    return names


def _refuse_programs(seated: Seated, path: Path) -> None:
    """Refuse to run a program merely because a file names it."""
    if any(map(is_outside, seated.players)):
        raise UserError(
            f"{path}: some seats are played by programs. To run them again, pass --players "
            f'"{",".join(seated.players)}"'
        )


# --- seats ----------------------------------------------------------------------------------------


def _split(players: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in players.split(","))


def _bots(names: tuple[str, ...], *, warn: bool) -> dict[int, Player]:
    """Return the bots by seat; ``warn``: a person who is warned has to play against bots only."""
    with reporting(UnknownBot):
        bots = {
            seat: player(name, outside=True)
            for seat, name in enumerate(names)
            if name in BOTS or is_outside(name)
        }
    if warn and len(bots) != len(names) - 1:
        raise UserError("--warn is for one person against bots, as in --players me,fox.")
    return bots


def _seat_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names with duplicates numbered: two bots may be of one kind."""
    if "" in names:
        raise UserError("--players has an empty name. Write the names as in --players me,fox.")
    seats: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in count(1))
        candidates = numbered if names.count(name) > 1 else iter([name])
        seats.append(
            next(each for each in candidates if each not in {*names, *seats} or each == name)
        )
    return tuple(seats)
