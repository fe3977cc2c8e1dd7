"""The part of NumPy that solver, values and coach use, in plain Python: for a browser.

Pyodide runs our Python in a page, but there is no NumPy for it that we could ship, and it would be
larger than everything else. The heavy loops are compiled (`heckmeck.solver.webassembly`), so what
is left for NumPy is to arrange small arrays. `stand_in` puts this module into its place, and the
same source then runs with either.

Everything here does what the function of the same name does in NumPy, as far as it is used; other
arguments are errors. The numbers in an array are in memory as NumPy has them, so that compiled code
can work on them; a single number is an ordinary one of Python.
"""

from __future__ import annotations

import ast
import math
import operator
import struct
import sys
import zipfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise, product
from types import EllipsisType, ModuleType
from typing import IO, Final, Literal, SupportsIndex, TypeAlias, cast

Number: TypeAlias = float
#: An array, a number, or nested sequences of them.
Data: TypeAlias = object
Shape: TypeAlias = tuple[int, ...]

newaxis: Final = None
inf: Final = math.inf


# ------------------------------------------------------------------------------ types of numbers


class DType:
    """A type of numbers, or of records that have a number in each field."""

    def __init__(
        self, name: str, code: str, rank: int, fields: dict[str, tuple[DType, int]] | None = None
    ) -> None:
        """Describe it as `struct` does; a number of higher ``rank`` can hold one of lower rank."""
        self.name, self.code, self.rank = name, code, rank
        self.fields = fields or {}
        self.itemsize = struct.calcsize(code)
        self.format = "B" if self.fields else code

    def __call__(self, number: Number = 0) -> Number:
        """Return a number as this type holds it."""
        if self.code == "?":
            return bool(number)
        if self.code in "fd":
            found: float = struct.unpack(self.code, struct.pack(self.code, number))[0]
            return found
        return int(number)

    def __repr__(self) -> str:
        return f"dtype({self.name!r})"


bool_: Final = DType("bool", "?", 0)
int8: Final = DType("int8", "b", 1)
uint16: Final = DType("uint16", "H", 2)
uint32: Final = DType("uint32", "I", 3)
int64: Final = DType("int64", "q", 4)
uint64: Final = DType("uint64", "Q", 5)
float32: Final = DType("float32", "f", 6)
float64: Final = DType("float64", "d", 7)
NUMBERS: Final = (bool_, int8, uint16, uint32, int64, uint64, float32, float64)
#: As files name them.
_FILED: Final = {"<f4": float32, "<f8": float64, "<i8": int64, "|i1": int8, "|b1": bool_}


def dtype(fields: Sequence[tuple[str, DType]], align: bool) -> DType:
    """Return the type of records with these fields, each where the C language would put it."""
    assert align, "only aligned records can be read as arrays of their fields"
    code, placed = "@", dict[str, tuple[DType, int]]()
    for name, kind in fields:
        code += kind.code
        placed[name] = kind, struct.calcsize(code) - kind.itemsize
    widest = max((kind for _, kind in fields), key=lambda kind: kind.itemsize)
    return DType("record", f"{code}0{widest.code}", -1, placed)


def _type(kind: DType | str | None, default: DType = float64) -> DType:
    if isinstance(kind, str):
        return _FILED[kind]
    return default if kind is None else kind


def _as(memory: memoryview, kind: DType) -> memoryview[float]:
    """Return bytes as numbers."""
    return memory.cast(cast("Literal['d']", kind.format))


# ------------------------------------------------------------------------------ arrays


