"""The server that browsers meet: generous, quick to notice who left, and with the real coach."""

import json
import subprocess
import sys
from pathlib import Path

from heckmeck.server.app import Settings
from heckmeck.server.run import Address, bind, prepare, serve
from tests.server.serving import GENEROUS, HOST, IMPATIENT, ROOT, Server


class CoachedServer(Server):
    """A server with these web pages and the coach."""

    def __init__(
        self, folder: Path, pages: Path, root: str = "", push_to: tuple[str, ...] = ()
    ) -> None:
        super().__init__(folder, web=str(pages), root=root, push_to=push_to)

    def launch(self) -> None:
        """Start it, and return at once."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.browser.serving", json.dumps(self._options)],
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )


def main() -> None:
    """Serve with the options in the first argument."""
    options = json.loads(sys.argv[1])
    settings = Settings(
        options["location"],
        limits=GENEROUS,
        timing=IMPATIENT,
        web=Path(options["web"]),
        root=options["root"],
        push_to=tuple(options.get("push_to", ())),
    )
    prepare(settings)
    with bind(Address(HOST, options["port"])) as listener:
        serve(settings, listener)


if __name__ == "__main__":
    main()
