"""A position on one line, short and fit for a link: ``classic_21-24.26-36_25_-_1~44W~11335``.

The contract is ``docs/record.md``. Text and `Draft` say the same, possible or not; every position
has exactly one text that is written, and variants of it (tiles and dice in another order) are read.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from heckmeck.record.draft import BadPosition, Content, Draft, Flaw, PlayerDraft, draft_of, state_of
from heckmeck.record.state_json import SNAIL, HouseOptions
from heckmeck.rules import EDITIONS, AnyState, Specialist
from heckmeck.rules.dice import in_face_order

#: Longer than any position, and quick to read.
MAX_LENGTH: Final = 400
_NONE: Final = "-"
_LETTERS: Final = {str(who)[0]: who for who in Specialist}
_HOUSE_RULES: Final = {name.replace("_", "-"): name for name in HouseOptions.__struct_fields__}


# --- writing --------------------------------------------------------------------------------------


def write_position(state: AnyState) -> str:
    """Return the position of a state as text.

    >>> from heckmeck.rules import new_game
    >>> write_position(new_game("classic", 2))
    'classic_21-36_-_-_0'
    """
    return write_draft(draft_of(state))


def write_draft(draft: Draft) -> str:
    """Return a position as text, possible or not; its pieces are those of its edition."""
    on = [text for text, name in _HOUSE_RULES.items() if getattr(draft.options, name)]
    seats = (_player(player, draft.edition) for player in draft.players)
    middle = _board(draft) if draft.edition == "barbecue" else _grill(draft)
    return "_".join(("~".join((draft.edition, *on)), middle, *seats, _turn(draft)))


def _grill(draft: Draft) -> str:
    letter = {tile: str(who)[0] for tile, who in draft.on_grill.items()}
    up = _row(draft.grill, letter) or _NONE
    down = _row(draft.face_down, {})
    return f"{up}~{down}" if down else up


def _row(tiles: Iterable[int], letter: dict[int, str]) -> str:
    """Return tiles in ascending order, neighbours on which nobody stands as a range.

    Equal tiles (junior) are listed in a second round: ``4-9.4-9``.
    """
    parts: list[str] = []
    left = Counter(tiles)
    while left:
        parts += _runs(sorted(left), letter)
        left -= Counter(left.keys())
    return ".".join(parts)


def _runs(tiles: list[int], letter: dict[int, str]) -> list[str]:
    parts: list[str] = []
    start = last = -1
    for tile in tiles:
        if tile == last + 1 and tile not in letter and last not in letter:
            parts[-1] = f"{start}-{tile}"
        else:
            parts.append(f"{tile}{letter.get(tile, '')}")
            start = tile
        last = tile
    return parts


def _board(draft: Draft) -> str:
    return ".".join(_spot(number, draft.spots[number]) for number in sorted(draft.spots)) or _NONE


def _spot(number: int, content: Content) -> str:
    plates = sorted(str(who) for who in content if who != SNAIL)
    snails = "s" * (len(content) - len(plates))
    return f"{number}{snails}p{''.join(plates)}" if plates or not content else f"{number}{snails}"


def _player(player: PlayerDraft, edition: str) -> str:
    if edition == "barbecue":
        return f"{player.worms}~{player.snails}" if player.snails else str(player.worms)
    stack = ".".join(map(str, player.stack)) or _NONE
    has = str(player.holds or "")[:1] + (str(player.bratworms) if player.bratworms else "")
    return f"{stack}~{has}" if has else stack


def _turn(draft: Draft) -> str:
    golden = {"hand": "g", "kept": "k", None: ""}[draft.golden]
    helped = golden + ("w" if draft.weasel_used else "")
    kept = (in_face_order(draft.kept) or _NONE) + (f".{helped}" if helped else "")
    coming = "" if draft.next == "decide" else _coming(draft.next)
    if kept == _NONE and not coming:
        return str(draft.to_move)
    return "~".join(filter(None, (str(draft.to_move), kept, coming)))


def _coming(what: str) -> str:
    if what.startswith("="):
        return what[1:].replace("+", "g")
    return what.replace(":", ".").replace("_", "-")


# --- reading --------------------------------------------------------------------------------------


def read_position(text: str) -> AnyState:
    """Return the state in ``text``; raise `BadPosition` with what is wrong and where.

    >>> read_position("classic_21-36_-_-_0").seat
    0
    """
    return state_of(read_draft(text))


class _Part(NamedTuple):
    """A part of a text, and where it begins."""

    at: int
    text: str

    def split(self, separator: str) -> "list[_Part]":
        """Return the parts between the separators."""
        parts, at = [], self.at
        for text in self.text.split(separator):
            parts.append(_Part(at, text))
            at += len(text) + 1
        return parts

    def match(self, pattern: str, wanted: str) -> re.Match[str]:
        """Return the groups of this part; raise `BadPosition` with what is ``wanted`` here."""
        found = re.fullmatch(pattern, self.text)
        if found is None:
            raise self.bad(f"{self.text!r:.40} is not {wanted}")
        return found

    def bad(self, message: str) -> BadPosition:
        """Return the error about this part."""
        return BadPosition(Flaw("text", at=self.at + 1, text=message))


def read_draft(text: str) -> Draft:
    """Return the position in ``text``, possible or not; raise `BadPosition` if it is not one."""
    if len(text) > MAX_LENGTH:
        raise _Part(MAX_LENGTH, "").bad(f"a position has at most {MAX_LENGTH} characters")
    strange = re.search(r"[^A-Za-z0-9._~-]", text)
    if strange:
        raise _Part(strange.start(), "").bad(f"{strange[0]!r} is not used in a position")
    setup, *fields = _Part(0, text).split("_")
    edition, options = _setup(setup)
    if len(fields) < 3:
        raise _Part(len(text), "").bad(
            "a position has an edition, the middle of the table, the players and a turn"
        )
    middle, *seats, turn = fields
    if edition == "barbecue":
        draft = Draft(edition, tuple(map(_guest, seats)), spots=_read_board(middle))
    else:
        draft = _read_grill(middle, Draft(edition, tuple(map(_owner, seats))))
    return _read_turn(turn, replace(draft, options=options))


def _setup(part: _Part) -> tuple[str, HouseOptions]:
    edition, *rules = part.split("~")
    if edition.text not in EDITIONS:
        raise edition.bad(f"{edition.text!r:.40} is not an edition: {', '.join(EDITIONS)}")
    for rule in rules:
        if rule.text not in _HOUSE_RULES:
            raise rule.bad(f"{rule.text!r:.40} is not a house rule: {', '.join(_HOUSE_RULES)}")
    on = {_HOUSE_RULES[rule.text]: True for rule in rules}
    return edition.text, HouseOptions(**on)


_NUMBER: Final = "0|[1-9][0-9]?"
_TILES: Final = rf"({_NUMBER})(?:-({_NUMBER})|([acghrw]))?"


def _read_grill(part: _Part, draft: Draft) -> Draft:
    up, *down = part.split("~")
    if len(down) > 1:
        raise down[1].bad("the tiles face down come once")
    grill, standing = _row_in(up)
    face_down, nobody = _row_in(down[0]) if down else ((), {})
    if nobody:
        raise down[0].bad("nobody stands on a tile that is face down")
    return replace(draft, grill=grill, face_down=face_down, on_grill=standing)


def _row_in(part: _Part) -> tuple[tuple[int, ...], dict[int, Specialist]]:
    tiles: list[int] = []
    standing: dict[int, Specialist] = {}
    for each in _items(part):
        first, last, letter = each.match(
            _TILES, "a tile (21), a range (21-24), or a tile with a Specialist (21h)"
        ).groups()
        tiles += range(int(first), int(last or first) + 1)
        if letter:
            standing[int(first)] = _LETTERS[letter]
    return tuple(sorted(tiles)), standing


def _items(part: _Part) -> list[_Part]:
    """Return the items of a list, which may be empty."""
    return [] if part.text == _NONE else part.split(".")


def _read_board(part: _Part) -> dict[int, Content]:
    spots: dict[int, Content] = {}
    for each in _items(part):
        number, snails, plates = each.match(
            rf"({_NUMBER})(s*)((?:p[0-8]*)?)",
            "a spot with a snail (36s) or with plates by seat (30p11)",
        ).groups()
        if int(number) in spots:
            raise each.bad(f"spot {number} was there before")
        there: list[Literal["snail"] | int] = [SNAIL for _ in snails]
        spots[int(number)] = (*there, *map(int, plates[1:]))
    return spots


def _owner(part: _Part) -> PlayerDraft:
    """Return a player with a stack."""
    stack, *rest = part.split("~")
    tiles = [each.match(_NUMBER, "a tile of a stack")[0] for each in _items(stack)]
    if len(rest) > 1:
        raise rest[1].bad("a player's belongings come once")
    holds, bratworms = None, "0"
    if rest:
        found = rest[0].match(
            r"([acghrw]?)([1-9][0-9]?)?", "a Specialist (h), Bratworms (2), or both (h2)"
        )
        holds, bratworms = _LETTERS.get(found[1]), found[2] or "0"
    return PlayerDraft(tuple(map(int, tiles)), holds, int(bratworms))


def _guest(part: _Part) -> PlayerDraft:
    """Return a player with worms and snails."""
    found = part.match(
        r"(0|[1-9][0-9]{0,2})(?:~([1-9][0-9]?))?", "worms (7), or worms and snails (7~2)"
    )
    return PlayerDraft(worms=int(found[1]), snails=int(found[2] or 0))


_DICE: Final = "[1-6WBCGK]"
_GOLDEN: Final[dict[str, Literal["hand", "kept"] | None]] = {"g": "hand", "k": "kept", "": None}


def _read_turn(part: _Part, draft: Draft) -> Draft:
    seat, *rest = part.split("~")
    number = int(seat.match("[0-9]", "the seat whose turn it is")[0])
    if len(rest) > 2:
        raise rest[2].bad("a turn has a seat, kept dice and what comes next")
    kept, golden, weasel = "", "", ""
    if rest:
        kept, golden, weasel = (
            rest[0]
            .match(
                rf"(-|{_DICE}{{1,20}})(?:\.([gk]?)(w?))?",
                "kept dice (44W), after a dot g or k for the golden die and w for the weasel",
            )
            .groups("")
        )
    return replace(
        draft,
        to_move=number,
        kept=in_face_order("" if kept == _NONE else kept),
        golden=_GOLDEN[golden],
        weasel_used=weasel != "",
        next=_read_coming(rest[1]) if len(rest) == 2 else "decide",
    )


def _read_coming(part: _Part) -> str:
    found = part.match(
        rf"(?P<dice>{_DICE}*)(?:g(?P<golden>{_DICE}))?|(?P<word>[a-z]+)(?:\.(?P<about>[a-z-]+))?",
        "a roll (1133, or 1133gW with the golden die), dice, rob, return.hen, pinch or over",
    )
    if found["word"]:
        about = f":{found['about'].replace('-', '_')}" if found["about"] else ""
        return f"{found['word']}{about}"
    golden = f"+{found['golden']}" if found["golden"] else ""
    return f"={in_face_order(found['dice'])}{golden}"
