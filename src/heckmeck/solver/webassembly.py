"""Compiled functions in a page: WebAssembly made of the same Python source.

``scripts/webassembly.py`` compiles the functions that Python calls into one module,
``kernels.wasm``. It has memory of its own: `Kernels` copies arrays into it, calls, and copies back
what was written. The arrays of a turn's tables and of networks never change, so they stay there.

A function that is not in the module, or any function where WebAssembly cannot be run, is called as
the Python that it is: right, but slow.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import resources
from typing import Final, NamedTuple, ParamSpec, Protocol, TypedDict, TypeVar, cast

from heckmeck import arrays
from heckmeck.arrays import Array
from heckmeck.solver.compiling import in_page

P = ParamSpec("P")
R = TypeVar("R")

#: Bytes for the result of a function and for its error, before its arguments.
RESULT: Final = 128
HEAD: Final = RESULT + 8
#: Arrays begin at multiples of this.
ALIGNED: Final = 64
PAGE: Final = 1 << 16
#: What a function returns if all went well: with a result, and without one.
GOOD: Final = (0, -2)


class Machine(Protocol):
    """Runs WebAssembly."""

    def reserve(self, end: int) -> None:
        """Have at least this much memory."""
        ...

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into memory."""
        ...

    def read(self, at: int, into: memoryview) -> None:
        """Copy bytes out of memory."""
        ...

    def run(self, name: str, arguments: int, heap: int) -> int:
        """Call a function, whose arguments are in memory, and which may use all beyond ``heap``."""
        ...


class Entry(NamedTuple):
    """How a function is called.

    ``takes`` has a code for each argument, fields of tuples one by one: ``q``, ``d`` or ``?`` for a
    number, as in `struct`; for an array that of its numbers and of its axes (``d4``), with ``=`` if
    it is written to and ``!`` if it never changes. ``returns`` is such a code, or nothing.
    """

    takes: list[str]
    returns: str


class Kernels:
    """The functions of a module, and its memory."""

    def __init__(self, module: bytes, machine: Callable[[bytes, int], Machine]) -> None:
        """Load it into a machine, which is given the module and where the stack begins."""
        about = about_module(module)
        self.entries = {name: Entry(**entry) for name, entry in about["entries"].items()}
        self._free = _aligned(about["static"] + about["stack"])
        self._machine = machine(module, self._free)
        self._kept: dict[int, tuple[Array, int]] = {}

    def call(self, name: str, *arguments: object) -> object:
        """Call a function; what it writes into arrays is in them afterwards."""
        entry = self.entries[name]
        flat = [*_flat(arguments)]
        for code, value in zip(entry.takes, flat, strict=True):
            if code.endswith("!"):
                self._keep(cast(Array, value))
        first = self._free
        at = _aligned(first + HEAD + 8 * sum(map(_slots, entry.takes)))
        packed, moved = bytearray(HEAD), list[tuple[str, Array, int]]()
        for code, value in zip(entry.takes, flat, strict=True):
            if len(code) == 1:
                packed += struct.pack(f"<{code}", value).ljust(8, b"\0")
                continue
            array = cast(Array, value)
            _check(name, code, array)
            if code.endswith("!"):
                place = self._kept[id(array)][1]
            else:
                place = at
                moved.append((code, array, place))
                at = _aligned(at + array.size * array.dtype.itemsize)
            packed += _described(array, place)
        self._machine.reserve(at + PAGE)
        self._machine.write(first, memoryview(packed))
        for _, array, place in moved:
            self._machine.write(place, array.memory())
        status = self._machine.run(name, first, at)
        if status not in GOOD:
            raise RuntimeError(f"{name} failed in WebAssembly: {status}.")
        for code, array, place in moved:
            if code.endswith("="):
                self._machine.read(place, array.memory())
        return self._result(entry.returns, first)

    def _keep(self, array: Array) -> None:
        if id(array) in self._kept:
            return
        place, size = self._free, array.size * array.dtype.itemsize
        self._free = _aligned(place + size)
        self._machine.reserve(self._free)
        self._machine.write(place, array.memory())
        self._kept[id(array)] = array, place

    def _result(self, code: str, at: int) -> object:
        """Return what a function returned; an array is copied out of memory."""
        if not code:
            return None
        head = memoryview(bytearray(RESULT))
        self._machine.read(at, head)
        if len(code) == 1:
            return struct.unpack_from(f"<{code}", head)[0]
        axes = int(code[1:])
        (data,) = struct.unpack_from("<i", head, 24)
        array = arrays.zeros(struct.unpack_from(f"<{axes}q", head, 32), _KINDS[code[0]])
        self._machine.read(data, array.memory())
        return array