class Array:
    """An array: a window on memory, with the steps from one place to the next along each axis."""

    __slots__ = ("_data", "_first", "dtype", "shape", "strides")
    __hash__ = None  # type: ignore[assignment] # arrays are compared place by place

    def __init__(
        self, data: memoryview[float], first: int, shape: Shape, strides: Shape, dtype: DType
    ) -> None:
        """Look at ``data``, which has the type's format; places count in numbers, not bytes."""
        self._data, self._first = data, first
        self.shape, self.strides, self.dtype = shape, strides, dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of places."""
        return math.prod(self.shape)

    @property
    def T(self) -> Array:  # noqa: N802 (NumPy's name)
        """The array with its axes reversed."""
        return Array(self._data, self._first, self.shape[::-1], self.strides[::-1], self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Array | Number]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        return f"array({self.tolist()}, {self.dtype.name})"

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def item(self) -> Number:
        """Return the only number."""
        (number,) = self.values()
        return number

    # ------------------------------------------------------------------ all numbers

    @property
    def _step(self) -> int:
        """From one number to the next; records are in memory as bytes."""
        return self.dtype.itemsize if self.dtype.fields else 1

    def _spacing(self) -> int | None:
        """Return the distance from one number to the next, if it is the same everywhere."""
        axes = [axis for axis, length in enumerate(self.shape) if length != 1]
        if not axes:
            return self._step
        for axis, inner in pairwise(axes):
            if self.strides[axis] != self.strides[inner] * self.shape[inner]:
                return None
        return self.strides[axes[-1]]

    def _is_whole(self) -> bool:
        """Whether the numbers are one after the other."""
        return self._spacing() == self._step

    def _places(self) -> Sequence[int]:
        """Return where in memory the numbers are, in order."""
        spacing = self._spacing()
        if spacing:
            return range(self._first, self._first + self.size * spacing, spacing)
        return [self._first + step for step in _steps(self.shape, self.strides)]

    def values(self) -> list[Number]:
        """Return all numbers in order."""
        places, data = self._places(), self._data
        if isinstance(places, range) and places.step > 0:
            return [*data[places.start : places.stop : places.step].tolist()]
        return [data[place] for place in places] if self.size else []

    def memory(self) -> memoryview:
        """Return the bytes of the array; they are its own if its numbers are in order there."""
        if not self.size:
            return memoryview(b"")
        whole = self if self._is_whole() else self.copy()
        end = whole._first + whole.size * self._step  # noqa: SLF001
        return whole._data[whole._first : end].cast("B")  # noqa: SLF001

    def fill(self, values: Iterable[Number]) -> None:
        """Write all numbers in order."""
        if self._is_whole() and self.size:
            numbers, first = [*values], self._first * self.dtype.itemsize
            struct.pack_into(f"{self.size}{self.dtype.code}", self._data, first, *numbers)
            return
        data = self._data
        for place, value in zip(self._places(), values, strict=True):
            data[place] = value

    def tolist(self) -> list[object]:
        """Return the numbers as nested lists."""
        if self.ndim == 1:
            return [*self.values()]
        return [part.tolist() for part in self if isinstance(part, Array)]

    def tobytes(self) -> bytes:
        """Return the bytes of the array."""
        return bytes(self.memory())

    # ------------------------------------------------------------------ parts

    def __getitem__(self, key: object) -> Array | Number:
        if isinstance(key, str):
            return self._field(key)
        if type(key) is int and len(self.shape) == 1 and not self.dtype.fields:
            return self._data[self._at(key, 0)]
        basic, picked = self._split(key)
        if picked:
            return basic._pick(picked)  # noqa: SLF001
        if basic.shape or self.dtype.fields:
            return basic
        return self._data[basic._first]  # noqa: SLF001

    def __setitem__(self, key: object, value: Data) -> None:
        if isinstance(key, str):
            field = self._view_of(key)
            field[...] = value
            return
        if type(key) is int and len(self.shape) == 1 and not isinstance(value, Array):
            self._data[self._at(key, 0)] = self.dtype(cast("float", value))
            return
        basic, picked = self._split(key)
        if not picked:
            if not basic.shape and not isinstance(value, Array | list | tuple):
                basic._data[basic._first] = self.dtype(cast("float", value))  # noqa: SLF001
                return
            written = broadcast_to(array(value, self.dtype), basic.shape)
            basic.fill(written.values())
            return
        places = basic._picked(picked)  # noqa: SLF001
        written = broadcast_to(array(value, self.dtype), places.shape)
        data = self._data
        for place, number in zip(places.values(), written.values(), strict=True):
            data[int(place)] = number

    def _at(self, index: int, axis: int) -> int:
        length = self.shape[axis]
        if not -length <= index < length:
            raise IndexError(f"{index} is not a place among {length}.")
        return self._first + (index + length if index < 0 else index) * self.strides[axis]

    def _field(self, name: str) -> Array | Number:
        field = self._view_of(name)
        return field if field.shape else field.item()

    def _view_of(self, name: str) -> Array:
        """Return one field of records."""
        kind, at = self.dtype.fields[name]
        size = kind.itemsize
        strides = tuple(stride // size for stride in self.strides)
        data = _as(self._data.cast("B"), kind)
        return Array(data, (self._first + at) // size, self.shape, strides, kind)

    def _split(self, key: object) -> tuple[Array, dict[int, Array]]:
        """Return the view by numbers and slices, and the arrays of indices by its axes."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if not any(each is Ellipsis for each in keys):
            keys.append(Ellipsis)
        taken = sum(_axes_of(each) for each in keys)
        first, axis = self._first, 0
        shape, strides, picked = list[int](), list[int](), dict[int, Array]()
        for each in keys:
            if isinstance(each, EllipsisType):
                rest = self.ndim - taken
                shape += self.shape[axis : axis + rest]
                strides += self.strides[axis : axis + rest]
                axis += rest
            elif each is None:
                shape.append(1)
                strides.append(0)
            elif isinstance(each, slice):
                start, stop, step = each.indices(self.shape[axis])
                first += start * self.strides[axis]
                shape.append(len(range(start, stop, step)))
                strides.append(step * self.strides[axis])
                axis += 1
            elif isinstance(each, Array | list):
                for index in _indices(array(each)):
                    picked[len(shape)] = index
                    shape.append(self.shape[axis])
                    strides.append(self.strides[axis])
                    axis += 1
            else:
                assert isinstance(each, SupportsIndex), f"not an index: {each!r}"
                first += self._at(operator.index(each), axis) - self._first
                axis += 1
        return Array(self._data, first, tuple(shape), tuple(strides), self.dtype), picked

    def _picked(self, picked: dict[int, Array]) -> Array:
        """Return where in memory the numbers at these indices of neighbouring axes are."""
        axes = sorted(picked)
        begin, end = axes[0], axes[-1] + 1
        assert axes == list(range(begin, end)), "indices of axes that are not neighbours"
        shape = _common_shape([each.shape for each in picked.values()])
        spread = [broadcast_to(picked[axis], shape).values() for axis in axes]
        middle = [
            sum(
                self._at(int(index), axis) - self._first
                for axis, index in zip(axes, indices, strict=True)
            )
            for indices in zip(*spread, strict=True)
        ]
        before = _steps(self.shape[:begin], self.strides[:begin])
        after = _steps(self.shape[end:], self.strides[end:])
        places = [self._first + a + b + c for a in before for b in middle for c in after]
        return _made(places, (*self.shape[:begin], *shape, *self.shape[end:]), int64)

    def _pick(self, picked: dict[int, Array]) -> Array:
        places, data = self._picked(picked), self._data
        numbers = [data[place] for place in places._data.tolist()[: places.size]]  # noqa: SLF001
        return _made(numbers, places.shape, self.dtype)

    # ------------------------------------------------------------------ other shapes and types

    def copy(self) -> Array:
        """Return the same numbers in memory of their own."""
        if self.dtype.fields:
            raise TypeError("records are not copied")
        places = self._places()
        if isinstance(places, range) and places.step > 0 and self.size:
            data = self._data[places.start : places.stop : places.step].tobytes()
            return _at_first(_as(memoryview(bytearray(data)), self.dtype), self.shape, self.dtype)
        return _made(self.values(), self.shape, self.dtype)

    def astype(self, kind: DType) -> Array:
        """Return the same numbers as another type."""
        if kind is self.dtype:
            return self.copy()
        values = self.values()
        return _made(_cast(values, kind), self.shape, kind)

    def reshape(self, *shape: int | Shape) -> Array:
        """Return the same numbers in another shape; one length may be -1, for what is left."""
        sizes = shape[0] if isinstance(shape[0], tuple) else tuple(map(operator.index, shape))  # type: ignore[arg-type]
        if -1 in sizes:
            rest = self.size // -math.prod(sizes)
            sizes = tuple(rest if size == -1 else size for size in sizes)
        if math.prod(sizes) != self.size:
            raise ValueError(f"{self.shape} cannot be reshaped to {sizes}.")
        whole = self if self._is_whole() else self.copy()
        return Array(whole._data, whole._first, sizes, _strides(sizes), self.dtype)  # noqa: SLF001

    def ravel(self) -> Array:
        """Return the same numbers along one axis."""
        return self.reshape(-1)

    # ------------------------------------------------------------------ sums and the like

    def sum(self, axis: int | Shape | None = None, dtype: DType | None = None) -> Array | Number:
        """Return the sums over some axes, or of all."""
        kind = dtype or (self.dtype if self.dtype.rank >= float32.rank else int64)
        if axis is None:
            return kind(sum(self.values()))
        axes = {each % self.ndim for each in (axis if isinstance(axis, tuple) else (axis,))}
        return self._along(axes, sum, kind)

    def all(self, axis: int | None = None) -> Array | Number:
        """Return whether all are true."""
        return all(self.values()) if axis is None else self._along({axis}, all, bool_)

    def any(self) -> bool:
        """Whether any is true."""
        return any(self.values())

    def min(self, axis: int) -> Array:
        """Return the lowest numbers along an axis."""
        return self._along({axis % self.ndim}, min, self.dtype)

    def max(self, initial: Number = -inf) -> Number:
        """Return the highest number."""
        return max(self.values(), default=initial)

    def argmax(self, axis: int | None = None) -> Array | Number:
        """Return the place of the first of the highest numbers."""
        return (
            _first_of_highest(self.values())
            if axis is None
            else self._along({axis % self.ndim}, _first_of_highest, int64)
        )

    def _along(self, axes: set[int], fold: Callable[[list[Number]], Number], kind: DType) -> Array:
        kept = [axis for axis in range(self.ndim) if axis not in axes]
        order = (*kept, *sorted(axes))
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        moved = Array(self._data, self._first, tuple(shape), tuple(strides), self.dtype)
        values = moved.values()
        each = math.prod(shape[len(kept) :])
        sizes = tuple(shape[: len(kept)])
        folded = [fold(values[i * each : (i + 1) * each]) for i in range(math.prod(sizes))]
        return _made(folded, sizes, kind)

    # ------------------------------------------------------------------ arithmetic

    def __add__(self, other: Data) -> Array:
        return _combine(operator.add, self, other)

    def __radd__(self, other: Data) -> Array:
        return _combine(operator.add, other, self)

    def __sub__(self, other: Data) -> Array:
        return _combine(operator.sub, self, other)

    def __rsub__(self, other: Data) -> Array:
        return _combine(operator.sub, other, self)

    def __isub__(self, other: Data) -> Array:
        self[...] = self - other
        return self

    def __mul__(self, other: Data) -> Array:
        return _combine(operator.mul, self, other)

    def __rmul__(self, other: Data) -> Array:
        return _combine(operator.mul, other, self)

    def __truediv__(self, other: Data) -> Array:
        return _combine(operator.truediv, self, other)

    def __and__(self, other: Data) -> Array:
        return _combine(operator.and_, self, other)

    def __or__(self, other: Data) -> Array:
        return _combine(operator.or_, self, other)

    def __invert__(self) -> Array:
        assert self.dtype is bool_, "only truths are inverted"
        return _made([not value for value in self.values()], self.shape, bool_)

    def __abs__(self) -> Array:
        return _made([abs(value) for value in self.values()], self.shape, self.dtype)

    def __eq__(self, other: Data) -> Array:  # type: ignore[override]
        return _combine(operator.eq, self, other, bool_)

    def __ne__(self, other: Data) -> Array:  # type: ignore[override]
        return _combine(operator.ne, self, other, bool_)

    def __lt__(self, other: Data) -> Array:
        return _combine(operator.lt, self, other, bool_)

    def __le__(self, other: Data) -> Array:
        return _combine(operator.le, self, other, bool_)

    def __gt__(self, other: Data) -> Array:
        return _combine(operator.gt, self, other, bool_)

    def __ge__(self, other: Data) -> Array:
        return _combine(operator.ge, self, other, bool_)


