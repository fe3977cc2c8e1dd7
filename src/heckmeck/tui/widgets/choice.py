"""The buttons: roll, stop, and the answers to a question."""

from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from heckmeck.tui.choosing import Option

#: The maximum number of answers to a question: six other players.
MOST: Final = 6


class Choice(Static, can_focus=True):
    """A button with its key, its title, and a line about it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "press", show=False)]

    class Pressed(Message):
        """The reader chose this word."""

        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    word = ""

    def show(self, option: Option) -> None:
        """Show a choice."""
        self.word = option.word
        self.set_classes({f"-{option.kind}"})
        label = Content.assemble((f"{option.key} ", ""), (option.title, "bold"))
        text = Content.assemble(label, "\n", option.detail) if option.detail else label
        self.update(text, layout=False)

    def on_click(self, event: events.Click) -> None:
        """Report the word."""
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Report the word."""
        self.post_message(self.Pressed(self.word))
