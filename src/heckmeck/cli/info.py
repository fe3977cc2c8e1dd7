"""Printing what there is to know (`heckmeck rules`, `bots`, `docs`), to people and to programs.

`heckmeck completion` answers shells and `heckmeck engine` answers programs.
"""

import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class
from msgspec import to_builtins

from heckmeck import narration, record
from heckmeck.bots import BOTS
from heckmeck.cli import commands, options
from heckmeck.cli.printing import Column, as_written, print_line, print_table, width
from heckmeck.engine import bots_listed, serve
from heckmeck.narration.rulebook import Rulebook, RuleTable, rulebook
from heckmeck.rules import EDITIONS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


#: Lines longer than this are hard to read, however wide the terminal is.
WIDTH = 80
#: Marks the start and end of bold text; no text contains this character.
STRONG = "\x01"
#: Stands for a no-break space while lines are broken: it may be written as a plain space.
GLUE = "\x02"


@click.command()
@click.argument(
    "edition", type=click.Choice(list(EDITIONS)), default="classic", metavar="[EDITION]"
)
@options.json_option("Print the sections as one JSON object.")
@options.language_option
def rules(edition: str, as_json: bool, language: str) -> None:
    """Print the rules of a game, in our own words.

    EDITION is classic (the default), deluxe, barbecue or junior. For every detail, with an
    example, see 'heckmeck docs rules/classic' and the pages of the other editions.

    \b
    Examples:
      $ heckmeck rules
      $ heckmeck rules deluxe
      $ heckmeck rules junior --language de
      $ heckmeck rules barbecue --json
    """
    book = rulebook(edition, language)
    if as_json:
        click.echo(json.dumps(_to_json(book, language)))
    else:
        _show(book)


def _to_json(book: Rulebook, language: str) -> record.JsonObject:
    return {
        "edition": book.edition,
        "name": book.name,
        "language": language,
        "sections": [
            {"id": section.id, "title": section.title, "text": to_builtins(section.text)}
            for section in book.sections
        ],
    }


def _show(book: Rulebook) -> None:
    columns = min(width() or WIDTH, WIDTH)
    click.echo(click.style(book.name, bold=True))
    for section in book.sections:
        click.echo()
        click.echo(click.style(section.title, bold=True, underline=True))
        for paragraph in section.text:
            if isinstance(paragraph, RuleTable):
                print_table([Column(cell, "left") for cell in paragraph.heading], paragraph.rows)
            else:
                click.echo(_wrapped(paragraph, columns))


def _wrapped(paragraph: str | tuple[str, ...], columns: int) -> str:
    """Wrap a paragraph or a numbered list to ``columns``."""
    if isinstance(paragraph, str):
        return _strong(textwrap.fill(_marked(paragraph), columns, break_on_hyphens=False))
    items = (
        textwrap.fill(
            _marked(item),
            columns,
            initial_indent=f"{number:>3}. ",
            subsequent_indent=" " * 5,
            break_on_hyphens=False,
        )
        for number, item in enumerate(paragraph, 1)
    )
    return _strong("\n".join(items))


def _marked(text: str) -> str:
    """Return the text as it will be written, with marks around bold words."""
    return as_written(text.replace("\N{NO-BREAK SPACE}", GLUE)).replace("**", STRONG)


def _strong(text: str) -> str:
    """Return the text with everything between two marks in bold; click strips it for a pipe."""
    parts = text.replace(GLUE, as_written("\N{NO-BREAK SPACE}")).split(STRONG)
    return "".join(
        click.style(part, bold=True) if at % 2 else part for at, part in enumerate(parts)
    )


def _docs_folder() -> Path:
    """Return the folder of the documentation: in the package, or in a checkout."""
    package = Path(__file__).parent.parent
    packaged = package / "docs"
    return packaged if packaged.is_dir() else package.parent.parent / "docs"


def pages() -> dict[str, Path]:
    """Return every page by its name, such as ``bots`` or ``rules/classic``.

    Files for hosts are there by their full names, such as ``deploy/nginx.conf``.
    """
    place = _docs_folder()
    texts = {
        path.relative_to(place).with_suffix("").as_posix(): path
        for path in sorted(place.rglob("*.md"))
    }
    files = {f"deploy/{path.name}": path for path in sorted((place / "deploy").iterdir())}
    return texts | files


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in pages() if name.startswith(incomplete)]


@click.command()
@click.argument("page", required=False, shell_complete=_complete)
def docs(page: str | None) -> None:
    """Print a page of the documentation.

    PAGE is the name of a page, such as bots (default: list the pages).

    \b
    Examples:
      $ heckmeck docs
      $ heckmeck docs bots
      $ heckmeck docs rules/deluxe
    """
    there = pages()
    if page is None:
        click.echo("\n".join(there))
        return
    path = there.get(page.removeprefix("docs/").removesuffix(".md"))
    if path is None:
        raise commands.UserError(f"There is no page {page!r}. The pages are: {', '.join(there)}.")
    _show_page(path)


def _show_page(path: Path) -> None:
    """Print a page: Markdown is formatted on a terminal; everything else is printed as it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md" or not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(console.width, 100))


@click.command()
@options.json_option("Print JSON, as in the engine protocol.")
@options.language_option
def bots(as_json: bool, language: str) -> None:
    """List the bots, weakest first, and how they play.

    Use their names with --players and --bots. A bot of your own can play too, as py:MODULE:CLASS in
    Python or exec:PROGRAM in any language; 'heckmeck docs bots' describes both.

    \b
    Examples:
      $ heckmeck bots
      $ heckmeck bots --json
      $ heckmeck bots --language it
    """
    if as_json:
        click.echo(json.dumps(to_builtins(bots_listed())))
        return
    news = narration.News(language)
    widest = max(map(len, BOTS))
    for bot in BOTS.values():
        who = news.bot(bot.name, bot.character)
        print_line(
            f"{bot.name:<{widest}}  {who}. {news.about_bot(bot.name, bot.about)}",
            hanging=widest + 2,
        )
        if set(bot.editions) != set(EDITIONS):
            print_line(f"{'':<{widest}}  {', '.join(bot.editions)}", hanging=widest + 2)


SHELLS = ("bash", "fish", "zsh")
#: The variable through which the script asks this program for completions.
VARIABLE = "_HECKMECK_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell completion script.

    SHELL is bash, fish or zsh. Load the script when your shell starts:

    \b
      bash  add to ~/.bashrc:  eval "$(heckmeck completion bash)"
      zsh   add to ~/.zshrc:   eval "$(heckmeck completion zsh)"
      fish  run once:          heckmeck completion fish
                               > ~/.config/fish/completions/heckmeck.fish

    \b
    Examples:
      $ heckmeck completion bash
      $ heckmeck completion fish
    """
    script = get_completion_class(shell)
    assert script is not None, "click supports every shell in SHELLS"
    from heckmeck.cli import cli

    click.echo(script(cli, {}, "heckmeck", VARIABLE).source())


@click.command()
def engine() -> None:
    """Speak the engine protocol on standard input and output.

    Reads one JSON object per line and answers each with one, until quit or the end of input.
    'heckmeck docs record' describes the protocol.

    \b
    Example:
      $ echo '{"do": "bots"}' | heckmeck engine
    """
    serve(sys.stdin.buffer, sys.stdout.buffer)