def _axes_of(key: object) -> int:
    """Return how many axes an index uses up."""
    if key is None or key is Ellipsis:
        return 0
    if isinstance(key, Array) and key.dtype is bool_:
        return key.ndim
    return 1


def _indices(index: Array) -> list[Array]:
    """Return arrays of indices; truths stand for the places where they are."""
    return [*nonzero(index)] if index.dtype is bool_ else [index]


def _steps(shape: Shape, strides: Shape) -> list[int]:
    """Return the distance of each number from the first, in order."""
    steps = [0]
    for length, stride in zip(shape, strides, strict=True):
        along = [stride * place for place in range(length)]
        steps = [step + more for step in steps for more in along]
    return steps


def _strides(shape: Shape) -> Shape:
    strides, step = list[int](), 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def _cast(values: Iterable[Number], kind: DType) -> list[Number]:
    if kind is bool_:
        return [bool(value) for value in values]
    return list(values) if kind.code in "fd" else [int(value) for value in values]


def _at_first(data: memoryview[float], shape: Shape, kind: DType) -> Array:
    strides = _strides(shape)
    if kind.fields:
        strides = tuple(stride * kind.itemsize for stride in strides)
    return Array(data, 0, shape, strides, kind)


def _made(values: Sequence[Number], shape: Shape, kind: DType) -> Array:
    """Return a new array; the numbers fit its type."""
    made = zeros(shape, kind)
    if values:
        struct.pack_into(f"{len(values)}{kind.code}", made._data, 0, *values)  # noqa: SLF001
    return made


