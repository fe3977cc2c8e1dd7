"""`heckmeck convert`."""

from pathlib import Path

import click

from heckmeck.cli.files import game_option, load, save
from heckmeck.record import write_json, write_text

FORMS = {"json": write_json, "text": write_text}


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMS)),
    help="Format to write (default: json if the output's name ends in .json, otherwise text).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write to (default: standard output).",
)
@click.option("--force", is_flag=True, help="Overwrite the output file if it exists.")
@game_option
def convert(
    file: str, form: str | None, output: Path | None, force: bool, game: int | None
) -> None:
    """Convert a record to JSON or text, without loss except for comments.

    FILE is a record in JSON or text form; - reads standard input.

    \b
    Examples:
      $ heckmeck convert game.heckmeck.json
      $ heckmeck convert game.heckmeck.txt -o game.heckmeck.json
      $ heckmeck convert games.jsonl --game 3 -o third.heckmeck.txt
    """
    text = FORMS[form or _form_of(output)](load(file, game))
    if output is None:
        # A record is always UTF-8; no character of a name may be substituted.
        click.echo(text.encode(), nl=False)
    else:
        save(output, text, replace=force)


def _form_of(output: Path | None) -> str:
    return "json" if output is not None and output.suffix == ".json" else "text"
