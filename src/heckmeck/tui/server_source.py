"""A source that is a table of a server: somebody sits down there, or watches."""

from contextlib import suppress
from typing import NamedTuple

from heckmeck import dice, narration
from heckmeck.client.address import KnownSeats, TableAddress
from heckmeck.client.connection import Broken, Connection, NotDone, TurnedAway
from heckmeck.client.table import Answer, Happened, OwnSalt
from heckmeck.rules import Event
from heckmeck.tui import server_view, source
from heckmeck.wire import coach, entries, refusals, requests
from heckmeck.wire.answers import Hint, Welcome


class Guest(NamedTuple):
    """Who wants to sit down: under this name, on this seat or (None) any free one."""

    name: str
    seat: int | None = None


class ServerSource(source.Source):
    """Plays or watches a table of a server, and comes back to it after a lost connection."""

    def __init__(
        self,
        address: TableAddress,
        language: str = "en",
        *,
        guest: Guest | None = None,
        known: KnownSeats | None = None,
        warn: bool = False,
    ) -> None:
        """Go to the table at ``address``.

        A ``guest`` gets back the seat that they have there, or sits down; without one the table is
        watched. ``known`` is where the secrets of seats are kept from one time to the next.
        ``warn``: what to warn of is asked for, where everybody else is a bot.
        """
        super().__init__()
        self._address = address
        self._news = narration.News(language)
        self._guest = guest
        self._known = known
        self._secrets = self._own_secrets() if guest is not None else []
        self._remembered = known is not None
        self._now = server_view.Situation(warn_wanted=warn)
        self._salt = OwnSalt()
        self._log = server_view.ServerLog(language)
        self._left = False
        self._sitting = False
        self._busy = False
        self._connection = Connection(
            address, hello=self._hello, hear=self._hear, link=self._linked
        )

    @property
    def is_seated(self) -> bool:
        """Whether the guest has a seat there to come back to, or will have: it is asked for."""
        return bool(self._sitting or self._now.table.you.seats) and not self._now.is_closed

    @property
    def way_back(self) -> str:
        """The link that brings the guest back: with the secret where nothing else remembers it."""
        if not self._secrets or self._remembered:
            return self._address.page
        return f"{self._address.page}#{self._secrets[-1]}"

    # --- what the screen asks for -----------------------------------------------------------------

    async def move(self, word: str) -> None:
        """Play a word. A lost connection delays it, and it is played once."""
        if self._busy:
            return
        state = self._now.table.state
        throw = source.dice_of(word, state) if state is not None and self._now.throw else None
        if word not in (*self._now.moves(), throw):
            raise source.Refused(self._news.refusal("stale", "The table has changed."))
        self._busy = True
        try:
            await self._ask(requests.Move(self._id(), self._now.table.n, word), again=True)
        finally:
            self._busy = False

    async def wish(self, wish: source.Wish) -> None:
        """Grant one of the wishes on offer."""
        if wish not in self._now.wishes():
            raise source.Refused(self._news.refusal("stale", "The table has changed."))
        match wish:
            case source.Wish.UNDO:
                await self._ask(requests.Undo(self._id(), self._now.table.n))
            case source.Wish.HURRY:
                await self._hurry()
            case source.Wish.BOT:
                for seat in self._now.table.you.seats:
                    await self._ask(requests.Leave(self._id(), seat))
            case source.Wish.RECLAIM:
                for seat in self._now.table.stood_in:
                    await self._ask(requests.Reclaim(self._id(), seat))
            case source.Wish.FILL_IN:
                await self._fill_in()
            case source.Wish.HINTS:
                await self._switch_hints()
            case source.Wish.START:
                await self._ask(requests.Start(self._id(), "remove"))
            case source.Wish.REMATCH:
                await self._play_again()
            case _:  # faster or slower
                await self._ask(requests.SetPace(self._id(), self._now.other_pace(wish)))

    async def close(self) -> None:
        """Leave the table; the seat stays the guest's."""
        self._left = True
        await super().close()

    # --- asking the server ------------------------------------------------------------------------

    def _id(self) -> str:
        return self._connection.new_id()

    async def _ask(self, request: requests.AnyRequest, *, again: bool = False) -> None:
        """Ask, unless somebody was faster, which the table shows already."""
        try:
            await self._connection.request(request, again=again)
        except NotDone as error:
            if error.code != refusals.Code.STALE:
                raise source.Refused(self._why(error)) from error

    def _why(self, error: NotDone | TurnedAway) -> str:
        return self._news.refusal(error.code, str(error), error.wait, **error.blanks)

    async def _fill_in(self) -> None:
        seat = self._now.table.absent
        if seat is not None:
            await self._ask(requests.FillIn(self._id(), seat))

    async def _hurry(self) -> None:
        state = self._now.table.state
        if state is not None:
            await self._ask(requests.Hurry(self._id(), state.seat))

    async def _play_again(self) -> None:
        """Open the table for another game; against bots it begins at once."""
        await self._ask(requests.Rematch(self._id()))
        if self._now.only_bots_beside:
            await self._ask(requests.Start(self._id()))

    async def _switch_hints(self) -> None:
        """Show or hide hints, if the host of the table allows them."""
        info = self._now.info
        if info is not None and not info.setup.hints:
            self._now.hints_wanted = True
            await self._ask(requests.Options(self._id(), hints=True))
            return
        self._now.hints_wanted = not self._now.hints_wanted
        self._now.advice = None
        self._show()
        self._weigh()

    def _weigh(self) -> None:
        """Ask what the moves are worth, where there is a choice and the table allows it."""
        if self._now.weighs:
            self._tasks.create_task(self._weigh_moves())

    async def _weigh_moves(self) -> None:
        try:
            asked = requests.AskHint(self._id(), warn=self._now.warns)
            hint = await self._connection.request(asked)
        except NotDone as error:
            if error.code == refusals.Code.NO_HINTS:  # this server has nobody to ask
                self._now.hints_wanted = self._now.warn_wanted = False
                self._show()
            return
        if isinstance(hint, Hint) and hint.n >= self._now.table.n and self._now.weighs:
            unit: coach.Unit = "win" if hint.unit == "win" else "worms"
            self._now.advice = coach.Advice(unit, hint.moves, hint.reasons, hint.targets, hint.cost)
            self._show()

    # --- salt for the dice ------------------------------------------------------------------------

    def _mind_salt(self) -> None:
        """Promise salt for our seats, and show it when the table calls for it."""
        for seat, promised in self._salt.to_promise(self._now.table):
            self._tasks.create_task(self._tell(requests.PromiseSalt(self._id(), seat, promised)))
        for seat, salt in self._salt.to_show(self._now.table):
            self._tasks.create_task(self._tell(requests.ShowSalt(self._id(), seat, salt)))

    async def _tell(self, request: requests.AnyRequest) -> None:
        """Ask for something that nobody waits for: the game begins without our salt, too."""
        with suppress(NotDone):
            await self._connection.request(request, again=True)

    # --- coming, sitting down ---------------------------------------------------------------------

    def _own_secrets(self) -> list[str]:
        known = self._known.secrets(self._address) if self._known is not None else ()
        given = self._address.secret
        return [*(secret for secret in known if secret != given), *([given] if given else [])]

    def _hello(self, name: str) -> requests.Hello:
        return requests.Hello(name, self._now.table.n, self._secrets[-requests.MAX_SECRETS :])

    def _linked(self, connected: bool) -> None:
        self._now.connected = connected
        if not connected and not self._left:
            self._now.advice = None
            self._show()

    async def _sit(self, guest: Guest) -> None:
        """Take a seat, under a secret that is ours before we ask: a lost answer costs nothing."""
        self._remember(self._address.secret)
        if self._now.table.you.seats:
            return
        secret = dice.new_secret()
        self._secrets.append(secret)
        self._remember(secret)
        self._sitting = True
        try:
            sit = requests.Sit(self._id(), guest.name, guest.seat, secret)
            await self._connection.request(sit, again=True)
        except Broken:
            return  # we leave
        except NotDone as error:
            self._sitting = False
            self._fail(source.SourceFailed(self._why(error)))

    def _remember(self, secret: str) -> None:
        """Keep the secret for the next time; where that cannot be, the link has to do."""
        if self._known is None or not secret:
            return
        try:
            self._known.add(self._address, secret)
        except OSError:
            self._remembered = False

    # --- hearing from the server ------------------------------------------------------------------

    def _hear(self, answer: Answer) -> None:
        table = self._now.table
        first = table.info is None
        before = table.info, table.state, table.you
        heard = table.hear(answer)
        lines = self._log.add(heard.happened, table, self._reader(heard.happened))
        after = table.info, table.state, table.you
        same = not heard.happened and not heard.reset and after == before
        if same and not isinstance(answer, Welcome):
            return
        if after[1] is not before[1]:
            self._now.advice = None
            self._busy = False  # the table has moved on: the next move need not wait
        reset = heard.reset or any(
            isinstance(what, entries.Undone | entries.Reopened) for what, _ in heard.happened
        )
        events = tuple(event for each in heard.happened for event in each.events)
        self._show(events, self._log.lines if reset else lines, reset=reset)
        self._mind_salt()
        self._weigh()
        if first and self._guest is not None:
            self._tasks.create_task(self._sit(self._guest))

    def _reader(self, happened: tuple[Happened, ...]) -> int | None:
        """Return the reader's seat, if they have one alone."""
        seats = [*self._now.table.you.seats]
        if not seats and self._sitting and self._guest is not None:
            # That somebody sat down is sent before whose seat that is.
            sat = [what for what, _ in happened if isinstance(what, entries.Sat)]
            seats = [each.seat for each in sat if each.name == self._guest.name]
        return seats[0] if len(seats) == 1 else None

    # --- showing ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        await self._connection.run()

    @property
    def _is_finished(self) -> bool:
        return self._now.is_closed

    def _fail(self, error: Exception) -> None:
        if isinstance(error, TurnedAway):
            error = source.SourceFailed(self._why(error))
        super()._fail(error)

    def _show(
        self, events: tuple[Event, ...] = (), lines: tuple[str, ...] = (), *, reset: bool = False
    ) -> None:
        if self._now.info is not None:
            super()._show(events, lines, reset=reset)

    def _view(self) -> source.View:
        return self._now.view(self._news, self._address.record)