def _first_of_highest(values: list[Number]) -> int:
    return values.index(max(values))


def _common_shape(shapes: Sequence[Shape]) -> Shape:
    axes = max(map(len, shapes))
    padded = [(1,) * (axes - len(shape)) + shape for shape in shapes]
    found = []
    for sizes in zip(*padded, strict=True):
        several = {*sizes} - {1}
        if len(several) > 1:
            raise ValueError(f"Arrays of the shapes {shapes} do not fit.")
        found.append(several.pop() if several else 1)
    return tuple(found)


def _common_type(one: Data, two: Data) -> DType:
    """Return the type of a result; a single number adapts to the type of an array."""
    kinds = [each.dtype for each in (one, two) if isinstance(each, Array)]
    kind = max(kinds, key=lambda kind: kind.rank)
    for each in (one, two):
        if isinstance(each, float) and kind.rank < float32.rank:
            return float64
        if isinstance(each, int) and not isinstance(each, bool) and kind is bool_:
            return int64
    return float64 if {*kinds} == {int64, float32} else kind


def _combine(
    operation: Callable[[Number, Number], Number], one: Data, two: Data, kind: DType | None = None
) -> Array:
    if isinstance(one, list | tuple):
        one = array(one)
    if isinstance(two, list | tuple):
        two = array(two)
    if kind is None:
        kind = _common_type(one, two)
        if operation is operator.truediv and kind.rank < float32.rank:
            kind = float64
    shape = _common_shape([each.shape for each in (one, two) if isinstance(each, Array)])
    left, right = _operands(one, shape), _operands(two, shape)
    return _made(list(map(operation, left, right)), shape, kind)


