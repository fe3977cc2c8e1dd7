"""Options from the environment and from a TOML file."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from heckmeck.cli import main
from heckmeck.cli.options import configurable, name_of, variable_of
from heckmeck.cli.serve import serve
from heckmeck.server.security import read_root_path

Options = dict[str, object]


@pytest.fixture
def given() -> Options:
    """What the command got last."""
    return {}


@pytest.fixture
def command(given: Options) -> click.Command:
    """A command with an option of every kind."""

    @configurable
    @click.command()
    @click.option("--port", type=int, default=8000)
    @click.option("--root-path", "root", default="/")
    @click.option("--origin", "origins", multiple=True)
    @click.option("--open", "opens", is_flag=True)
    @click.option("--prepare/--no-prepare", default=True)
    def run(**options: object) -> None:
        given.update(options)

    return run


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    command: click.Command, given: Options, tmp_path: Path
) -> None:
    file = tmp_path / "heckmeck.toml"
    file.write_text(
        'port = 1\nroot-path = "/file"\norigin = ["https://a", "https://b"]\nprepare = false\n'
    )
    variables = {"HECKMECK_PORT": "2", "HECKMECK_ROOT_PATH": "/variable", "HECKMECK_OPEN": "1"}
    done = CliRunner().invoke(command, ["--config", str(file), "--port", "3"], env=variables)
    assert done.exit_code == 0, done.output
    assert given == {
        "port": 3,
        "root": "/variable",
        "origins": ("https://a", "https://b"),
        "opens": True,
        "prepare": False,
    }


def test_a_variable_can_name_the_file_and_many_values(
    command: click.Command, given: Options, tmp_path: Path
) -> None:
    file = tmp_path / "a file.toml"
    file.write_text("port = 1\n")
    variables = {"HECKMECK_CONFIG": str(file), "HECKMECK_ORIGIN": "https://a https://b"}
    CliRunner().invoke(command, [], env=variables, catch_exceptions=False)
    assert (given["port"], given["origins"]) == (1, ("https://a", "https://b"))


def test_every_option_of_serve_has_a_variable() -> None:
    options = [option for option in serve.params if isinstance(option, click.Option)]
    assert {variable_of(option) for option in options} == {option.envvar for option in options}
    assert "HECKMECK_TRUST_PROXY" in {option.envvar for option in options}
    assert len({name_of(option) for option in options}) == len(options)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot = 1", "prot is not an option of this command. Its options are "),
        ("port =", "is not a TOML file: Invalid value"),
        ("port = [1]", "port takes one value."),
        ("origin = 'https://a'", "origin takes a list."),
        ("open = 'yes'", "open takes true or false."),
        ("port = true", "port takes one value."),
        ("[port]\na = 1", "port takes one value."),
    ],
)
def test_a_wrong_file_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    file = tmp_path / "heckmeck.toml"
    file.write_text(text)
    assert main(["serve", "--config", str(file)]) == 1
    assert complaint in capsys.readouterr().err


def test_a_missing_file_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--config", "nowhere.toml"]) == 1
    assert capsys.readouterr().err == "heckmeck: nowhere.toml: No such file or directory.\n"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--trust-proxy", "proxy.example.org"], "is not an address or a network"),
        (["--root-path", "/a b"], "is not a path such as /heckmeck."),
        (["--root-path", "/../x"], "is not a path such as /heckmeck."),
        (["--root-path", "/api"], "would hide pages of the site itself."),
    ],
)
def test_a_wrong_option_is_explained(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    assert main(["serve", *options]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "path"), [("/", ""), ("", ""), ("heckmeck", "/heckmeck"), ("/a/b/", "/a/b")]
)
def test_a_root_path_is_read(given: str, path: str) -> None:
    assert read_root_path(given) == path
