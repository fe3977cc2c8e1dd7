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
    help="The form to write; by default that of the output's name, else text.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here.")
@click.option("--force", is_flag=True, help="Replace the output if it is there already.")
@game_option
def convert(
    file: str, form: str | None, output: Path | None, force: bool, game: int | None
) -> None:
    """Turn a record into its JSON or its text form, without loss (comments aside).

    FILE may be of either form; - reads standard input. Without -o the result is printed.

    \b
    Examples:
      $ heckmeck convert game.heckmeck.json
      $ heckmeck convert game.heckmeck.txt -o game.heckmeck.json
      $ heckmeck convert games.jsonl --game 3 -o third.heckmeck.txt
    """
    text = FORMS[form or _form_of(output)](load(file, game))
    if output is None:
        # A record is UTF-8 wherever it goes, and nothing else may stand in for a name.
        click.echo(text.encode(), nl=False)
    else:
        save(output, text, replace=force)


def _form_of(output: Path | None) -> str:
    return "json" if output is not None and output.suffix == ".json" else "text"
