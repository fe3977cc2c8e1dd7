"""The report of a tournament, and its figures as JSON."""

from dataclasses import dataclass

from heckmeck.arena.error_bars import Spread
from heckmeck.arena.summary import BotSummary, Share, Summary
from heckmeck.arena.tournament import Tournament
from heckmeck.record import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Report:
    """The tournament, its summary, and how long it took."""

    tournament: Tournament
    summary: Summary
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Games finished per second."""
        return self.summary.games / self.seconds

    @property
    def is_complete(self) -> bool:
        """Whether all games were played."""
        return self.summary.games == self.tournament.games

    @property
    def headline(self) -> str:
        """A description of the tournament in one line."""
        tournament, games = self.tournament, self.summary.games
        asked = "" if self.is_complete else f" of {tournament.games:,}"
        return (
            f"{tournament.edition}, {tournament.seats} players: {games:,}{asked} games, "
            f"seed {tournament.seed}"
        )


def report_to_json(report: Report) -> JsonObject:
    """Return all figures; shares are between 0 and 1, intervals are 95% confidence intervals."""
    tournament, summary = report.tournament, report.summary
    return {
        "edition": tournament.edition,
        "seats": tournament.seats,
        "games": summary.games,
        "seconds": report.seconds,
        "games_per_second": report.games_per_second,
        "bots": [_bot_to_json(bot) for bot in summary.bots],
        "seed": tournament.seed,
        "complete": report.is_complete,
        "ratings": [
            {"name": rating.name, "rating": rating.rating, "interval": [*rating.interval]}
            for rating in summary.ratings
        ],
        "pairs": [
            {"bots": [pair.name, pair.other], "games": pair.ahead.games, **_ahead(pair.ahead)}
            for pair in summary.pairs
        ],
        "by_seat": [{"seat": seat, **_won(share)} for seat, share in enumerate(summary.seats)],
        "first_player": {
            "advantage": summary.first_player_advantage,
            "interval": [*summary.first_player_interval],
        },
        "length": {"turns": _spread(summary.turns), "words": _spread(summary.words)},
    }


def _bot_to_json(bot: BotSummary) -> JsonValue:
    return {
        "name": bot.name,
        "games": bot.won.games,
        **_won(bot.won),
        "mean_score": bot.mean_score,
        "paired_error": bot.paired_error,
    }


def _won(share: Share) -> JsonObject:
    return {"wins": share.wins, "win_share": share.share, "interval": [*share.interval]}


def _ahead(share: Share) -> JsonObject:
    return {"ahead": share.wins, "ahead_share": share.share, "interval": [*share.interval]}


def _spread(spread: Spread) -> JsonObject:
    return {"mean": spread.mean, "min": spread.low, "max": spread.high}
