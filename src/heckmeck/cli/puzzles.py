"""`heckmeck puzzle` and `heckmeck puzzles`: positions to solve, and how they are found."""

import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from heckmeck import coach, interrupts
from heckmeck.cli import line_texts, stats
from heckmeck.cli.commands import UserError, reporting
from heckmeck.cli.files import check_place, games_in, save, title
from heckmeck.cli.options import edition_option, json_option, language_option, number_option
from heckmeck.cli.printing import Column, counted_progress, print_line, print_table
from heckmeck.coach.why import Why
from heckmeck.narration import Phrases
from heckmeck.narration.messages import messages_in, table_words
from heckmeck.puzzles import FIRST_DAY, Book, book_of
from heckmeck.record import BadRecord, JsonObject, read_record, state_to_json
from heckmeck.rules import AnyState, game_at, word
from heckmeck.rules.moves import Throw
from heckmeck.tui.source import Seat, View

if TYPE_CHECKING:
    from heckmeck.puzzles.finding import Found
    from heckmeck.record import Record
    from heckmeck.wire.coach import Reason, Unit, WeighedMove

#: A move that gives away less is as good as the best: the last digit that is shown.
EQUAL: Final = 0.001
#: The same for a value in worms.
EQUAL_WORMS: Final = 0.01
STAR: Final = "★"
#: What to type for the solution.
SHOW: Final = "show"


# --- positions to solve ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position to solve, with every move, best first."""

    state: AnyState
    names: tuple[str, ...]
    moves: "Sequence[WeighedMove]"
    unit: "Unit"
    reason: "Reason | None"
    """Why the best move is better than the obvious one, or than the one that was made."""

    def loss(self, move: str) -> float:
        """Return what a move gives away."""
        worth = {each.move: each.worth for each in self.moves}
        return self.moves[0].worth - worth[move]

    def is_right(self, move: str) -> bool:
        """Whether no move is better, as far as anybody can tell."""
        return self.loss(move) < (EQUAL if self.unit == "win" else EQUAL_WORMS)


class Options(TypedDict):
    """The options of `heckmeck puzzle`, as click hands them over."""

    edition: str
    day: datetime | None
    place: str | None
    seat: str | None
    language: str
    as_json: bool


@click.command()
@edition_option("Edition of the puzzle.")
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Day of the puzzle, such as 2026-11-18 (default: today).",
)
@click.option(
    "--from",
    "place",
    type=click.Path(),
    metavar="FILE|FOLDER",
    help="Practise the mistakes of recorded games instead (default: the puzzle of the day).",
)
@click.option(
    "--seat", metavar="NAME", help="With --from, only this player's mistakes (default: all)."
)
@language_option
@json_option("Print the positions with their solutions as JSON, one per line, and ask nothing.")
def puzzle(**options: Unpack[Options]) -> None:
    """Solve the puzzle of the day, or practise the mistakes of your own games.

    Each edition has a puzzle a day, the same for everybody: a position in which the obvious move is
    wrong. Type a move, or show for the solution. With --from, mistakes that are not solved at the
    first try come again until they are.

    \b
    Examples:
      $ heckmeck puzzle
      $ heckmeck puzzle --edition deluxe --date 2026-11-18
      $ heckmeck puzzle --from games --seat Ada
    """
    if options["place"] is None:
        _puzzle_of_the_day(options)
    else:
        _practise(options["place"], options)


def _puzzle_of_the_day(options: Options) -> None:
    day = date.today() if options["day"] is None else options["day"].date()  # noqa: DTZ011 (local)
    if day < FIRST_DAY:
        raise UserError(f"--date {day}: the first puzzle is that of {FIRST_DAY}.")
    if options["seat"] is not None:
        raise click.UsageError("--seat NAME goes with --from FILE|FOLDER.")
    book = book_of(options["edition"])
    given = book.of_day(day)
    state = book.position(given)
    names = tuple(book.names[: state.table.seats])
    exercise = Exercise(state, names, given.weighed(), "win", given.reason)
    if options["as_json"]:
        about: JsonObject = {"date": f"{day}", "evaluator": book.evaluator, "stars": given.stars}
        click.echo(json.dumps(about | {"bots": given.bots} | _to_json(exercise)))
        return
    words = messages_in(options["language"], "study")
    edition = table_words(options["language"]).say(f"edition.{book.edition}")
    stars = STAR * given.stars
    click.secho(words.say("puzzle.of", edition=edition, date=f"{day}", stars=stars), bold=True)
    asking = Asking(options["language"])
    tries = asking.solve(exercise)
    if tries is None:
        return
    print_line(
        words.say(
            "puzzle.result",
            edition=book.edition,
            date=f"{day}",
            stars=stars,
            how=asking.how(tries),
        )
    )


