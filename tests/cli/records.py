"""Records for the commands to read."""

from heckmeck.record import Record, read_record

FIRST_TURN = """\
heckmeck: 1
edition: classic
seats: Ada, Ben
first: 0

roll =11234WWW keep:W roll =12455 keep:5 stop
"""

#: In the middle of a game, with all that a header can hold.
WITH_EVERYTHING = """\
heckmeck: 1
edition: deluxe
seats: Ada, "Ben, the second", Cleo
first: 2
options: flip_always, flip_returned
date: "2018-05-01"
proof: {"seeds": [1, null]}

roll =1134455W keep:5 roll =12344W keep:W roll =11244 keep:4 roll =123 keep:3 stop
roll =122345WW
"""

#: The third word keeps a face that did not fall.
BAD_MOVE = FIRST_TURN.replace("keep:W", "keep:5")
BAD_MOVE_MESSAGE = (
    "move 2: keep:5 is not allowed: the roll shows no 5. "
    "Legal here: keep:1, keep:2, keep:3, keep:4, keep:W."
)


def read(text: str) -> Record:
    return read_record(text.encode())
