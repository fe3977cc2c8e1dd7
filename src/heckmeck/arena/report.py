"""The report of a tournament: as JSON, rows and sentences, a page of Markdown, and pictures."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from heckmeck.arena.adjusted import evaluator
from heckmeck.arena.estimates import Z95, Spread
from heckmeck.arena.standings import AdjustedShare, Share, Standings, Tally
from heckmeck.record import JsonObject

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BOT_HEADER: Final = ("bot", "rating", "games", "wins", "win share", "95% interval", "mean score")
ADJUSTED_HEADER: Final = ("bot", "adjusted share, 95%", "raw share, same dice, 95%", "fewer games")
PAIR_HEADER: Final = ("pair", "games", "share", "95% interval")
SEAT_HEADER: Final = ("seat", "win share", "95% interval")
LEGEND: Final = "A shared win counts in equal parts. Ratings are Elo ratings, centred on 1500."


def report_to_json(standings: Standings) -> JsonObject:
    """Return all figures; shares are between 0 and 1, intervals are 95% confidence intervals."""
    tournament = standings.tournament
    return {
        "edition": tournament.edition,
        "seats": tournament.seats,
        "games": standings.tally.games,
        "seconds": standings.seconds,
        "games_per_second": standings.games_per_second,
        "bots": [
            {
                "name": bot.name,
                "games": bot.won.games,
                **_share("win", bot.won),
                "mean_score": bot.mean_score,
                "paired_error": bot.paired_error,
                **_adjusted(bot.adjusted),
            }
            for bot in standings.bots
        ],
        "seed": tournament.seed,
        "complete": standings.is_complete,
        "ratings": [
            {"name": rating.name, "rating": rating.rating, "interval": [*rating.interval]}
            for rating in standings.ratings
        ],
        "pairs": [
            {
                "bots": [pair.name, pair.other],
                "games": pair.ahead.games,
                **_share("ahead", pair.ahead),
            }
            for pair in standings.pairs
        ],
        "by_seat": [
            {"seat": seat, **_share("win", share)} for seat, share in enumerate(standings.seats)
        ],
        "first_player": {
            "advantage": standings.first_player_advantage,
            "interval": [*standings.first_player_interval],
        },
        "length": {"turns": _spread(standings.turns), "words": _spread(standings.moves)},
        **({"evaluator": name} if (name := _evaluator(standings)) else {}),
    }


def _adjusted(found: AdjustedShare | None) -> JsonObject:
    if found is None:
        return {}
    figures: JsonObject = {
        "share": found.share,
        "error": found.error,
        "interval": [*found.interval],
        "variance_ratio": found.variance_ratio,
    }
    return {"adjusted": figures}


def _evaluator(standings: Standings) -> str | None:
    """Return what the luck was computed by, if it was."""
    tournament = standings.tournament
    if not standings.tally.adjusted:
        return None
    return evaluator(tournament.edition, tournament.seats).name


def _share(of: str, share: Share) -> JsonObject:
    count = "wins" if of == "win" else of
    return {count: share.wins, f"{of}_share": share.share, "interval": [*share.interval]}


def _spread(spread: Spread) -> JsonObject:
    return {"mean": spread.mean, "min": spread.low, "max": spread.high}


def headline(standings: Standings) -> str:
    """Return a description of the tournament in one line."""
    tournament, games = standings.tournament, standings.tally.games
    asked = "" if standings.is_complete else f" of {tournament.games:,}"
    return (
        f"{tournament.edition}, {tournament.seats} players: {games:,}{asked} games, "
        f"seed {tournament.seed}"
    )


def bot_rows(standings: Standings) -> list[tuple[str, ...]]:
    """Return a row for each bot, best first, with the cells of `BOT_HEADER`."""
    ratings = {
        rating.name: f"{rating.rating:.0f} ± {Z95 * rating.error:.0f}"
        for rating in standings.ratings
    }
    return [
        (
            bot.name,
            ratings.get(bot.name, ""),
            f"{bot.won.games:,}",
            f"{bot.won.wins:,.10g}" if bot.won.wins.is_integer() else f"{bot.won.wins:,.1f}",
            *_percent(bot.won),
            f"{bot.mean_score:.2f}",
        )
        for bot in sorted(standings.bots, key=lambda bot: -bot.won.share)
    ]


def pair_rows(standings: Standings) -> list[tuple[str, ...]]:
    """Return a row for each pair of bots, with the cells of `PAIR_HEADER`."""
    return [
        (f"{pair.name} ahead of {pair.other}", f"{pair.ahead.games:,}", *_percent(pair.ahead))
        for pair in standings.pairs
    ]


def _percent(share: Share) -> tuple[str, str]:
    """Format a share and its interval: 68.3%, 66.2% to 70.3%."""
    return f"{share.share:.1%}", f"{share.interval.low:.1%} to {share.interval.high:.1%}"


def adjusted_rows(standings: Standings) -> list[tuple[str, ...]]:
    """Return a row for each bot with a luck-adjusted share, with the cells of `ADJUSTED_HEADER`."""
    rows: list[tuple[str, ...]] = []
    for bot in sorted(standings.bots, key=lambda bot: -bot.won.share):
        found, paired = bot.adjusted, bot.paired_error
        if found is not None:
            ratio = "" if found.variance_ratio is None else f"{found.variance_ratio:.1f}"
            rows.append(
                (
                    bot.name,
                    f"{found.share:.2%} ± {Z95 * found.error:.2%}",
                    f"{bot.won.share:.2%}" + ("" if paired is None else f" ± {Z95 * paired:.2%}"),
                    ratio,
                )
            )
    return rows


def sentences(standings: Standings) -> list[str]:
    """Return the sentences that accompany the tables."""
    tournament, turns, moves = standings.tournament, standings.turns, standings.moves
    low, high = standings.first_player_interval
    first = (
        f"The first player wins {standings.seats[0].share:.1%} of the games, "
        f"{100 * standings.first_player_advantage:+.1f} points against an equal share "
        f"({100 * low:+.1f} to {100 * high:+.1f})."
    )
    length = (
        f"A game takes {turns.mean:.1f} turns ({turns.low:,} to {turns.high:,}), "
        f"{moves.mean:.0f} moves ({moves.low:,} to {moves.high:,})."
    )
    lines = [first, length]
    if name := _evaluator(standings):
        lines.append(
            f"Adjusted shares leave out the luck of the dice, as judged by {name}; the last column "
            "is how many times as many games the raw share needs for the same error "
            "(heckmeck docs analysis)."
        )
    if tournament.games % tournament.round_games and standings.is_complete:
        lines.append(
            f"Seats are balanced after every {tournament.round_games} games; "
            f"{tournament.games} is not a multiple of that."
        )
    return lines


def report_to_markdown(standings: Standings, pictures: Iterable[tuple[str, str]] = ()) -> str:
    """Return a page with tables and the pictures, given as (title, file)."""
    without_luck = ["## Without luck", _table(ADJUSTED_HEADER, adjusted_rows(standings))]
    pairs = ["## Who is ahead of whom", _table(PAIR_HEADER, pair_rows(standings))]
    seats = [(f"{seat}", *_percent(each)) for seat, each in enumerate(standings.seats, start=1)]
    rate = f"{standings.seconds:.1f} s, {standings.games_per_second:.0f} games/s"
    parts = [
        "# Arena",
        f"{headline(standings)}. {rate}.",
        _table(BOT_HEADER, bot_rows(standings)),
        LEGEND,
        *(without_luck if standings.tally.adjusted else []),
        *(pairs if len(standings.pairs) > 1 else []),
        "## Seats and length",
        _table(SEAT_HEADER, seats),
        *sentences(standings),
        *(f"![{title}]({file})" for title, file in pictures),
    ]
    return "\n\n".join(parts) + "\n"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


# --- pictures -------------------------------------------------------------------------------------


FORMATS: Final = ("svg", "png")
#: Colours that colour-blind people can distinguish; bots are also named.
COLOURS: Final = ("#c8641e", "#3f6f8f", "#4f7a3a", "#d9a441", "#7a4f8a", "#8a5a44", "#555555")
#: The maximum number of bars for the lengths of games.
MOST_BARS: Final = 60


def draw_all(standings: Standings, directory: Path) -> list[tuple[str, str]]:
    """Draw the pictures as SVG and PNG into ``directory``; return titles and SVG files.

    Needs the extra ``heckmeck[plots]``.
    """
    from matplotlib.figure import Figure

    pictures: dict[str, tuple[str, Callable[[Axes], None]]] = {
        "win_shares": ("Win shares with 95% intervals", lambda axes: _wins(axes, standings)),
        "scores": ("Final scores", lambda axes: _scores(axes, standings)),
        "length": ("Length of a game", lambda axes: _length(axes, standings.tally)),
    }
    for name, (title, draw) in pictures.items():
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot(title=title)
        draw(axes)
        axes.spines[["top", "right"]].set_visible(False)
        save_picture(figure, directory / name)
    return [(title, f"{name}.svg") for name, (title, _) in pictures.items()]


def save_picture(figure: "Figure", path: Path) -> None:
    """Save a picture in all formats; ``path`` has no suffix."""
    from matplotlib import rc_context

    # Without date and random names, the same tournament gives the same files.
    with rc_context({"svg.hashsalt": path.name}):
        for form in FORMATS:
            metadata = {"Date": None} if form == "svg" else {"Software": None}
            figure.savefig(path.with_suffix(f".{form}"), dpi=150, metadata=metadata)


def _wins(axes: "Axes", standings: Standings) -> None:
    for place, bot in enumerate(standings.bots):
        share, (low, high) = bot.won.share, bot.won.interval
        axes.barh(place, 100 * share, color=colour(place), alpha=0.85)
        axes.errorbar(
            100 * share,
            place,
            xerr=([100 * (share - low)], [100 * (high - share)]),
            color="black",
            capsize=4,
        )
    axes.axvline(100 / len(standings.seats), color="grey", linestyle=":")
    axes.set_yticks(range(len(standings.bots)), [label(bot.name) for bot in standings.bots])
    axes.invert_yaxis()
    axes.set_xlabel("games won in %; dotted: an equal share")


def _scores(axes: "Axes", standings: Standings) -> None:
    histogram = standings.tally.scores
    every = {score for _, score in histogram}
    scores = range(min(every) - 1, max(every) + 2)
    for place, bot in enumerate(standings.bots):
        shares = [100 * histogram[bot.name, score] / bot.won.games for score in scores]
        axes.step(scores, shares, where="mid", color=colour(place), label=label(bot.name))
        axes.axvline(bot.mean_score, color=colour(place), linestyle=":")
    axes.set_xlabel("worms at the end; dotted: the mean")
    axes.set_ylabel("% of games")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def _length(axes: "Axes", tally: Tally) -> None:
    lengths = sorted(tally.turns)
    width = -(-(lengths[-1] - lengths[0] + 1) // MOST_BARS)
    bars = Counter[int]()
    for length in lengths:  # in order, independent of the order of the workers
        bars[(length - lengths[0]) // width] += tally.turns[length]
    axes.bar(
        [lengths[0] + width * (bar + 0.5) - 0.5 for bar in bars],
        [100 * games / tally.games for games in bars.values()],
        width,
        color=colour(1),
    )
    axes.set_xlabel("turns")
    axes.set_ylabel("% of games")


def colour(place: int) -> str:
    """Return the colour of the bot, or player, at this place."""
    return COLOURS[place % len(COLOURS)]


def label(name: str) -> str:
    """Return the name as a label: shortened, and with dollar signs escaped."""
    return (name if len(name) <= 24 else f"{name[:23]}…").replace("$", r"\$")
