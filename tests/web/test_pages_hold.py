"""Types of the wire, components, texts in every language, and the pages' own tests."""

import os
import subprocess
import sys

from hatch_build import WEB, fetch_packages, from_python, npm_command, one_at_a_time, write


def test_types_components_and_texts_hold() -> None:
    """`npm run check`: the wire's types, svelte-check, Vitest with the check of message keys."""
    command = npm_command()
    with one_at_a_time():
        fetch_packages(command)
        write(from_python())
    done = subprocess.run(
        [*command, "run", "check"],
        cwd=WEB,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
