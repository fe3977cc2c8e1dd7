"""How right the champions are at the end of a game, as it is measured."""

from itertools import islice

from bench.endgames import ABOUT, Gap, gaps, last_tables, markdown
from heckmeck.bulk.rows import row_rules


def test_tables_have_one_tile_left() -> None:
    for row in islice(last_tables("classic", 3), 5):
        assert row_rules("classic").left(row[None]).tolist() == [1]


def test_who_sees_everything_is_not_contradicted() -> None:
    network, champion, grandmaster = gaps("junior", 2, 20)
    assert network.mean > 0.01
    assert max(champion.largest, grandmaster.largest) < 0.02


def test_the_section_has_what_was_found() -> None:
    section = markdown([Gap("deluxe", 2, "network", 200, 1.684, 10.09, 0.5)])
    assert section.startswith(ABOUT)
    assert "| deluxe | 2 | network | 200 | 1.68 | 10.09 | 0.50 |" in section
