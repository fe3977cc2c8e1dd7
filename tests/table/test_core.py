"""The core of a table runs anywhere: with the standard library, msgspec, and nothing else."""

import subprocess
import sys

#: What a page's Python does not have, or must not need.
FORBIDDEN = (
    "asyncio",
    "numba",
    "numpy",
    "prometheus_client",
    "psycopg",
    "socket",
    "sqlite3",
    "starlette",
    "uvicorn",
    "websockets",
)
GAME = """
import sys

class Forbid:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FORBIDDEN:
            raise ImportError(f"the core imports {name}")

sys.meta_path.insert(0, Forbid())
for name in [*sys.modules]:
    assert name.partition(".")[0] not in FORBIDDEN, name

from heckmeck import narration
from heckmeck.rules import legal, word
from heckmeck.table import commands, keys, lobby, model, views
from heckmeck.wire import answers, coach, engine, requests, schema
from heckmeck.wire.setup import Setup, Status

vault = keys.Vault(b"v" * 32)
log = [*lobby.new_table(Setup(EDITION, 2), [], keys.hash_of("host"), vault)]
*_, (table, _) = model.fold(log)

def do(command, *secrets):
    global table
    who = keys.who_holds(table, map(keys.hash_of, secrets))
    steps = commands.decide(table, command, who, vault)
    table = steps[-1].table
    log.extend(step.text for step in steps)

for seat in (0, 1):
    do(commands.SitDown(f"Player {seat}", seat, keys.hash_of(f"seat {seat}")))
do(requests.Start("s"), "host")
while table.status is Status.PLAYING:
    state = table.match.state
    moves = [word(move) for move in legal(state)]
    stop = views.table_state(table).prospects.get("stop")
    pays = stop is not None and stop.ending["ending"] != "nothing"
    move = "stop" if pays and "stop" in moves else "keep:W" if "keep:W" in moves else moves[0]
    do(requests.Move(f"m{table.n}", table.n, move), f"seat {state.seat}")
*_, (again, _) = model.fold(log)
assert again == table
print(views.table_state(table).over)
"""


def test_a_whole_game_needs_nothing_of_a_server() -> None:
    for edition in ("classic", "deluxe", "barbecue", "junior"):
        program = f"FORBIDDEN = {FORBIDDEN}\nEDITION = {edition!r}\n{GAME}"
        done = subprocess.run(
            [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.stdout, done.stderr) == ("True\n", ""), edition