def _operands(data: Data, shape: Shape) -> list[Number]:
    if isinstance(data, Array):
        return broadcast_to(data, shape).values()
    assert isinstance(data, int | float), f"not a number: {data!r}"
    return [data] * math.prod(shape)


# ------------------------------------------------------------------------------ making arrays


def zeros(shape: int | Shape, dtype: DType | None = None) -> Array:
    """Return an array of zeros."""
    kind = _type(dtype)
    sizes = shape if isinstance(shape, tuple) else (operator.index(shape),)
    memory = bytearray(max(math.prod(sizes), 1) * kind.itemsize)  # an empty one has no format
    return _at_first(_as(memoryview(memory), kind), sizes, kind)


#: There is no faster way to have memory.
empty: Final = zeros


def full(shape: int | Shape, value: Number, dtype: DType | None = None) -> Array:
    """Return an array of the same number everywhere."""
    made = zeros(shape, dtype)
    made.fill([made.dtype(value)] * made.size)
    return made


def ones(shape: int | Shape, dtype: DType | None = None) -> Array:
    """Return an array of ones."""
    return full(shape, 1, dtype)


def zeros_like(other: Array) -> Array:
    """Return zeros in the shape of another array."""
    return zeros(other.shape, other.dtype)


empty_like: Final = zeros_like


