"""What `docs/deploy/` gives to hosts names options that there are, and is read by its programs."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from heckmeck.cli.options import name_of
from heckmeck.cli.serve import serve

DEPLOY = Path(__file__).parents[1] / "docs" / "deploy"
OPTIONS = [option for option in serve.params if isinstance(option, click.Option)]
VARIABLES = {option.envvar for option in OPTIONS}


@pytest.mark.parametrize("file", sorted(DEPLOY.iterdir()), ids=lambda file: file.name)
def test_every_option_exists(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert set(re.findall(r"\bHECKMECK_[A-Z_]+", text)) <= VARIABLES
    commands = re.findall(r"heckmeck serve(.*)", text)
    named = {name for command in commands for name in re.findall(r"--([a-z-]+)", command)}
    assert named <= {name_of(option) for option in OPTIONS}


def test_the_example_of_a_file_of_options_is_accepted() -> None:
    values = tomllib.loads((DEPLOY / "heckmeck.toml").read_text(encoding="utf-8"))
    with serve.make_context("serve", ["--config", str(DEPLOY / "heckmeck.toml")]) as context:
        given = context.params
    assert given["port"] == values["port"]
    assert given["root"] == values["root-path"]
    assert given["origins"] == tuple(values["origin"])
    assert given["proxies"] == tuple(values["trust-proxy"])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_reads_its_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "heckmeck.service").read_text(encoding="utf-8")
    file = tmp_path / "heckmeck.service"
    file.write_text(unit.replace("/opt/heckmeck/bin/heckmeck", "/bin/sh"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", file], capture_output=True, text=True, check=False
    )
    assert "heckmeck.service" not in done.stdout + done.stderr
