"""The table: shows the game of a source, and returns the reader's choices."""

from itertools import zip_longest
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from heckmeck.narration import Phrases, StopWords, table_words
from heckmeck.rules import EDITIONS, AnyState, outcome
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.tui import choices, dice, grill, sheets, side
from heckmeck.tui.choices import Choice
from heckmeck.tui.dice import Die, Kept, Tray
from heckmeck.tui.side import HintList, Log, Players, hint_lines
from heckmeck.tui.source import Refused, Source, SourceFailed, Update, View, Wish, dice_of

#: The smallest window that shows everything, and those from which the table is larger.
SMALLEST: Final = (80, 24)
BIG: Final = (104, 32)
HUGE: Final = (140, 44)
#: The maximum width of players and hints, so that figures stay near their labels.
WIDEST: Final = 40
#: The usual number of lines of hints, reserved so that nothing moves from turn to turn.
USUAL_HINTS: Final = 10
#: The minimum number of lines for the log, with its title and the line before.
LEAST_LOG: Final = 5
#: More answers than this are in two rows.
IN_ONE_ROW: Final = 3


class TableScreen(Screen[None]):
    """A table and everything around it."""

    CSS_PATH: ClassVar[str] = "table.tcss"
    AUTO_FOCUS: ClassVar[str] = ""

    class Failed(Message):
        """The game cannot continue."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    def __init__(self, source: Source, language: str = "en") -> None:
        """Show the game of ``source`` in ``language``."""
        super().__init__()
        self._source = source
        self._language = language
        self._words = table_words(language)
        self._view: View | None = None
        self._tray: Tray = dice.NO_DICE
        self._typed = ""
        self._end_shown = False
        #: The view in which dice were to be kept last; until the next throw, others can be kept.
        self._thrown: View | None = None

    def compose(self) -> ComposeResult:
        """Lay out the table."""
        with Vertical(id="all"):
            yield Static(id="title")
            yield Static(id="small")
            with Horizontal(id="room"):
                with Vertical(id="table"):
                    yield grill.GrillPanel()
                    yield Kept()
                    yield Static(id="throw")
                    with Horizontal(id="dice"):
                        yield from (Die() for _ in range(dice.MOST_DICE))
                    yield Static(id="previews")
                    with Horizontal(id="choices"):
                        yield from (Choice() for _ in range(choices.MOST_CHOICES))
                        yield Static(id="waits")
                with Vertical(id="side"):
                    with VerticalScroll(id="beside", can_focus=False):
                        yield Players()
                        yield HintList()
                    yield Static(self._words.say("log"), id="log-title")
                    yield Log(id="log")
            yield Static(id="keys")

    def on_mount(self) -> None:
        """Start following the game."""
        self._follow()

    @work
    async def _follow(self) -> None:
        try:
            async for update in self._source.updates():
                self._take(update)
        except SourceFailed as error:
            self.post_message(self.Failed(str(error)))

    def _take(self, update: Update) -> None:
        if self._view is None or update.view.state != self._view.state:
            self._typed = ""
        self._view = update.view
        if any(move.startswith("keep:") for move in update.view.moves):
            self._thrown = update.view
        self._tray = dice.after(self._tray, update)
        self.query_one(Log).add(update.lines, reset=update.reset)
        self._draw()
        self._look_for_the_end(update.view)

    # --- what the reader does ---------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """Play what a key stands for."""
        view = self._view
        if view is None:
            return
        match event.key:
            case "question_mark":
                self.app.push_screen(sheets.KeysSheet(view, self._phrases(view)))
            case "q" | "Q":
                self.app.exit()
            case "pageup" | "pagedown":
                self._scroll(back=event.key == "pageup")
            case "n" | "N" if Wish.REMATCH in view.wishes:
                await self._ask(Wish.REMATCH)
            case _:
                await self._play_key(event.key.lower(), view)

    def _scroll(self, *, back: bool) -> None:
        """Scroll the log, and hints that do not fit."""
        for part in self.query("#log, #beside").results(VerticalScroll):
            if back:
                part.scroll_page_up(animate=False)
            else:
                part.scroll_page_down(animate=False)

    async def _play_key(self, key: str, view: View) -> None:
        if view.throw and view.state is not None and await self._typed_die(key, view, view.state):
            return
        wanted = choices.move_of(key, view, self._tray) or choices.wish_of(key, view)
        if wanted is not None:
            await self._ask(wanted)

    async def _typed_die(self, key: str, view: View, state: AnyState) -> bool:
        """Enter a die, or remove the last; the last die in the air sends them all."""
        count = state.turn.hand + state.turn.golden
        golden = len(self._typed) == state.turn.hand
        faces = (GOLDEN_DIE if golden else EDITIONS[view.edition].dice).faces
        if key in ("backspace", "delete"):
            self._typed = self._typed[:-1] if key == "backspace" else ""
        elif len(key) == 1 and key.upper() in faces and len(self._typed) < count:
            self._typed += key.upper()
        else:
            return False
        self._draw()
        if len(self._typed) == count:
            await self._ask(dice_of(self._typed, state) or "")
        return True

    @on(Die.Picked)
    async def _die_picked(self, message: Die.Picked) -> None:
        view = self._view
        if view is None:
            return
        if message.face == self._tray.kept and Wish.UNDO in view.wishes:
            await self._ask(Wish.UNDO)
        else:
            await self._play_key(message.face.lower(), view)

    @on(Choice.Pressed)
    async def _choice_pressed(self, message: Choice.Pressed) -> None:
        await self._ask(message.word)

    async def _ask(self, wanted: str, *, sure: bool = False) -> None:
        """Ask the source for a wish or a move; ``swap:4`` keeps that face instead of the last.

        A mistake is asked about first, unless the reader is ``sure``.
        """
        kind, _, face = wanted.partition(":")
        if not sure and self._is_doubtful(wanted, self._thrown if kind == "swap" else self._view):
            return
        try:
            if isinstance(wanted, Wish):
                await self._source.wish(wanted)
            elif kind == "swap":
                await self._source.wish(Wish.UNDO)
                await self._source.move(f"keep:{face}")
            else:
                await self._source.move(wanted)
        except Refused as refusal:
            self.notify(str(refusal), severity="warning", markup=False)

    def _is_doubtful(self, wanted: str, view: View | None) -> bool:
        """Whether a move is a mistake in a view; then the reader is asked about it."""
        move = wanted.replace("swap:", "keep:")
        reason = None if view is None else view.doubt(move)
        if view is None or reason is None:
            return False
        sheet = sheets.WarningSheet(view, wanted, reason, self._phrases(view))
        self.app.push_screen(sheet, self._after_warning)
        return True

    async def _after_warning(self, move: str | None) -> None:
        if move is not None:
            await self._ask(move, sure=True)

    def _look_for_the_end(self, view: View) -> None:
        """Show the score over the table when the game has ended, once."""
        end = None if view.state is None else outcome(view.state)
        if end is None:
            self._end_shown = False
        elif not self._end_shown:
            self._end_shown = True
            self.app.push_screen(sheets.EndSheet(view, end, self._phrases(view)), self._after_end)

    async def _after_end(self, wish: str | None) -> None:
        if wish is not None:
            await self._ask(wish)

    # --- drawing ----------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Fit the table into the window, and show the end of the log as before."""
        self._draw()
        self.call_after_refresh(self._draw)  # again with the room that each part has now
        self.call_after_refresh(self.query_one(Log).scroll_end, animate=False)

    def _phrases(self, view: View) -> Phrases:
        return Phrases(self._language, view.names)

    def _draw(self) -> None:
        self._fit()
        view = self._view
        if view is None:
            return
        phrases = self._phrases(view)
        state = view.state
        stop = view.stop_words(phrases)
        width = self._static("title").content_size.width
        self._write("title", side.title(view, self._words, width or self.size.width - 2))
        self._write("keys", choices.keys(view, self._words))
        if state is not None:
            self._draw_grill(view, state, stop)
            self._draw_dice(view, state)
        self._draw_choices(view, phrases, stop)
        self._draw_side(view, phrases)

    def _fit(self) -> None:
        small = not self._has_room(SMALLEST)
        self.set_class(self._has_room(BIG), "-big")
        self.set_class(self._has_room(HUGE), "-huge")
        self.query_one("#room").display = not small
        self._static("keys").display = not small
        self._static("small").display = small
        columns, rows = SMALLEST
        self._write("small", Content(self._words.say("window.small", columns=columns, rows=rows)))

    def _has_room(self, size: tuple[int, int]) -> bool:
        return self.size.width >= size[0] and self.size.height >= size[1]

    def _draw_grill(self, view: View, state: AnyState, stop: StopWords | None) -> None:
        size = self.has_class("-big") + self.has_class("-huge")
        look = grill.look_for(view.edition, view.badges, self._words, size)
        target = None if stop is None else stop.target
        self.query_one(grill.GrillPanel).show(view.edition, state, look, target)

    def _draw_dice(self, view: View, state: AnyState) -> None:
        say = self._words.say
        turn = state.turn
        has_worm = EDITIONS[view.edition].dice.worm in turn.kept
        worm = say("worm.kept" if has_worm else "worm.none") if turn.kept else ""
        total = f"= {turn.total}" if turn.kept else say("kept.none")
        self.query_one(Kept).show(say("kept.title"), turn.kept, total, worm)
        shown = dice.dice_to_show(
            view, state, self._tray, self._typed, large=self.has_class("-huge")
        )
        self.query_one("#dice").set_class(len(shown) == dice.MOST_DICE, "-nine")
        for die, data in zip_longest(self.query(Die), shown):
            die.display = data is not None
            if data is not None:
                die.show(data, self._face_name(view, data.face))
        self._write("previews", Content(dice.previews(view, shown)))

    def _face_name(self, view: View, face: str) -> str:
        named = face and view.edition == "junior"
        return self._words.say(f"short.face.{face}") if named else ""

    def _draw_choices(self, view: View, phrases: Phrases, stop: StopWords | None) -> None:
        offered = choices.options(view, phrases, stop)
        self.query_one("#choices").set_class(len(offered) > IN_ONE_ROW, "-many")
        for button, option in zip_longest(self.query(Choice), offered):
            button.display = option is not None
            if option is not None:
                button.show(option)
        text = choices.waits(view, phrases, stop)
        self._write("waits", Content(text))
        self._static("waits").display = bool(text)
        self._write("throw", self._throw_words(view, phrases))

    def _throw_words(self, view: View, phrases: Phrases) -> Content:
        asked = choices.question(view, phrases)
        if asked:
            return Content.styled(asked, "bold $primary")
        tray = self._tray
        if tray.dead:
            whose = phrases.words.say("colon", what=self._whose_throw(view, phrases), how="")
            return Content.assemble(whose, (phrases.words.say("throw.dead"), "bold $error"))
        if (tray.dice or tray.golden or tray.falling) and not view.seats[tray.seat].mine:
            return Content(self._whose_throw(view, phrases))
        ready = "roll" in view.moves and view.state is not None and not view.state.turn.kept
        return Content(phrases.words.say("tray.invite") if ready else "")

    def _whose_throw(self, view: View, phrases: Phrases) -> str:
        if self._tray.seat == view.you:
            return phrases.words.say("throw.you")
        return phrases.words.say("throw.of", name=view.names[self._tray.seat])

    def _draw_side(self, view: View, phrases: Phrases) -> None:
        side = self.query_one("#side").content_size
        if not side.height:
            if self._has_room(SMALLEST):  # not laid out yet
                self.call_after_refresh(self._draw)
            return
        width = min(max(side.width - 1, 20), WIDEST)  # without the scroll bar
        lines = max(len(hint_lines(view, phrases, width - 2)), USUAL_HINTS) + 1
        room = side.height - LEAST_LOG
        self.query_one("#beside").styles.max_height = max(room, 1)
        short = 2 * len(view.seats) + lines * view.hints_on > room
        self.query_one(Players).show(view, self._words, width, short=short)
        self.query_one(HintList).show(view, phrases, width - 2)

    def _write(self, name: str, content: Content) -> None:
        self._static(name).update(content, layout=False)

    def _static(self, name: str) -> Static:
        return self.query_one(f"#{name}", Static)