def _practise(place: str, options: Options) -> None:
    """Ask for the mistakes of recorded games until all are solved at the first try."""
    if options["day"] is not None:
        raise click.UsageError("--date is for the puzzle of the day: leave it out with --from.")
    left = list(_mistakes(place, options["seat"]))
    if options["as_json"]:
        for exercise in left:
            click.echo(json.dumps(_to_json(exercise)))
        return
    words, asking = messages_in(options["language"], "study"), Asking(options["language"])
    if not left:
        print_line(words.say("mistakes.none"))
    while left:
        click.secho(words.count("mistakes.left", len(left)), bold=True)
        exercise = left.pop(0)
        tries = asking.solve(exercise)
        if tries is None:
            return
        if tries != 1:
            left.append(exercise)
        click.echo()


def _mistakes(place: str, name: str | None) -> Iterator[Exercise]:
    """Yield the mistakes of games, the biggest of a game first."""
    for file in stats.files((place,)):
        for number, data in games_in(file):
            try:
                yield from _mistakes_of(read_record(data), name)
            except BadRecord as error:
                raise UserError(f"{title(file, number)}: {error}") from error


def _mistakes_of(record: "Record", name: str | None) -> Iterator[Exercise]:
    from heckmeck.coach import figures
    from heckmeck.coach.reasons import reason
    from heckmeck.coach.review import judged
    from heckmeck.values import value_for

    (game,) = judged([record], value_for(record.start().table))
    for number in sorted(game.decisions, key=lambda each: -game.loss(each)):
        own = name is None or record.seats[game.seat(number)] == name
        if own and figures.mark_of(game.loss(number), game.value.unit) is not None:
            state, move = game.moments[number]
            moves = game.memo.weigh(state)
            (made,) = (each for each in moves if each.move == word(move))
            why = reason(state, moves[0], made, game.memo)
            yield Exercise(state, record.seats, moves, game.value.unit, why)


def _to_json(exercise: Exercise) -> JsonObject:
    return {
        "names": [*exercise.names],
        "unit": exercise.unit,
        "state": state_to_json(exercise.state),
        "moves": [
            {"move": each.move, "worth": each.worth, "fail": each.fail} for each in exercise.moves
        ],
    }