def arange(stop: int) -> Array:
    """Return the numbers from 0 on."""
    return _made(range(stop), (stop,), int64)


def array(data: Data, dtype: DType | str | None = None) -> Array:
    """Return an array of these numbers; an array of the same type is not copied."""
    if isinstance(data, Array):
        return data if dtype is None or _type(dtype) is data.dtype else data.astype(_type(dtype))
    if isinstance(dtype, DType) and dtype.fields:
        return _records(data, dtype)
    shape, numbers = _flat(data)
    kind = _kind_of(data, numbers) if dtype is None else _type(dtype)
    return _made(numbers, shape, kind)


def _kind_of(data: Data, numbers: Sequence[Number]) -> DType:
    """Return the type that can hold all numbers of nested sequences."""
    while isinstance(data, Sequence) and data:
        data = data[0]
    if isinstance(data, Array):
        return data.dtype
    kinds = {type(number) for number in numbers}
    return float64 if float in kinds or not kinds else int64 if int in kinds else bool_


def _flat(data: Data) -> tuple[Shape, list[Number]]:
    """Return the shape of nested sequences, and all their numbers."""
    if isinstance(data, Array):
        return data.shape, data.values()
    if isinstance(data, int | float):
        return (), [data]
    assert isinstance(data, Sequence), f"not numbers: {data!r}"
    if not data or isinstance(data[0], int | float):
        return (len(data),), [*data]
    parts = [_flat(each) for each in data]
    (shape,) = {shape for shape, _ in parts}
    return (len(parts), *shape), [*chain.from_iterable(numbers for _, numbers in parts)]


def _records(data: Data, kind: DType) -> Array:
    assert isinstance(data, Sequence), "records come one after the other"
    made = zeros(len(data), kind)
    for place, record in enumerate(data):
        struct.pack_into(kind.code, made._data, place * kind.itemsize, *record)  # noqa: SLF001
    return made


def ascontiguousarray(data: Data, dtype: DType | str | None = None) -> Array:
    """Return an array whose numbers are one after the other."""
    made = array(data, dtype)
    return made if made._is_whole() else made.copy()  # noqa: SLF001


# ------------------------------------------------------------------------------ arranging


def shape(data: Data) -> Shape:
    """Return the shape of an array."""
    return array(data).shape


def reshape(data: Data, sizes: Shape) -> Array:
    """Return the same numbers in another shape."""
    return array(data).reshape(sizes)


def broadcast_to(data: Array, sizes: Shape) -> Array:
    """Return an array repeated along new and single axes; it cannot be written to."""
    if data.shape == sizes:
        return data
    if _common_shape([data.shape, sizes]) != sizes:
        raise ValueError(f"{data.shape} does not fit into {sizes}.")
    new = len(sizes) - data.ndim
    strides = tuple(
        0 if data.shape[axis] != size else data.strides[axis]
        for axis, size in enumerate(sizes[new:])
    )
    return Array(data._data, data._first, sizes, (0,) * new + strides, data.dtype)  # noqa: SLF001


