"""`heckmeck engine`: the command; the protocol itself is tested in tests/engine."""

import json

from tests.cli.terminal import Terminal


def test_it_answers_line_by_line_until_the_input_ends(terminal: Terminal) -> None:
    lines = [{"do": "new", "edition": "junior", "seats": 2}, {"do": "state", "id": 7}, 7]
    shown = terminal.run("engine", typed="\n".join(map(json.dumps, lines)))
    assert (shown.status, shown.err) == (0, "")
    first, second, third = map(json.loads, shown.out.splitlines())
    assert second == {"id": 7, **first}
    assert third["error"]["code"] == "bad_request"


def test_it_takes_no_arguments(terminal: Terminal) -> None:
    assert terminal.run("engine", "deluxe").status == 2


def test_quit_ends_it_with_status_0(terminal: Terminal) -> None:
    shown = terminal.run("engine", typed='{"do": "quit"}\n{"do": "bots"}\n')
    assert shown == (0, '{"ok": true}\n', "")