class Asking:
    """Asks for moves, line by line, in one language."""

    def __init__(self, language: str) -> None:
        """Ask in this language."""
        self._language = language
        self._words = messages_in(language, "study")

    def solve(self, exercise: Exercise) -> int | None:
        """Ask until the best move is found; return the number of tries.

        0: the solution was shown. None: the reader left.
        """
        self._show(exercise)
        moves, tries = [each.move for each in exercise.moves], 0
        while True:
            answer = self._answer(sorted(moves))
            if answer is None:
                return None
            if answer == SHOW:
                self._explain(exercise)
                return 0
            move = line_texts.move_of(answer, moves)
            if move is None:
                shown = f"{answer!r:.40}"
                print_line(table_words(self._language).say("plain.impossible", answer=shown))
                continue
            tries += 1
            if exercise.is_right(move):
                print_line(self._words.say("puzzle.right"))
                self._explain(exercise)
                return tries
            print_line(self._lost(exercise, move))

    def how(self, tries: int) -> str:
        """Return how many tries it took, in a few words."""
        if tries < 2:
            return self._words.say("puzzle.first" if tries else "puzzle.shown")
        return self._words.say("puzzle.try", number=tries)

    def _answer(self, moves: list[str]) -> str | None:
        """Ask for a move; None at the end of the input, or if the reader leaves."""
        click.echo(f"{line_texts.fitted(line_texts.offered([*moves, SHOW]))} ", nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line or line.strip().lower() in ("q", "quit"):
            click.echo()
            return None
        return line.strip()

    def _show(self, exercise: Exercise) -> None:
        """Print the position, as line mode does."""
        state, view = exercise.state, _view(exercise)
        texts = line_texts.LineTexts(exercise.names, self._language, state.seat)
        line_texts.echo(texts.table(state))
        if state.turn.kept:
            line_texts.echo(texts.turn(view, state))
        if isinstance(state.phase, Throw):
            dice = [*state.phase.dice, *(["+", state.phase.golden] if state.phase.golden else [])]
            line_texts.echo(self._words.say("puzzle.rolled", dice=" ".join(dice)))
        if "stop" in view.moves:
            line_texts.echo(texts.stop(view))
        print_line(self._words.say("puzzle.ask"))

    def _lost(self, exercise: Exercise, move: str) -> str:
        lost, phrases = exercise.loss(move), Phrases(self._language, exercise.names)
        if exercise.unit == "win":
            points = phrases.words.number(f"{100 * lost:.1f}")
            return self._words.say("puzzle.loses", loss=points)
        return self._words.say("puzzle.loses.worms", loss=phrases.words.number(f"{lost:.2f}"))

    def _explain(self, exercise: Exercise) -> None:
        """Print every move with its value and the chance that the turn fails, and the reason."""
        phrases, words = Phrases(self._language, exercise.names), self._words
        table = table_words(self._language)
        columns = (
            Column(words.say("puzzle.move"), "left", "bold"),
            Column("", "left"),
            Column(table.say("hint.win" if exercise.unit == "win" else "hint.worms")),
            Column(words.say("puzzle.fails")),
        )
        rows = [
            (
                each.move,
                words.say("puzzle.best") if exercise.is_right(each.move) else "",
                phrases.value(each.worth, exercise.unit),
                phrases.percent(each.fail),
            )
            for each in exercise.moves
        ]
        print_table(columns, rows)
        if exercise.reason is not None:
            why = Why(self._language, exercise.names, exercise.state.seat)
            print_line(why(exercise.reason, exercise.unit))


def _view(exercise: Exercise) -> View:
    state = exercise.state
    seats = tuple(Seat(name, mine=at == state.seat) for at, name in enumerate(exercise.names))
    edition = game_at(state.table).edition
    return View(edition, seats, state, tuple(each.move for each in exercise.moves))


# --- finding --------------------------------------------------------------------------------------


class FindOptions(TypedDict):
    """The options of `heckmeck puzzles`, as click hands them over."""

    edition: str
    games: int
    seed: int
    count: int
    out: Path
    force: bool
    as_json: bool


@click.command()
@edition_option("Edition to find puzzles for.")
@number_option("--games", "Games of the champion to search.", default=1200)
@number_option("--seed", "Seed of the games.", least=0, most=2**63 - 1, default=2026)
@number_option("--count", "Puzzles to choose from those found.", default=420, most=10_000)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="File for the puzzles, in JSON.",
)
@click.option("--force", is_flag=True, help="Overwrite the file of --out if it exists.")
@json_option("Print what was found as one JSON object.")
def puzzles(**options: Unpack[FindOptions]) -> int:
    """Find positions in which the obvious move is wrong, for the puzzle of the day.

    The champion plays games with itself. A puzzle is a decision in which rooster or fox would give
    away 5 points of win chance or more, and in which the champion and a look one turn deeper agree
    on the best move. The same options find the same puzzles. Ctrl-C saves those found so far.

    \b
    Examples:
      $ heckmeck puzzles --edition junior --games 100 --count 20 --out junior.json
    """
    check_place(options["out"], replace=options["force"])
    from heckmeck.puzzles.finding import Search, book

    with reporting(coach.NoChampion):
        search = Search(options["edition"], options["seed"])
    found: list[Found] = []
    played = 0
    with (
        contextlib.suppress(KeyboardInterrupt),
        counted_progress("Searching", options["games"], "games") as advance,
    ):
        for games, some in search.run(options["games"]):
            with interrupts.held_interrupts():
                played, found = played + games, found + some
                advance(games)
    with interrupts.held_interrupts():
        made = book(search, played, found, options["count"])
        save(options["out"], made.text(), replace=options["force"])
        _report(made, len(found), options)
    return 0 if played == options["games"] else interrupts.STATUS


def _report(made: Book, found: int, options: FindOptions) -> None:
    stars = [sum(each.stars == level for each in made.puzzles) for level in range(1, 5)]
    if options["as_json"]:
        figures = {"games": made.games, "found": found, "chosen": len(made.puzzles)}
        click.echo(json.dumps(figures | {"stars": stars, "evaluator": made.evaluator}))
        return
    by_stars = ", ".join(f"{STAR * level} {count}" for level, count in enumerate(stars, 1))
    print_line(
        f"{made.games} games: {found} found, {len(made.puzzles)} chosen ({by_stars}), judged by "
        f"{made.evaluator}. Saved in {options['out']}."
    )