def concatenate(parts: Sequence[Array], axis: int = 0) -> Array:
    """Return arrays one after the other along an axis."""
    length = sum(part.shape[axis] for part in parts)
    first = parts[0]
    kind = max((part.dtype for part in parts), key=lambda kind: kind.rank)
    made = zeros((*first.shape[:axis], length, *first.shape[axis + 1 :]), kind)
    at = 0
    for part in parts:
        made[(*[slice(None)] * axis, slice(at, at + part.shape[axis]))] = part
        at += part.shape[axis]
    return made


def stack(parts: Sequence[Data], axis: int = 0) -> Array:
    """Return arrays side by side along a new axis."""
    before = (slice(None),) * axis
    single = [array(part)[(*before, None)] for part in parts]
    return concatenate([part for part in single if isinstance(part, Array)], axis)


def roll(data: Array, shift: int, axis: int = 0) -> Array:
    """Return an array with the numbers moved on along an axis, the last ones first."""
    axis %= data.ndim
    before, at = (slice(None),) * axis, -shift % data.shape[axis]
    parts = [data[(*before, slice(at, None))], data[(*before, slice(None, at))]]
    return concatenate([part for part in parts if isinstance(part, Array)], axis)


def repeat(data: Data, times: Data) -> Array:
    """Return each number as often as its place in ``times`` says."""
    numbers = zip(array(data).values(), array(times).values(), strict=True)
    return array([number for number, count in numbers for _ in range(int(count))])


# ------------------------------------------------------------------------------ place by place


def where(condition: Data, one: Data, two: Data) -> Array:
    """Return the numbers of ``one`` where the condition holds, and those of ``two`` elsewhere."""
    chosen = array(condition)
    arrays = [each for each in (chosen, one, two) if isinstance(each, Array)]
    shape = _common_shape([each.shape for each in arrays])
    numbers = zip(*(_operands(each, shape) for each in (chosen, one, two)), strict=True)
    kind = max((each.dtype for each in arrays), key=lambda kind: kind.rank)
    if any(isinstance(each, float) for each in (one, two)):
        kind = max(kind, float64, key=lambda kind: kind.rank)
    return _made([a if yes else b for yes, a, b in numbers], shape, kind)


def divide(one: Data, two: Array, out: Array, where: Array) -> Array:
    """Write ``one / two`` into ``out`` where the condition holds."""
    left, right = _operands(one, out.shape), _operands(two, out.shape)
    before, chosen = out.values(), _operands(where, out.shape)
    numbers = zip(left, right, before, chosen, strict=True)
    out.fill(a / b if yes else kept for a, b, kept, yes in numbers)
    return out


def minimum(one: Data, two: Data) -> Array:
    """Return the lower of two numbers, place by place."""
    return _combine(min, one, two)


class maximum:  # noqa: N801 (NumPy's name)
    """The higher of two numbers, place by place."""

    @staticmethod
    def reduceat(data: Array, first: Array) -> Array:
        """Return the highest number of each part, which begin at these places."""
        numbers, places = data.values(), [int(place) for place in first.values()]
        ends = [*places[1:], len(numbers)]
        highest = [max(numbers[a:b]) for a, b in zip(places, ends, strict=True)]
        return _made(highest, first.shape, data.dtype)


def diff(data: Array, append: Number) -> Array:
    """Return the distances between the numbers, and from the last one to another."""
    numbers = [*data.values(), append]
    return _made([b - a for a, b in pairwise(numbers)], data.shape, data.dtype)


def sign(number: Number) -> Number:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def isfinite(number: Number) -> bool:
    """Whether a number is finite."""
    return math.isfinite(number)


