"""The command `heckmeck site`: the pages as a folder that any web host can serve."""

import json
import shutil
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from heckmeck.cli import options
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.server.pages import web_folder
from heckmeck.server.security import POLICY, read_path

#: What only a server needs: the font of its pictures, and the stamp of the build.
_NOT_SERVED: Final = shutil.ignore_patterns("fonts", ".stamp")


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write; it must not exist, or be empty, or hold an earlier site.",
)
@click.option(
    "--base",
    metavar="PATH",
    help="Path of the site on its host, such as /heckmeck/ (default: wherever it is put).",
)
@click.option(
    "--server",
    metavar="URL",
    help="Address of a heckmeck server, which the site links to for games with others.",
)
@options.json_option("Print the folder, the number of files and their bytes as one JSON object.")
def site(out: Path, base: str | None, server: str | None, as_json: bool) -> None:
    """Write the web pages as static files: games without a server.

    Any web host can serve the folder. Tables are in the page, on the visitor's device: games
    against bots, on one device and with real dice, the rules, odds, puzzles, reviews and the
    editor. Playing with others needs a server; --server links to one.

    \b
    Examples:
      $ heckmeck site --out public
      $ heckmeck site --out public --base /heckmeck/
      $ heckmeck site --out public --server https://play.example.org
    """
    pages = web_folder()
    if pages is None:
        raise UserError(
            "this installation has no web pages: it was built without them. "
            "Install a wheel, or build them with `python hatch_build.py`."
        )
    index = index_of(pages, base, server)
    with file_errors(out):
        _clear(out)
        shutil.copytree(pages, out, ignore=_NOT_SERVED, dirs_exist_ok=True)
        (out / "index.html").write_text(index, encoding="utf-8")
    sizes = [file.stat().st_size for file in out.rglob("*") if file.is_file()]
    if as_json:
        found = {"out": str(out), "files": len(sizes), "bytes": sum(sizes)}
        click.echo(json.dumps(found))
    else:
        click.echo(f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, in {out}")


def index_of(pages: Path, base: str | None, server: str | None) -> str:
    """Return the only page of the site, with its policy; raise `UserError` for a bad option."""
    index = (pages / "index.html").read_text(encoding="utf-8")
    if base is not None:
        with reporting(ValueError):
            index = index.replace('"./', f'"{read_path(base)}/')
    # A policy in a page cannot say who may show it in a frame; the host's headers can.
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}" />'
    mark = f'<meta name="heckmeck-site" content="{escape(_checked(server))}" />'
    head = '<meta charset="utf-8" />\n'
    assert head in index, "the page begins with its character set"
    return index.replace(head, f"{head}    {policy}\n    {mark}\n", 1)


def _checked(server: str | None) -> str:
    """Return the address of a server, "" for none."""
    if server is None:
        return ""
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f"--server {server!r}: use an address such as https://play.example.org.")
    return server


def _clear(out: Path) -> None:
    """Remove an earlier site; refuse to touch anything else."""
    if not out.exists() or not any(out.iterdir()):
        return
    index = out / "index.html"
    if not (index.is_file() and 'name="heckmeck-site"' in index.read_text(encoding="utf-8")):
        raise UserError(f"{out} is not empty and not a site of heckmeck. Choose another folder.")
    shutil.rmtree(out)
