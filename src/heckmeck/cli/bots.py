"""`heckmeck bots`."""

import json

import click

from heckmeck.bots import BOTS
from heckmeck.cli.language import language_option
from heckmeck.cli.printing import print_line
from heckmeck.narration.news import News
from heckmeck.rules import EDITIONS


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as in the engine protocol.")
@language_option
def bots(as_json: bool, language: str) -> None:
    """List the bots, weakest first, and how they play.

    Use their names with --players and --bots. A program of your own can play too, as exec:PROGRAM;
    'heckmeck docs bots' describes the protocol it has to speak.

    \b
    Examples:
      $ heckmeck bots
      $ heckmeck bots --json
      $ heckmeck bots --language it
    """
    if as_json:
        listed = [
            {"name": bot.name, "editions": [*bot.editions], "about": bot.about}
            for bot in BOTS.values()
        ]
        click.echo(json.dumps({"bots": listed}))
        return
    news = News(language)
    widest = max(map(len, BOTS))
    for bot in BOTS.values():
        who = news.bot(bot.name, bot.character)
        print_line(
            f"{bot.name:<{widest}}  {who}. {news.about_bot(bot.name, bot.about)}",
            hanging=widest + 2,
        )
        if set(bot.editions) != set(EDITIONS):
            print_line(f"{'':<{widest}}  {', '.join(bot.editions)}", hanging=widest + 2)
