"""What is compiled for a page comes from the source that is here, and is called as it says."""

import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from heckmeck import arrays
from heckmeck.rules import EDITIONS, legal, new_game
from heckmeck.solver.webassembly import HEAD, Kernels, about_module
from heckmeck.values import WORMS, value_for
from heckmeck.values.course import changes
from heckmeck.values.turn_memo import TurnMemo
from scripts import webassembly as script

SOURCE: Final = Path(arrays.__file__).parent
MODULE: Final = (SOURCE / "solver" / "kernels.wasm").read_bytes()
#: Modules that run in a page and use NumPy.
WITH_NUMPY: Final = (
    *("bulk/barbecue.py", "bulk/junior.py", "bulk/rows.py", "bulk/tiles.py", "bulk/turns.py"),
    *("coach/advice.py", "coach/reasons.py", "solver/kernel.py", "solver/solution.py"),
    *(
        "values/ahead.py",
        "values/course.py",
        "values/features.py",
        "values/network.py",
        "values/win.py",
    ),
    "values/worms.py",
)
#: What these modules use of NumPy only for training, or only in annotations.
ELSEWHERE: Final = {
    "generic",
    "lib",
    "ndarray",
    "savez_compressed",
    "sqrt",
    "take_along_axis",
    "void",
}


def test_the_module_is_compiled_from_this_source() -> None:
    assert about_module(MODULE)["source"] == script.source_hash(), (
        "Compiled functions have changed: run .venv/check/bin/python scripts/webassembly.py"
    )


def test_the_stand_in_for_numpy_has_all_that_is_used() -> None:
    used = {
        name
        for module in WITH_NUMPY
        for name in re.findall(r"\bnp\.(\w+)", (SOURCE / module).read_text("utf-8"))
    }
    assert used - ELSEWHERE <= {*arrays.STANDS_IN, *arrays.OTHER_NAMES}


def test_all_entries_are_in_the_module() -> None:
    wanted = {f"{module}.{name}" for module, names in script.ENTRIES.items() for name in names}
    assert wanted == about_module(MODULE)["entries"].keys()


class Recorder:
    """A machine with memory, on which a function doubles its array and returns its first number."""

    def __init__(self, module: bytes, stack: int) -> None:
        self.memory, self.status = bytearray(stack), 0

    def reserve(self, end: int) -> None:
        self.memory.extend(bytes(max(end - len(self.memory), 0)))

    def write(self, at: int, data: memoryview) -> None:
        self.memory[at : at + data.nbytes] = data

    def read(self, at: int, into: memoryview) -> None:
        into[:] = self.memory[at : at + into.nbytes]

    def run(self, name: str, arguments: int, heap: int) -> int:
        owner, parent, items, size, place, length, step = struct.unpack_from(
            "<7q", self.memory, arguments + HEAD
        )
        assert (owner, parent, size, step) == (0, 0, 8, 8)
        assert items == length
        assert place + items * size <= heap
        numbers = struct.unpack_from(f"<{items}d", self.memory, place)
        struct.pack_into(f"<{items}d", self.memory, place, *(2 * each for each in numbers))
        struct.pack_into("<?", self.memory, arguments, True)
        return self.status


@pytest.fixture
def kernels() -> Kernels:
    found = Kernels(MODULE, Recorder)
    found.entries["double"] = found.entries["heckmeck.bulk.turns._choose"]._replace(
        takes=["d1="], returns="?"
    )
    return found


def test_what_a_function_writes_is_in_the_array_afterwards(kernels: Kernels) -> None:
    array = arrays.array([1.0, 2.0, 3.0])
    assert kernels.call("double", array) is True
    assert array.tolist() == [2.0, 4.0, 6.0]


def test_an_array_of_another_type_is_refused(kernels: Kernels) -> None:
    with pytest.raises(TypeError, match="double takes d1, not q1"):
        kernels.call("double", arrays.array([1, 2, 3]))
    with pytest.raises(TypeError, match="double takes d1, not d2"):
        kernels.call("double", arrays.zeros((2, 2)))


def test_a_function_that_fails_says_so(kernels: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorder, "run", lambda *_: 1)
    with pytest.raises(RuntimeError, match="double failed in WebAssembly: 1"):
        kernels.call("double", arrays.zeros(1))


#: Values the first turn of a game without Numba, NumPy and WebAssembly.
BARE: Final = """
import sys
sys.modules["numba"] = None
from heckmeck import arrays
arrays.stand_in()
from heckmeck.rules import new_game
from heckmeck.values import WORMS, value_for
from heckmeck.values.turn_memo import TurnMemo
state = new_game(sys.argv[1], 2)
for value in (WORMS, value_for(state.table)):
    print(TurnMemo(value).weigh(state)[0].worth)
from heckmeck.rules import legal
from heckmeck.values.course import changes
state = new_game(sys.argv[1], 3)
value = value_for(state.table)
(opening,) = changes([(state, legal(state)[0])], value, TurnMemo(value))
print(*opening.before.tolist())
"""


def check_bare(edition: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BARE, edition], capture_output=True, text=True, check=True
    )
    worms, chance, *shares = map(float, done.stdout.split())
    state = new_game(edition, 2)
    assert worms == pytest.approx(TurnMemo(WORMS).weigh(state)[0].worth, abs=1e-9)
    # Python has no numbers of single precision, which the networks are made of.
    compiled = TurnMemo(value_for(state.table)).weigh(state)[0].worth
    assert chance == pytest.approx(compiled, abs=1e-6)
    three = new_game(edition, 3)
    (opening,) = changes([(three, legal(three)[0])], value_for(three.table))
    assert shares == pytest.approx(opening.before.tolist(), abs=1e-6)


def test_the_same_source_runs_uncompiled() -> None:
    check_bare("junior")


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_same_source_runs_uncompiled_in_every_edition(edition: str) -> None:
    check_bare(edition)
