"""A tournament's report as text: rows, sentences, and a page of Markdown."""

from collections.abc import Iterable, Sequence
from typing import Final

from heckmeck.arena.error_bars import Z95, Interval
from heckmeck.arena.report import Report
from heckmeck.arena.summary import Summary

BOT_HEADER: Final = ("bot", "rating", "games", "wins", "win share", "95% interval", "mean score")
PAIR_HEADER: Final = ("pair", "games", "share", "95% interval")
LEGEND: Final = "A shared win counts in equal parts. Ratings are Elo ratings, centred on 1500."


def percent(share: float) -> str:
    """Format a share for people: 68.3%."""
    return f"{share:.1%}"


def percents(interval: Interval) -> str:
    """Format an interval of shares: 66.2% to 70.3%."""
    return f"{interval.low:.1%} to {interval.high:.1%}"


def bot_rows(summary: Summary) -> list[tuple[str, ...]]:
    """Return a row for each bot, best first: name, rating, wins, share, interval, score."""
    ratings = {rating.name: rating for rating in summary.ratings}
    return [
        (
            bot.name,
            f"{ratings[bot.name].rating:.0f} ± {Z95 * ratings[bot.name].error:.0f}"
            if bot.name in ratings
            else "",
            f"{bot.won.games:,}",
            f"{bot.won.wins:,.10g}" if bot.won.wins.is_integer() else f"{bot.won.wins:,.1f}",
            percent(bot.won.share),
            percents(bot.won.interval),
            f"{bot.mean_score:.2f}",
        )
        for bot in sorted(summary.bots, key=lambda bot: -bot.won.share)
    ]


def pair_rows(summary: Summary) -> list[tuple[str, ...]]:
    """Return a row for each pair of bots: names, games, how often the first is ahead."""
    return [
        (
            f"{pair.name} ahead of {pair.other}",
            f"{pair.ahead.games:,}",
            percent(pair.ahead.share),
            percents(pair.ahead.interval),
        )
        for pair in summary.pairs
    ]


def sentences(report: Report) -> list[str]:
    """Return the sentences that accompany the tables."""
    summary, tournament = report.summary, report.tournament
    gain, interval = summary.first_player_advantage, summary.first_player_interval
    turns, words = summary.turns, summary.words
    first = (
        f"The first player wins {percent(summary.seats[0].share)} of the games, "
        f"{100 * gain:+.1f} points against an equal share "
        f"({100 * interval.low:+.1f} to {100 * interval.high:+.1f})."
    )
    length = (
        f"A game takes {turns.mean:.1f} turns ({turns.low:,} to {turns.high:,}), "
        f"{words.mean:.0f} words ({words.low:,} to {words.high:,})."
    )
    lines = [first, length]
    if tournament.games % tournament.round_games and report.is_complete:
        lines.append(
            f"Seats are balanced after every {tournament.round_games} games; "
            f"{tournament.games} is not a multiple of that."
        )
    return lines


def report_to_markdown(report: Report, pictures: Iterable[tuple[str, str]] = ()) -> str:
    """Return a page with tables and the pictures, given as (title, file)."""
    summary = report.summary
    parts = [
        "# Arena",
        f"{report.headline}. {report.seconds:.1f} s, {report.games_per_second:.0f} games/s.",
        _table(BOT_HEADER, bot_rows(summary)),
        LEGEND,
        *(
            ["## Who is ahead of whom", _table(PAIR_HEADER, pair_rows(summary))]
            if len(summary.pairs) > 1
            else []
        ),
        "## Seats and length",
        _table(
            ("seat", "win share", "95% interval"),
            [
                (f"{seat + 1}", percent(share.share), percents(share.interval))
                for seat, share in enumerate(summary.seats)
            ],
        ),
        *sentences(report),
        *(f"![{title}]({file})" for title, file in pictures),
    ]
    return "\n\n".join(parts) + "\n"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )
