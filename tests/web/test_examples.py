"""What the learn pages show of their examples is what the rules make of them."""

from tests.web.examples import PLAYED, all_played


def test_the_examples_are_played_as_the_rules_have_it() -> None:
    """After a change to the examples or to states: ``python -m tests.web.examples``."""
    assert PLAYED.read_text(encoding="utf-8") == all_played()