class add:  # noqa: N801 (NumPy's name)
    """Addition, place by place."""

    @staticmethod
    def at(to: Array, places: Array, numbers: Array) -> None:
        """Add each number at its place, one after the other."""
        sums = to.values()
        for place, number in zip(places.values(), numbers.values(), strict=True):
            sums[int(place)] += number
        to.fill(sums)


# ------------------------------------------------------------------------------ searching


def nonzero(data: Array) -> tuple[Array, ...]:
    """Return the indices of what is not 0, for each axis."""
    found = [
        indices
        for indices, number in zip(product(*map(range, data.shape)), data.values(), strict=True)
        if number
    ]
    axes = zip(*found, strict=True) if found else ((),) * data.ndim
    return tuple(_made([*axis], (len(found),), int64) for axis in axes)


def flatnonzero(data: Array) -> Array:
    """Return the places of what is not 0."""
    return nonzero(data.ravel())[0]


def argmax(data: Array) -> Array | Number:
    """Return the place of the first of the highest numbers."""
    return data.argmax()


def unique(data: Array) -> Array:
    """Return the different numbers in order."""
    numbers = sorted({*data.values()})
    return _made(numbers, (len(numbers),), data.dtype)


def searchsorted(ordered: Array, numbers: Array) -> Array:
    """Return where each number belongs among ``ordered`` ones: before equal ones."""
    among = ordered.values()
    return array([bisect_left(among, number) for number in numbers.values()], int64)


# ------------------------------------------------------------------------------ files


class load:  # noqa: N801 (NumPy's name)
    """The arrays in a file that `numpy.savez_compressed` wrote."""

    def __init__(self, file: IO[bytes], allow_pickle: bool) -> None:
        """Read from an open file, in which nothing is pickled."""
        assert not allow_pickle, "nothing is pickled"
        self._archive = zipfile.ZipFile(file)
        self.files = [name.removesuffix(".npy") for name in self._archive.namelist()]

    def __enter__(self) -> load:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def __getitem__(self, name: str) -> Array | str:
        data = self._archive.read(f"{name}.npy")
        if not data.startswith(b"\x93NUMPY\x01"):
            raise ValueError(f"{name} is not an array.")
        (length,) = struct.unpack_from("<H", data, 8)
        header = ast.literal_eval(data[10 : 10 + length].decode("latin-1"))
        body = data[10 + length :]
        if header["descr"].startswith("<U"):
            return body.decode("utf-32-le")
        kind = _FILED[header["descr"]]
        return _at_first(_as(memoryview(bytearray(body)), kind), header["shape"], kind)


# ------------------------------------------------------------------------------ in NumPy's place


class NDArray:
    """The type of an array, for annotations."""

    def __class_getitem__(cls, _: object) -> type[NDArray]:
        return cls


#: What `numpy` has here.
STANDS_IN: Final = (
    *("add", "arange", "argmax", "array", "ascontiguousarray", "bool_", "broadcast_to"),
    *("concatenate", "diff", "divide", "dtype", "empty", "empty_like", "flatnonzero", "float32"),
    *(
        "float64",
        "full",
        "inf",
        "int64",
        "int8",
        "isfinite",
        "load",
        "maximum",
        "minimum",
        "newaxis",
    ),
    *("nonzero", "ones", "repeat", "reshape", "roll", "searchsorted", "shape", "sign", "stack"),
    *("uint16", "uint32", "uint64", "unique", "where", "zeros", "zeros_like"),
)


#: The same, under names that would hide others here.
OTHER_NAMES: Final = {"abs": operator.abs, "ndarray": Array, "void": object}


def stand_in() -> None:
    """Be ``numpy`` from now on; call it before anything that imports NumPy is imported."""
    if "numpy" in sys.modules:
        raise RuntimeError("NumPy is already there.")
    numpy, typing = ModuleType("numpy"), ModuleType("numpy.typing")
    for name in STANDS_IN:
        setattr(numpy, name, globals()[name])
    numpy.__dict__.update(OTHER_NAMES, typing=typing)
    typing.__dict__.update(NDArray=NDArray)
    sys.modules.update({"numpy": numpy, "numpy.typing": typing})
