"""`heckmeck docs`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heckmeck.cli.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def folder() -> Path:
    """Return the folder of the documentation: in the package, or in a checkout."""
    package = Path(__file__).parent.parent
    packaged = package / "docs"
    return packaged if packaged.is_dir() else package.parent.parent / "docs"


def pages() -> dict[str, Path]:
    """Return every page by its name, such as ``bots`` or ``rules/classic``.

    Files for hosts are there by their full names, such as ``deploy/nginx.conf``.
    """
    place = folder()
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
        raise UserError(f"There is no page {page!r}. The pages are: {', '.join(there)}.")
    _show(path)


def _show(path: Path) -> None:
    """Print a page: Markdown is formatted on a terminal; everything else is printed as it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md" or not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(console.width, 100))
