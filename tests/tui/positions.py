"""Positions that show what a screen can show."""

from heckmeck.record import Record
from tests.tui.tables import record_of

TAKE_25 = "roll =11234WWW keep:W roll =12455 keep:5 stop"
TAKE_27 = "roll =11234WWW keep:W roll =12344 keep:4 roll =123 keep:3 roll =12 keep:1 stop"
FAIL = "roll =11112345 keep:5 stop"
#: Barbecue: a plate on 25, and a failed attempt that puts a snail on the grill.
PLATE_25 = "roll =1234WWW6 keep:W roll =12346 keep:6 roll =1234 keep:4 stop"
SNAIL = "roll =1111112W keep:1 roll =11"


def classic_start() -> Record:
    return record_of("classic")


def classic_steal() -> Record:
    """Ada can steal Ben's 27."""
    steal = "roll =11234WWW keep:W roll =12455 keep:5 roll =124 keep:2"
    return record_of("classic", TAKE_25, TAKE_27, FAIL, steal)


def deluxe_throw() -> Record:
    """Ada holds the weasel and has kept 5s; the throw shows one again."""
    again = "roll =11123455 keep:5 roll =12345W"
    return record_of("deluxe", TAKE_25, TAKE_27, FAIL, again)


def deluxe_golden() -> Record:
    """Nine dice lie there."""
    golden = "roll:golden =11234WWW+W"
    return record_of("deluxe", TAKE_25, TAKE_27, FAIL, FAIL, golden)


def deluxe_question() -> Record:
    """Cleo has two Specialists and must put one back."""
    return record_of("deluxe", FAIL, FAIL, TAKE_25, FAIL, TAKE_27, TAKE_27)


def barbecue_steal() -> Record:
    """Dora's result is on Ada's plate."""
    turn = PLATE_25.removesuffix(" stop")
    return record_of("barbecue", PLATE_25, SNAIL, SNAIL, turn, seats="Ada, Ben, Cleo, Dora, Emil")


def barbecue_go_on() -> Record:
    """Nothing is earned yet: the player must go on."""
    return record_of("barbecue", "roll =1234WWW6 keep:W")


def junior_throw() -> Record:
    """A fresh throw of ingredients; one tile is gone and one turned."""
    five = "roll =WWWWBC keep:W roll =BC keep:C stop"
    return record_of("junior", five, "roll =BBBBBB keep:B", "roll =WWBCGK")


def seven_players() -> Record:
    return record_of("deluxe", TAKE_25, TAKE_27, seats="Ada, Ben, Cleo, Dora, Emil, Fritz, Gustav")


POSITIONS = {
    position.__name__: position
    for position in (
        classic_start,
        classic_steal,
        deluxe_throw,
        deluxe_golden,
        deluxe_question,
        barbecue_steal,
        barbecue_go_on,
        junior_throw,
        seven_players,
    )
}
