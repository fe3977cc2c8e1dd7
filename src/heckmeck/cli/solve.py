"""`heckmeck solve`."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heckmeck import coach, record
from heckmeck.cli import commands, files, options
from heckmeck.cli.printing import counted_progress, print_line

if TYPE_CHECKING:
    from heckmeck.rules.classic import ClassicTable
    from heckmeck.solver.small_boards import Duel, SolvedBoard
    from heckmeck.values import Value


class Tiles(click.ParamType[tuple[int, ...]]):
    """Tiles by number: single ones and ranges, as in 21-25 or 21,23,30-32."""

    name = "tiles"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the numbers of the tiles; fail with an explanation if there are none."""
        from heckmeck.solver.small_boards import BadBoard, tiles_from

        try:
            return tiles_from(value)
        except BadBoard as bad:
            self.fail(str(bad), param)


@click.command()
@click.option(
    "--tiles",
    type=Tiles(),
    required=True,
    metavar="TILES",
    help="Tiles on the grill, such as 21-25 or 21,24,30.",
)
@click.option(
    "--against",
    type=click.Choice(["fox", "champion"]),
    multiple=True,
    help="Also show how this bot does against perfect play; may be repeated (default: none).",
)
@options.json_option("Print the results as one JSON object.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save every position with its chance to win to FILE, as CSV (default: save nothing).",
)
@click.option("--force", is_flag=True, help="Overwrite the file of --out if it exists.")
def solve(
    tiles: tuple[int, ...], against: tuple[str, ...], as_json: bool, out: Path | None, force: bool
) -> None:
    """Solve a small board exactly: classic, two players, up to seven tiles.

    Computes the exact chance to win from every reachable position, by value iteration. Five tiles
    take seconds, six a minute or two, seven a quarter of an hour; Ctrl-C stops without a result.

    \b
    Examples:
      $ heckmeck solve --tiles 21-25
      $ heckmeck solve --tiles 21-25 --against fox
      $ heckmeck solve --tiles 21,25,29,33 --out positions.csv
    """
    if out is not None:
        files.check_place(out, replace=force)
    began = time.perf_counter()
    from heckmeck.values import value_of_bot

    with commands.reporting(coach.NoChampion):
        values = {name: value_of_bot(name, "classic") for name in against}
    solved = _solve(tiles)
    seconds = time.perf_counter() - began
    duels, turns = _duels(solved, values)
    if out is not None:
        files.save(out, _csv(solved), replace=force)
    if as_json:
        click.echo(json.dumps(_to_json(solved, seconds, duels, turns)))
    else:
        _show(solved, seconds, duels, turns)


def _solve(tiles: tuple[int, ...]) -> "SolvedBoard":
    from heckmeck.solver.small_boards import BadBoard, lay_out, solve_board

    with commands.reporting(BadBoard):
        board = lay_out(tiles)
    count = len(board.positions)
    with counted_progress("Solving", count, "positions", time_left=False) as advance:
        return solve_board(board, progress=advance)


def _duels(solved: "SolvedBoard", values: dict[str, "Value"]) -> tuple[dict[str, "Duel"], float]:
    """Return the bots' results against perfect play, and the turns of a perfect game.

    ``values`` are what the bots maximise, by name.
    """
    from heckmeck.solver.small_boards import duel, habits_of, visits

    board = solved.board
    perfect = habits_of(board, solved)
    duels = {name: duel(board, habits_of(board, value), perfect) for name, value in values.items()}
    return duels, float(visits(board, perfect, perfect).sum())


def _to_json(
    solved: "SolvedBoard", seconds: float, duels: dict[str, "Duel"], turns: float
) -> record.JsonObject:
    return {
        "tiles": [*solved.board.tiles],
        "positions": len(solved.board.positions),
        "first_player": float(solved.chance[0]),
        "gap": solved.gap,
        "turns": turns,
        "seconds": seconds,
        "against_perfect_play": {
            name: {"share": d.share, "going_first": d.going_first, "going_second": d.going_second}
            for name, d in duels.items()
        },
    }


def _show(solved: "SolvedBoard", seconds: float, duels: dict[str, "Duel"], turns: float) -> None:
    tiles = " ".join(map(str, solved.board.tiles))
    print_line(
        f"Classic for two with {tiles}: {len(solved.board.positions):,} positions, "
        f"solved in {seconds:.1f} s."
    )
    print_line(f"With perfect play, the first player wins {solved.chance[0]:.4%} of the games.")
    print_line(f"A game takes {turns:.1f} turns. Every chance is exact to {solved.gap:.0e}.")
    for name, d in duels.items():
        print_line(
            f"{name} wins {d.share:.2%} against perfect play: "
            f"{d.going_first:.2%} going first, {d.going_second:.2%} going second."
        )


def _csv(solved: "SolvedBoard") -> str:
    lines = ["face_up,face_down,own_stack,other_stack,chance"]
    lines += map(_csv_line, solved.board.positions, solved.chance.tolist())
    return "\n".join(lines) + "\n"


def _csv_line(table: "ClassicTable", chance: float) -> str:
    rows = (table.grill.face_up, table.grill.face_down, *table.stacks)
    return ",".join([*(" ".join(map(str, row)) for row in rows), f"{chance:.9f}"])
