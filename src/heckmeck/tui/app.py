"""The terminal application around a table."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from heckmeck.interrupts import STATUS, ignore_interrupts
from heckmeck.tui.line_filters import Ink, StandIns, stand_ins_for
from heckmeck.tui.source import Source
from heckmeck.tui.table_screen import TableScreen
from heckmeck.tui.theme import DARK, LIGHT, THEMES

#: The signals of a closed window and of a shutdown.
_GO_AWAY: Final = tuple(
    getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)
)


class TableApp(App[None]):
    """Shows the game of a source until the reader leaves."""

    TITLE = "heckmeck"
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("t", "switch_theme", show=False),
    ]

    def __init__(self, source: Source, language: str = "en", *, dark: bool = True) -> None:
        """Show ``source`` in ``language``."""
        super().__init__()
        self._source = source
        self._language = language
        #: The signal that ended the application, if one did.
        self.ended_by: signal.Signals | None = None
        self._interrupted = False
        self._own_loop: asyncio.AbstractEventLoop | None = None
        #: Why the game could not continue, if it could not.
        self.problem = ""
        for theme in THEMES:
            self.register_theme(theme)
        self._stand_ins = stand_ins_for(sys.__stderr__, os.environ)
        # Without colour, pieces stand out in the dark theme only.
        self.theme = DARK if dark or self.no_color else LIGHT

    async def on_mount(self) -> None:
        """Show the table, and handle signals."""
        loop = self._own_loop = asyncio.get_running_loop()
        for number in _GO_AWAY:
            with contextlib.suppress(NotImplementedError, RuntimeError):
                loop.add_signal_handler(number, self._go_away, number)
        await self.push_screen(TableScreen(self._source, self._language))
        if self._interrupted:
            self.action_interrupt()

    def _go_away(self, number: signal.Signals) -> None:
        self.ended_by = number
        self.exit()

    async def on_unmount(self) -> None:
        """Release the game."""
        await self._source.close()

    def on_table_screen_failed(self, message: TableScreen.Failed) -> None:
        """Leave with what went wrong."""
        self.problem = message.why
        self.exit(return_code=1)

    def action_leave(self) -> None:
        """Leave the table; every word is already saved."""
        self.exit()

    def action_interrupt(self) -> None:
        """Leave the table after Ctrl-C; further ones are ignored."""
        ignore_interrupts()
        self.exit(return_code=STATUS)

    def interrupt(self) -> None:
        """Leave after a Ctrl-C that came as a signal, even before the table is shown."""
        self._interrupted = True
        if self._own_loop is not None:
            self._own_loop.call_soon_threadsafe(self.action_interrupt)

    def action_switch_theme(self) -> None:
        """Switch between light and dark."""
        self.theme = LIGHT if self.theme == DARK else DARK

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Remove colours if NO_COLOR is set, and signs that cannot be shown."""
        filters = [Ink()] if self.no_color else super().get_line_filters()
        return filters if self._stand_ins is None else [*filters, StandIns(self._stand_ins)]
