"""The command `heckmeck` itself: lazy commands, help, error messages, exit statuses."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from heckmeck import __version__
from heckmeck.cli import COMMANDS, main
from heckmeck.cli.commands import LazyCommand

AddCommand = Callable[[str], None]


@pytest.fixture
def add_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddCommand:
    """Adds a command `fake` with the given body to `heckmeck`."""

    def add(body: str) -> None:
        lines = [
            "import click",
            "from heckmeck.cli.commands import UserError",
            "@click.command()",
            "def fake():",
            *(f"    {line}" for line in body.splitlines()),
        ]
        (tmp_path / "fake_command.py").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "fake_command", raising=False)
        monkeypatch.setitem(COMMANDS, "fake", LazyCommand("fake_command:fake", "A fake."))

    return add


def modules_imported_by(*args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "heckmeck", *args],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(re.findall(r"\|\s*(\S+)$", done.stderr, re.MULTILINE))


def test_help_lists_every_command_with_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(command.summary)}$", shown, re.MULTILINE)


def test_help_imports_no_command_and_no_other_layer() -> None:
    ours = {name for name in modules_imported_by("--help") if name.startswith("heckmeck")}
    assert ours == {"heckmeck", "heckmeck.cli", "heckmeck.cli.commands", "heckmeck.cli.printing"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_exists(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "-h"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: heckmeck {name} ")


def test_short_and_long_help_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    main(["-h"])
    short = capsys.readouterr().out
    main(["--help"])
    assert capsys.readouterr().out == short


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"heckmeck {__version__}\n"


def test_a_command_is_imported_and_run(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("click.echo('grilled')")
    assert main(["fake"]) == 0
    assert capsys.readouterr().out == "grilled\n"


def test_a_command_may_choose_its_exit_status(add_command: AddCommand) -> None:
    add_command("click.get_current_context().exit(3)")
    assert main(["fake"]) == 3


def test_an_unknown_command_is_a_usage_error_that_names_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["grill"]) == 2
    shown = capsys.readouterr().err
    assert "There is no command 'grill'. The commands are: play, join, watch, " in shown


def test_an_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--grill"]) == 2
    assert "No such option" in capsys.readouterr().err


def test_a_user_error_is_one_line_on_standard_error(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("raise UserError('move 3 keeps a face that is not there')")
    assert main(["fake"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "heckmeck: move 3 keeps a face that is not there\n"


def test_ctrl_c_is_quiet(add_command: AddCommand, capsys: pytest.CaptureFixture[str]) -> None:
    add_command("raise KeyboardInterrupt")
    assert main(["fake"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_input_that_ends_too_early_is_said(
    add_command: AddCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    add_command("raise EOFError")
    assert main(["fake"]) == 1
    assert "heckmeck: the input ended before the command had finished\n" in capsys.readouterr().err


def test_a_bug_keeps_its_traceback(add_command: AddCommand) -> None:
    add_command("raise RuntimeError('a bug')")
    with pytest.raises(RuntimeError, match="a bug"):
        main(["fake"])


@pytest.mark.parametrize("lines", [1, 100_000])
def test_a_closed_pipe_is_quiet(lines: int, add_command: AddCommand, tmp_path: Path) -> None:
    """Whether it is noticed only by the last flush (1 line) or amid the output."""
    add_command(f"click.echo('worm\\n' * {lines})")
    program = """
import sys
from heckmeck.cli import COMMANDS, main
from heckmeck.cli.commands import LazyCommand

sys.stdin.read()  # wait until the reader is gone
COMMANDS["fake"] = LazyCommand("fake_command:fake", "A fake.")
sys.exit(main(["fake"]))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.close()
        assert process.wait(timeout=30) == 1
        assert process.stderr.read() == ""


def test_a_target_that_is_no_command_is_refused() -> None:
    with pytest.raises(TypeError, match="heckmeck:__version__ must be a click command"):
        LazyCommand("heckmeck:__version__", "").load()


def test_loading_gives_the_very_command(add_command: AddCommand) -> None:
    add_command("pass")
    command = COMMANDS["fake"].load()
    assert isinstance(command, click.Command)
    assert command is COMMANDS["fake"].load()


def test_alone_it_says_in_three_lines_how_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == (
        "Play in the browser:   heckmeck serve --open\n"
        "Play in the terminal:  heckmeck play\n"
        "All commands:          heckmeck --help\n"
    )
