"""What messengers show of a link to this server: a title, a sentence and a picture of the table."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Final, NamedTuple, TypeVarTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from heckmeck import drawing, rules
from heckmeck.bots import BOTS
from heckmeck.hosting.games import Logged, table_at
from heckmeck.narration import News, languages
from heckmeck.narration.messages import messages_in, table_words
from heckmeck.puzzles import FIRST_DAY
from heckmeck.server import jobs
from heckmeck.server.hub import Hub
from heckmeck.server.limits import address_of
from heckmeck.table import keys, model
from heckmeck.wire.refusals import Refused
from heckmeck.wire.setup import Status

#: The picture for everything that has none of its own, in the folder of the pages.
STATIC: Final = "picture.png"
#: The number of pictures kept; each has about 100 kB.
MOST_KEPT: Final = 64
#: A page is not delayed longer than this by a table that cannot be read.
_PATIENCE_SECONDS: Final = 1.0
#: A host in an address: a name or number, perhaps with a port.
_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
_DEFAULT: Final = "en"
#: Titles of messengers are short.
_TITLE_LETTERS: Final = 120

Ts = TypeVarTuple("Ts")
_Kept = tuple[str, int, int | None, str]


class Preview(NamedTuple):
    """What is shown of a link. ``picture`` is a path of the site; "" as title: that of the page."""

    title: str
    description: str
    picture: str = f"/{STATIC}"


def neutral(language: str) -> Preview:
    """Return what is shown of links that are not about a game."""
    words = messages_in(language, "links")
    return Preview("", words.say("site"))


def tags(preview: Preview, base: str | None, path: str) -> str:
    """Return the tags of a page at ``path``; without a base address there is no picture."""
    properties = {
        "og:site_name": "Heckmeck",
        "og:type": "website",
        "og:title": preview.title or "Heckmeck",
        "og:description": preview.description,
    }
    if base is not None:
        properties |= {
            "og:url": base + path,
            "og:image": base + preview.picture,
            "og:image:type": "image/png",
            "og:image:width": str(drawing.WIDTH),
            "og:image:height": str(drawing.HEIGHT),
            "og:image:alt": preview.title or "Heckmeck",
        }
    card = "summary" if base is None else "summary_large_image"
    lines = [f'<meta name="description" content="{escape(preview.description)}">']
    lines += [f'<meta property="{n}" content="{escape(v)}">' for n, v in properties.items()]
    return "\n    ".join([*lines, f'<meta name="twitter:card" content="{card}">'])


def base_of(request: Request, root: str) -> str | None:
    """Return the address of the site as the client knows it; None if its host is not one."""
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        return None
    return f"{request.url.scheme}://{host}{root}"


def language_of(request: Request) -> str:
    """Return the requested language, or the client's preferred one among ours."""
    wanted = [request.query_params.get("language", "")]
    wanted += [tag.strip()[:2] for tag in request.headers.get("accept-language", "").split(",")]
    return next((code for code in wanted if code in languages()), _DEFAULT)


