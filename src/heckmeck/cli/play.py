"""`heckmeck play`."""

import sys
from pathlib import Path
from typing import TypedDict, Unpack

import click
from click.core import ParameterSource

from heckmeck.bots import BotMisbehaved
from heckmeck.cli.completing import player_names
from heckmeck.cli.errors import UserError
from heckmeck.cli.language import language_option
from heckmeck.cli.play_setup import NewGame, Prepared, again, anew, resumed
from heckmeck.narration import table_words
from heckmeck.record import BadRecord
from heckmeck.rules import EDITIONS, HouseRules
from heckmeck.tui.game import Game
from heckmeck.tui.interrupts import first_interrupt, raise_interrupt
from heckmeck.tui.pace import Pace
from heckmeck.tui.run import THEMES, can_show
from heckmeck.tui.saved import CannotSave

DEFAULT_PLAYERS = "me,rooster"
#: What a resumed game already has.
SETTLED = ("edition", "first", "seed", "flip_always", "flip_returned")


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    edition: str
    players: str
    first: int | None
    seed: str | None
    hints: bool
    path: Path | None
    resume: bool
    plain: bool
    pace: str
    theme: str
    language: str
    flip_always: bool
    flip_returned: bool


@click.command()
@click.argument("edition", type=click.Choice(list(EDITIONS)), default="classic")
@click.option(
    "--players",
    default=DEFAULT_PLAYERS,
    show_default=True,
    shell_complete=player_names,
    help="Players in seating order: a bot's name, exec:PROGRAM for your own bot, or any other "
    "name for a person at this screen.",
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
    "--record",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the game to FILE, even if you leave early. By default, games with people are saved "
    "in your data folder.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Resume the last unfinished game, or the one in --record.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Play line by line, for screen readers and scripts (the default outside a terminal).",
)
@click.option(
    "--pace",
    type=click.Choice([pace.value for pace in Pace]),
    default=Pace.NORMAL.value,
    show_default=True,
    help="How fast bots play; the + and - keys change it.",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    show_default=True,
    help="Colour theme; auto follows the terminal. NO_COLOR is respected.",
)
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
      $ heckmeck play --resume
      $ heckmeck play --plain --hints --players me,fox
      $ heckmeck play --players "me,exec:./mybot --careful"
    """
    shown = not options["plain"] and can_show()
    try:
        prepared = _prepare(ctx, options, keep=shown or sys.stdin.isatty())
        if shown:
            return _show(prepared, options)
        return _line_by_line(prepared, options)
    except CannotSave as error:
        raise UserError(str(error)) from error


def _prepare(ctx: click.Context, options: Options, *, keep: bool) -> Prepared:
    """Return the game to play: the one that was left, or a new one."""

    def given(name: str) -> bool:
        return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT

    if options["resume"]:
        settled = [name for name in SETTLED if given(name)]
        if settled:
            raise UserError(
                f"--resume cannot be combined with {', '.join(_spelt(name) for name in settled)}: "
                "the game continues as it was set up."
            )
        return resumed(options["path"], options["players"] if given("players") else None)
    house = HouseRules(options["flip_always"], options["flip_returned"])
    return anew(
        NewGame(options["edition"], options["players"], options["first"], options["seed"], house),
        options["path"],
        keep=keep,
    )


def _spelt(name: str) -> str:
    return "EDITION" if name == "edition" else f"--{name.replace('_', '-')}"


# --- on the table ---------------------------------------------------------------------------------


def _show(prepared: Prepared, options: Options) -> int:
    from heckmeck.tui.local import LocalSource, Played
    from heckmeck.tui.run import show

    table = prepared

    def set_table(prepared: Prepared) -> Played:
        nonlocal table
        table = prepared
        return Played(prepared.game(), "" if prepared.path is None else str(prepared.path))

    source = LocalSource(
        set_table(prepared),
        options["language"],
        pace=Pace(options["pace"]),
        hints=options["hints"],
        rematch=lambda: set_table(again(table)),
    )
    left = show(source, options["language"], options["theme"])
    if not left.gone:
        _say_where(source.played.game, table, options["language"])
    if left.problem:
        raise UserError(left.problem)
    return left.status


def _say_where(game: Game, prepared: Prepared, language: str) -> None:
    """Print where the game is saved, and how to continue it."""
    path = prepared.path
    if path is None:
        return
    words = table_words(language)
    if game.is_over or not prepared.is_ours:
        click.echo(words.say("left.record", path=str(path)))
        return
    click.echo(words.say("left.saved", path=str(path)))
    click.echo(words.say("left.resume", command="heckmeck play --resume"))


# --- line by line ---------------------------------------------------------------------------------


def _line_by_line(prepared: Prepared, options: Options) -> int:
    from heckmeck.cli.plain import PlainTable, StoppedPlaying

    language = options["language"]
    words = table_words(language)
    game = prepared.game()
    record = game.record
    names = ", ".join(record.seats)
    click.echo(words.say("plain.seed", edition=record.edition, names=names, seed=prepared.seed))
    click.echo()
    try:
        with first_interrupt(raise_interrupt):
            PlainTable(game, language, hints=options["hints"]).play()
    except StoppedPlaying:
        click.echo(f"\n{words.say('left.here')}")
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"\n{words.say('left.here')}")
        raise click.Abort from None  # click would print an empty line for a KeyboardInterrupt
    except BadRecord as error:
        raise UserError(f"The game stops here: {error}") from error
    except BotMisbehaved as error:
        raise UserError(str(error)) from error
    finally:
        _say_where(game, prepared, language)
    return 0
