"""`heckmeck rules`."""

import json
import textwrap

import click

from heckmeck.cli.language import language_option
from heckmeck.cli.printing import Column, as_written, print_table, width
from heckmeck.narration.rulebook import Paragraph, Rulebook, Table, rulebook
from heckmeck.record import JsonObject, JsonValue
from heckmeck.rules import EDITIONS

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
@click.option("--json", "as_json", is_flag=True, help="Print the sections as one JSON object.")
@language_option
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


def _to_json(book: Rulebook, language: str) -> JsonObject:
    return {
        "edition": book.edition,
        "name": book.name,
        "language": language,
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "text": [_paragraph_to_json(text) for text in section.text],
            }
            for section in book.sections
        ],
    }


def _paragraph_to_json(paragraph: Paragraph) -> JsonValue:
    if isinstance(paragraph, str):
        return paragraph
    if isinstance(paragraph, Table):
        return {"heading": [*paragraph.heading], "rows": [[*row] for row in paragraph.rows]}
    return [*paragraph]


def _show(book: Rulebook) -> None:
    columns = min(width() or WIDTH, WIDTH)
    click.echo(click.style(book.name, bold=True))
    for section in book.sections:
        click.echo()
        click.echo(click.style(section.title, bold=True, underline=True))
        for paragraph in section.text:
            if isinstance(paragraph, Table):
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