@dataclass(slots=True)
class Previews:
    """Previews of this server's tables; ``web`` is the folder of the pages."""

    hub: Hub
    web: Path | None
    _kept: OrderedDict[_Kept, bytes] = field(default_factory=OrderedDict)

    async def of(self, path: str, query: Mapping[str, str], language: str) -> Preview:
        """Return the preview of a page: of the table that it shows, or a neutral one."""
        place, _, name = path.strip("/").partition("/")
        puzzle = _puzzle(name) if place == "puzzle" else None
        if puzzle is not None:
            return _of_puzzle(*puzzle, language)
        if place == "review":
            name = query.get("table", "")
        if place in ("t", "review", "embed") and keys.TABLE_ID.fullmatch(name):
            with suppress(Refused, TimeoutError):
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    at, game = _whole(query.get("at")), _whole(query.get("game"))
                    return await self._of_table(name, None if place == "t" else game, at, language)
        return neutral(language)

    async def _of_table(
        self, name: str, game: int | None, at: int | None, language: str
    ) -> Preview:
        table = await self._table(name, game)
        if table is None:
            return neutral(language)
        asked = {"language": language, "n": table.n, "game": game, "at": at}
        asked = {key: value for key, value in asked.items() if value is not None}
        picture = f"/api/tables/{name}/picture.png?{urlencode(asked)}"
        return Preview(_title(table, language), _sentence(table, language), picture)

    async def picture(self, request: Request) -> Response:
        """Answer with the picture of a table, or with the static one if there is none to draw."""
        name, language = request.path_params["name"], language_of(request)
        at, game = (_whole(request.query_params.get(key)) for key in ("at", "game"))
        try:
            table = await self._table(name, game)
        except Refused:
            return self._static()
        if self.web is None or table is None:
            return self._static()
        seats = seats_of(table, language)
        key = (name, table.n, at, language)
        return await self._answer(key, request, jobs.drawn, table, seats, at, language)

    async def _table(self, name: str, game: int | None) -> model.Table | None:
        """Return a table as it is, or as it was at the end of an earlier game; None if closed."""
        async with self.hub.table(name) as live:
            table = live.table
        if table.status is Status.CLOSED:
            return None
        if game is None or game == table.round:
            return table
        earlier = Logged(await self.hub.log_of(name), game)
        return await self.hub.thinker.records.run(name, table_at, earlier)

    async def puzzle_picture(self, request: Request) -> Response:
        """Answer with the picture of the puzzle of a day, without its solution."""
        edition, day = request.path_params["edition"], request.path_params["day"]
        wanted, language = _puzzle(f"{edition}/{day}"), language_of(request)
        if wanted is None or self.web is None:
            return self._static()
        key = (f"puzzle:{edition}", wanted[1].toordinal(), None, language)
        return await self._answer(key, request, jobs.drawn_puzzle, *wanted, language)

    async def _answer(
        self, key: _Kept, request: Request, draw: Callable[[*Ts, list[str]], bytes], *args: *Ts
    ) -> Response:
        asker = address_of(request.client.host if request.client else None)
        drawn = await self._drawn(key, asker, draw, *args)
        headers = {"Cache-Control": "public, max-age=300"}
        return Response(drawn, media_type="image/png", headers=headers) if drawn else self._static()

    async def _drawn(
        self, wanted: _Kept, asker: str, draw: Callable[[*Ts, list[str]], bytes], *args: *Ts
    ) -> bytes:
        """Return a picture from memory, or as a worker draws it; b"" without a renderer."""
        fonts = [str(font) for font in sorted((self.web or Path()).glob("fonts/*.ttf"))]
        desk = self.hub.thinker.records

        async def drawing() -> bytes:
            """Draw it, unless somebody who was first has had it drawn."""
            if wanted not in self._kept:
                self._kept[wanted] = await desk.compute(draw, *args, fonts)
            return self._kept[wanted]

        drawn = self._kept[wanted] if wanted in self._kept else await desk.in_turn(asker, drawing)
        self._kept[wanted] = drawn  # others may have crowded it out in the meantime
        self._kept.move_to_end(wanted)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return drawn

    def _static(self) -> Response:
        file = self.web / STATIC if self.web else None
        if file is None or not file.is_file():
            return Response(status_code=404, headers={"Cache-Control": "no-store"})
        return FileResponse(file, headers={"Cache-Control": "public, max-age=300"})


def _puzzle(path: str) -> tuple[str, date] | None:
    """Return the edition and the day of a puzzle, today if there is none in the path."""
    edition, _, text = path.partition("/")
    edition, today = edition or "classic", datetime.now(UTC).date()
    try:
        day = date.fromisoformat(text) if text else today
    except ValueError:
        return None
    # Somewhere it is tomorrow already.
    is_set = FIRST_DAY <= day <= today + timedelta(days=1)
    return (edition, day) if edition in rules.EDITIONS and is_set else None


def _of_puzzle(edition: str, day: date, language: str) -> Preview:
    at_table, study = table_words(language), messages_in(language, "study")
    game = at_table.say(f"edition.{edition}")
    title = at_table.say("colon", what=study.say("puzzle.title"), how=game)
    picture = f"/api/puzzles/{edition}/{day}/picture.png?language={language}"
    return Preview(title, study.say("puzzle.ask"), picture)


def _whole(text: str | None) -> int | None:
    """Return a number of moves or of a game from an address; None if it is not one."""
    is_number = text is not None and text.isascii() and text.isdecimal() and len(text) < 6
    return int(text or 0) if is_number else None


def _title(table: model.Table, language: str) -> str:
    at_table, edition = table_words(language), table.setup.edition
    game = at_table.say(f"edition.{edition}")
    seated = [name for name, who in zip(_names(table, language), table.seats, strict=True) if who]
    if not seated:
        return game
    named = messages_in(language).listed(seated)
    return at_table.say("colon", what=game, how=named)[:_TITLE_LETTERS]


def _sentence(table: model.Table, language: str) -> str:
    words = messages_in(language, "links")
    if table.match is None:
        free = sum(sitter is None for sitter in table.seats)
        return words.count("free", free) if free else words.say("full")
    now = drawing.title_of(table.match.state, _names(table, language), language)
    if rules.outcome(table.match.state) is None:
        return words.say("playing", now=now)
    return words.say("over", now=now)


def _names(table: model.Table, language: str) -> list[str]:
    """Return the names at the table, those of bots in the reader's language."""
    names = map(table.name_of, range(len(table.seats)))
    return [
        name if isinstance(sitter, model.Person) else _called(name, language)
        for name, sitter in zip(names, table.seats, strict=True)
    ]


def _called(name: str, language: str) -> str:
    """Return a bot's name in a language: "The fox 2" is Fox 2; names that were given stay."""
    for bot in BOTS.values():
        if re.fullmatch(rf"{bot.character}( \d)?", name):
            return name.replace(bot.character, News(language).bot(bot.name, bot.character))
    return name


def seats_of(table: model.Table, language: str) -> list[drawing.Player]:
    """Return the players of a table as they are drawn; a free seat says so."""
    free = table_words(language).say("lobby.free")
    names = _names(table, language)
    if table.match is None:
        names = [n if who else free for n, who in zip(names, table.seats, strict=True)]
    return drawing.players_of(names, table.plates, language)