_KINDS: Final = {kind.code: kind for kind in arrays.NUMBERS}


class About(TypedDict):
    """What is said of a module."""

    source: str
    """A hash of what it was compiled from."""
    static: int
    """Where the memory of its constants ends."""
    stack: int
    """How much memory its stack needs."""
    entries: dict[str, EntryData]


class EntryData(TypedDict):
    """An `Entry` as JSON."""

    takes: list[str]
    returns: str


def about_module(module: bytes) -> About:
    """Return what is said of a module, in its first section."""
    if not module.startswith(b"\0asm\1\0\0\0\0"):
        raise ValueError("not a module that scripts/webassembly.py made")
    size, at = read_number(module, 9)
    found: About = json.loads(module[at + 9 : at + size])
    return found


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number (LEB128), and where it ends."""
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return number, at


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED


def _flat(arguments: Iterable[object]) -> Iterator[object]:
    for each in arguments:
        if isinstance(each, tuple):
            yield from _flat(each)
        else:
            yield each


def _slots(code: str) -> int:
    """Return how many numbers describe an argument."""
    return 1 if len(code) == 1 else 5 + 2 * int(code.rstrip("=!")[-1])


def _check(name: str, code: str, array: Array) -> None:
    """Raise TypeError unless an array is what a function was compiled for."""
    wanted = code.rstrip("=!")
    kind = array.dtype
    found = f"{kind.itemsize}r" if kind.fields else kind.code
    if wanted != f"{found}{array.ndim}":
        raise TypeError(f"{name} takes {wanted}, not {found}{array.ndim}.")


def _described(array: Array, place: int) -> bytes:
    """Return an array as Numba passes it: no owner, its size, where it is, lengths and steps."""
    size, steps = array.dtype.itemsize, list[int]()
    for length in reversed(array.shape):
        steps.insert(0, size)
        size *= length
    numbers = (0, 0, array.size, array.dtype.itemsize, place, *array.shape, *steps)
    return struct.pack(f"<{len(numbers)}q", *numbers)


# ------------------------------------------------------------------------------ in a browser


class InBrowser:
    """A machine of the browser (or of Node) that runs Pyodide."""

    def __init__(self, module: bytes, stack: int) -> None:
        """Load a module, whose stack goes down from ``stack``."""
        from js import Math, Object, Uint8Array, WebAssembly
        from pyodide.ffi import to_js

        convert = partial(to_js, dict_converter=Object.fromEntries)
        compiled = WebAssembly.Module.new(to_js(module))
        self._memory = WebAssembly.Memory.new(convert({"initial": stack // PAGE + 1}))
        pointer = WebAssembly.Global.new(convert({"value": "i32", "mutable": True}), stack)
        table = WebAssembly.Table.new(convert({"initial": 64, "element": "anyfunc"}))
        given = {
            "__linear_memory": self._memory,
            "__stack_pointer": pointer,
            "__indirect_function_table": table,
            "log10": Math.log10,  # for the length of a number in the text of an error
        }
        instance = WebAssembly.Instance.new(compiled, convert({"env": given}))
        self._exports, self._bytes = instance.exports, Uint8Array

    def reserve(self, end: int) -> None:
        """See `Machine`."""
        have = self._memory.buffer.byteLength
        if end > have:
            self._memory.grow(-(-(end - have) // PAGE))

    def write(self, at: int, data: memoryview) -> None:
        """See `Machine`."""
        if data.nbytes:
            self._bytes.new(self._memory.buffer, at, data.nbytes).assign(data)

    def read(self, at: int, into: memoryview) -> None:
        """See `Machine`."""
        if into.nbytes:
            self._bytes.new(self._memory.buffer, at, into.nbytes).assign_to(into)

    def run(self, name: str, arguments: int, heap: int) -> int:
        """See `Machine`."""
        status: int = getattr(self._exports, name)(arguments, heap)
        return status


@cache
def kernels() -> Kernels | None:
    """Return the compiled functions, if this is a page."""
    if not in_page():
        return None
    module = (resources.files("heckmeck.solver") / "kernels.wasm").read_bytes()
    return Kernels(module, InBrowser)


def called(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function to be called in WebAssembly if it can be, otherwise as it is."""
    found = kernels()
    name = f"{function.__module__}.{function.__name__}"
    if found is None or name not in found.entries:
        return function
    return cast("Callable[P, R]", partial(found.call, name))
