"""Automatic play: bots move, absent players get a stand-in, and games do not wait for salt.

At tempo now, a table moves automatically only while somebody is connected. At a slow table bots
play even if nobody is, and a person whose time is over is replaced for the turn; without
clients such a table has a timer only while a bot is to move, and `Hub` wakes it when it is due.

Which worker a player is connected to
is not stored; a worker that misses a player makes a roll call instead: it writes that the player
went away, and a worker that knows better answers at once that they came back.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Final, NamedTuple, Protocol

from heckmeck.hosting import events
from heckmeck.hosting.live import LiveTable
from heckmeck.rules import AnyState, legal, word
from heckmeck.table import commands, play
from heckmeck.table.model import Match, Moved, Person, Step, Table, What
from heckmeck.wire import answers, refusals, setup
from heckmeck.wire import entries as a

_RETRY: Final = 1.0  # seconds until writing to an unavailable store is retried
_LAST_RESORT: Final = "random"


class Thinker(Protocol):
    """Lets bots think."""

    async def choose(self, bot: str, state: AnyState, asker: str = "") -> str:
        """Return the move that the bot plays; ``asker`` is the table that it plays at."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Time limits, in seconds.

    A lost connection may be restored within ``absence`` before the others are notified. After a
    roll call, a worker that knows better has ``roll_call`` to answer. Players
    have ``salt`` to show the salt that they promised. Slow tables without clients are looked
    after every ``due`` seconds.
    """

    absence: float = 5.0
    roll_call: float = 2.0
    salt: float = 5.0
    due: float = 15.0


class _Plan(NamedTuple):
    """What to do next, after ``delay`` seconds."""

    delay: float
    act: Callable[[], Coroutine[None, None, None]]


class Autopilot:
    """Looks after one live table."""

    def __init__(self, live: LiveTable, thinker: Thinker, timing: Timing) -> None:
        """Do nothing until the table changes."""
        self._live = live
        self._thinker = thinker
        self._timing = timing
        self._timer: asyncio.TimerHandle | None = None
        self._absences: dict[int, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._here: frozenset[int] = frozenset()
        self._was_watched = False
        self._thinks_at = -1
        #: What a bot thinks about while it is looked at: entry and bot, and the move to come.
        self._thought: tuple[tuple[int, str], asyncio.Task[str]] | None = None
        self._turn = (-1, -1, False)
        self._turn_began = 0.0

    def changed(self, steps: Sequence[Step]) -> None:
        """Make a new plan: the table changed, or people came or went."""
        signs = [step.what for step in steps if not isinstance(step.what, Moved)]
        self._mind_the_turn(signs)
        self._mind_presence(signs)
        self._make_plan()

    @property
    def is_busy(self) -> bool:
        """Whether something will happen here without a client."""
        return self._timer is not None or bool(self._tasks)

    def stop(self) -> None:
        """Stop for good."""
        for timer in (self._timer, *self._absences.values()):
            if timer is not None:
                timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self._thought is not None:
            self._thought[1].cancel()

    # --- presence ---------------------------------------------------------------------------------

    def _mind_presence(self, signs: Sequence[What]) -> None:
        here, before = self._live.seats_here, self._here
        if here is before and not signs and self._was_watched and self._live.is_watched:
            return
        self._here = here
        called = {sign.seat for sign in signs if isinstance(sign, a.WentAway)}
        for seat in (here - before) | (here & called):
            person = self._live.table.person(seat)
            # Whose time is over is back by acting, not by a page that reconnects.
            if person and not person.once and (person.away or person.stand_in):
                self._start(self._run(commands.MarkBack(seat)))
        for seat in (before - here) | self._unknown():
            self._expect_back(seat)

    def _unknown(self) -> frozenset[int]:
        """Return the seats of unknown presence: the first client has just connected."""
        first, self._was_watched = not self._was_watched, self._live.is_watched
        if not (first and self._live.is_watched):
            return frozenset()
        people = enumerate(self._live.table.seats)
        here = {seat for seat, sitter in people if isinstance(sitter, Person) and not sitter.away}
        return frozenset(here) - self._here

    def _expect_back(self, seat: int) -> None:
        """Note that a player has been gone for a while."""
        old = self._absences.pop(seat, None)
        if old is not None:
            old.cancel()

        def gone() -> None:
            del self._absences[seat]
            if self._live.is_watched and seat not in self._live.seats_here:
                self._start(self._run(commands.MarkAway(seat)))

        self._absences[seat] = _later(self._timing.absence, gone)

    # --- the next thing to do ---------------------------------------------------------------------

    def _mind_the_turn(self, signs: Sequence[What]) -> None:
        """Restart patience: with each position, each sign of life, and the first client."""
        match = self._live.table.match
        called = self._live.table.called
        waits_since = -1 if called is None else called
        seat, changed = (match.state.seat, match.changed) if match else (-1, waits_since)
        turn = (seat, changed, self._live.is_watched)
        back = any(isinstance(sign, a.CameBack) and sign.seat == seat for sign in signs)
        if turn != self._turn or back:
            self._turn = turn
            self._turn_began = monotonic()

    def _make_plan(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        plan = self._plan()
        if plan is not None:

            def act() -> None:
                self._timer = None
                self._start(plan.act())

            self._timer = _later(plan.delay, act)

    def _plan(self) -> _Plan | None:
        table = self._live.table
        if not self._live.is_watched and table.setup.tempo is setup.Tempo.NOW:
            return None
        if table.called is not None and table.status is setup.Status.WAITING:
            begin = commands.Begin(table.called)
            return _Plan(self._left(self._timing.salt), lambda: self._run(begin))
        if table.match is None or table.status is not setup.Status.PLAYING:
            return None
        bot = play.bot_to_move(table)
        if bot is not None:
            if self._thinks_at == table.match.changed:
                return None
            self._think(bot, table.match)
            pace = play.pause(table) / 1000 if self._live.is_watched else 0.0
            return _Plan(pace, self._bot_turn)
        if table.setup.tempo is not setup.Tempo.NOW:
            return self._plan_for_turn(table.match.state.seat, table.match.asked)
        return self._plan_for_person(table, table.match.state.seat, table.match.asked)

    def _left(self, patience: float) -> float:
        return max(0.0, self._turn_began + patience - monotonic())

    def _plan_for_turn(self, seat: int, asked: int) -> _Plan | None:
        """Plan for a slow table, whether the player is connected or not."""
        due = self._live.due
        if due is None:
            return None
        left = (due - datetime.now(UTC)).total_seconds()
        if left > 0 and not self._live.is_watched:
            return None
        return _Plan(max(0.0, left), lambda: self._run(commands.StandIn(asked, seat)))

    def _plan_for_person(self, table: Table, seat: int, asked: int) -> _Plan | None:
        person = table.person(seat)
        if person is None or not table.setup.patience or seat in self._live.seats_here:
            return None
        if person.awaited:
            return None
        left = self._left(table.setup.patience)
        if not person.away:
            return _Plan(left, lambda: self._run(commands.MarkAway(seat)))
        wait = max(left, self._timing.roll_call)
        self._live.tell(answers.Countdown(seat, wait))
        return _Plan(wait, lambda: self._run(commands.StandIn(asked, seat)))

    # --- doing it ---------------------------------------------------------------------------------

    async def _bot_turn(self) -> None:
        table = self._live.table
        bot, match = play.bot_to_move(table), table.match
        if bot is None or match is None:
            return
        self._thinks_at = match.changed
        try:
            await self._run(commands.BotMove(match.changed, await self._think(bot, match)))
        finally:
            self._thinks_at = -1

    def _think(self, bot: str, match: Match) -> asyncio.Task[str]:
        """Return the choice of the bot in this position; it begins to think at once."""
        about = (match.changed, bot)
        if self._thought is not None and self._thought[0] == about:
            return self._thought[1]
        if self._thought is not None:
            self._thought[1].cancel()
        task = asyncio.get_running_loop().create_task(self._choice(bot, match.state))
        # A position may be gone before its move is wanted; anyone who wants it meets its error.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._thought = about, task
        return task

    async def _choice(self, bot: str, state: AnyState) -> str:
        """Return the bot's move. A bot that fails must not stop the table."""
        try:
            choice = await self._thinker.choose(bot, state, self._live.name)
        except Exception as error:  # noqa: BLE001 (a bot may be anybody's code)
            events.trouble("bot_failed", error, table=self._live.name, bot=bot)
        else:
            if choice in map(word, legal(state)):
                return choice
            events.trouble("bot_cheated", None, table=self._live.name, bot=bot, move=choice)
        return await self._thinker.choose(_LAST_RESORT, state, self._live.name)

    async def _run(self, command: commands.Command) -> None:
        """Run an internal command; it may well come too late."""
        while True:
            try:
                done = await self._live.run(command)
            except refusals.Refused as refused:
                if refused.code is not refusals.Code.UNAVAILABLE:
                    return
                await asyncio.sleep(_RETRY)
            else:
                events.detail(str(command.__struct_config__.tag), table=self._live.name, n=done.n)
                return

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            events.trouble("autopilot_failed", error, table=self._live.name)


def _later(delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(delay, callback)
