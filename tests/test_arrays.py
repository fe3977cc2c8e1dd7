"""The stand-in for NumPy does what NumPy does."""

import io
from typing import Any

import numpy as np
import pytest

from heckmeck import arrays

#: Every use that solver, values and coach make of NumPy, in terms of np and some arrays.
EXPRESSIONS = """
np.zeros((2, 3))
np.full(3, 2.5)
np.ones((2, 2), np.bool_)
np.arange(5)
np.array([[1, 2], [3, 4]])
np.array([True, False])
np.array([0.1, 2], np.float32)
np.array([[a[0], a[1]], [a[1], a[2]]])
a[1]
a[1, 2]
a[-1, -1]
a[:, 1]
a[..., 0]
a[1:, ::2]
a[:, np.newaxis]
a.T
a.T.reshape(-1)
a.reshape(2, 6)
a.reshape((2, -1))
a.ravel()
a[[2, 0]]
a[np.array([[0, 1], [2, 2]])]
a[np.arange(3), np.array([3, 0, 1])]
a[np.array([True, False, True])]
a[:, np.array([True, False, True, True])]
a[a > 4.0]
a.reshape(3, 2, 2)[[2, 0]]
a.reshape(3, 2, 2)[np.array([True, False, True])]
a.reshape(3, 2, 2)[:, np.array([1, 1, 0])]
a.reshape(3, 2, 2)[..., np.array([1, 1, 0])]
a.reshape(3, 2, 2)[np.array([2, 1]), np.array([0, 1])]
np.roll(a.reshape(3, 2, 2), 1, axis=-1)
np.roll(a.reshape(1, 3, 4)[:, 1:], 1, axis=1)
np.broadcast_to(a[:, :1], (2, 3, 4)).sum(axis=0)
a + 1
1.0 - a
a - a[0]
a * k[:, np.newaxis]
k * 2 + (k > 1) * 4
(k > 1) * 2
a / 4
a / k[:, np.newaxis]
k / 2
f * f
f * 2
f.astype(np.float64)
a.astype(np.float32)
a.astype(np.int64)
k.astype(np.int8)
~(k > 1)
(k > 0) & (k < 3)
(k > 2) | (k < 1)
k == 2
a == a[0]
k != 2
a <= 4
a >= 4
abs(a - 4)
a.sum()
a.sum(axis=1)
a.sum(axis=-1)
a.reshape(3, 2, 2).sum(axis=(1, 2))
(a > 3).sum(axis=1)
r.sum(axis=1, dtype=np.int64)
a.max()
np.zeros(0).max(initial=0.0)
a.argmax(axis=1)
np.argmax(k)
(a > 3).any()
(a > 3).all(axis=1)
(a >= 0).all()
np.where(a > 4, 0.0, a)
np.where(k > 1, k, k[:1])
np.stack([a, a + 1], axis=1)
np.stack([[a[0], a[1]], [a[1], a[2]]])
np.stack([[r[0], r[1]], [r[1], r[2]]])
np.stack([k, 1.0 - k], axis=1)
np.concatenate([a[:, :1], a], axis=1)
np.concatenate([k, k])
np.roll(a[0], 1)
np.roll(a, 1, axis=1)
np.roll(a, 3, axis=-1)
np.broadcast_to(a[0], (2, 4))
np.divide(a, k[:, np.newaxis], out=np.zeros_like(a), where=a > 2)
np.divide(1.0 - k, k, out=np.zeros(3), where=k > 1)
np.flatnonzero(k > 1)
np.nonzero(k > 1)[0]
np.unique(np.array([3, 1, 3, 2]))
np.repeat(np.arange(3), (2, 0, 3))
np.repeat([4, 5], (1, 2))
np.repeat(k, np.diff(k, append=9))
np.diff(k, append=9)
np.maximum.reduceat(np.array([3, 1, 4, 1, 5]), np.array([0, 2, 3]))
abs(k - 2)
a.min(axis=1)
r[[0, 2], 1]
7 + np.flatnonzero(k > 1)
np.searchsorted(k, np.arange(6))
np.minimum(k, np.array([2, 2, 2]))
np.minimum(r[:, 0].astype(np.int64), k)
np.ascontiguousarray(a.T)
np.reshape([True, False, True, True], (2, 2))
np.empty_like(a).shape
np.shape(a)
len(a)
a.ndim
a.size
[float(x) for x in k]
a.tolist()
a.T.tobytes()
r.tobytes()
np.zeros((0, 3)).tobytes()
f[0].tolist()
int(np.array(3))
np.isfinite(-np.inf)
np.sign(-3)
np.float32(0.1)
np.int64(3.7)
""".strip().splitlines()

#: The same of what changes an array, called x.
STATEMENTS = """
x[0] = 7
x[1, 2] = 7.5
x[:] = 0.0
x[1:] = [1, 2, 3, 4]
x[..., 1:] = np.where(x[..., 1:] > 3, x[..., 1:], x[..., :1])
x[[0, 2]] = 5.0
x[np.array([True, False, True])] = x[:2]
x[x > 3] = 0
x[:, 1] = np.arange(3)
x -= 1.5
x.reshape(3, 2, 2)[np.array([True, False, True])] = x.reshape(3, 2, 2)[1:] + 1
x.reshape(3, 2, 2)[..., 1] = 9
x[np.array([0, 2])[np.array([True, False])]] = x[1]
x[1] -= x[0]
np.add.at(x[0], np.array([1, 1, 3]), np.array([1.0, 2.0, 4.0]))
""".strip().splitlines()


def some(module: Any) -> dict[str, Any]:  # noqa: ANN401 (one of two modules)
    """Return the same arrays by NumPy or by its stand-in."""
    return {
        "np": module,
        "a": module.array([[0.5 * i + j for i in range(4)] for j in range(3)]),
        "x": module.array([[0.5 * i + j for i in range(4)] for j in range(3)]),
        "k": module.array([1, 2, 3]),
        "f": module.array([[0.1, 0.7], [1.3, 2.9]], module.float32),
        "r": module.array([[1, 2], [3, 4], [5, 100]], module.int8),
    }


def shown(value: Any) -> object:  # noqa: ANN401 (what an expression gives)
    """Return an array or a number in a form that can be compared."""
    if isinstance(value, np.ndarray | arrays.Array):
        return value.dtype.name, tuple(value.shape), np.array(value.tolist()).ravel().tolist()
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_results_are_those_of_numpy(expression: str) -> None:
    found, wanted = (shown(eval(expression, some(module))) for module in (arrays, np))  # noqa: S307
    assert found == wanted


@pytest.mark.parametrize("statement", STATEMENTS)
def test_changes_are_those_of_numpy(statement: str) -> None:
    ours, theirs = some(arrays), some(np)
    exec(statement, ours)  # noqa: S102
    exec(statement, theirs)  # noqa: S102
    assert shown(ours["x"]) == shown(theirs["x"])


def test_a_view_shows_the_same_memory() -> None:
    array = arrays.zeros((2, 3))
    array[1][2] = 5.0  # type: ignore[index]
    array.reshape(-1)[0] = 4.0
    assert array.tolist() == [[4.0, 0.0, 0.0], [0.0, 0.0, 5.0]]


def test_records_are_in_memory_as_numpy_has_them() -> None:
    fields = [("depth", "uint16"), ("place", "uint16"), ("row", "uint32"), ("chance", "float64")]
    data = [(1, 2, 3, 0.25), (4, 5, 6, 0.5)]
    ours = arrays.array(data, arrays.dtype([(n, getattr(arrays, t)) for n, t in fields], True))
    theirs = np.array(data, np.dtype([(n, getattr(np, t)) for n, t in fields], align=True))
    assert ours.tobytes() == theirs.tobytes()
    ours["row"], theirs["row"] = [7, 8], [7, 8]
    ours[1]["chance"] = theirs[1]["chance"] = 0.125  # type: ignore[index]
    assert ours.tobytes() == theirs.tobytes()
    assert ours[1]["row"] == theirs[1]["row"]  # type: ignore[index]


def test_reads_what_numpy_saves() -> None:
    file = io.BytesIO()
    weights = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez_compressed(file, weights=weights, edition=np.array("junior"), format=np.array(1))
    with arrays.load(file, allow_pickle=False) as found:
        assert found.files == ["weights", "edition", "format"]
        assert found["edition"] == "junior"
        assert int(found["format"]) == 1
        assert shown(found["weights"]) == shown(weights)


def test_a_place_that_is_not_there_is_an_error() -> None:
    array = arrays.zeros((2, 3))
    with pytest.raises(IndexError, match="3 is not a place among 3"):
        array[0, 3]
    with pytest.raises(ValueError, match="cannot be reshaped"):
        array.reshape(4, 2)
    with pytest.raises(ValueError, match="do not fit"):
        array + arrays.zeros((3, 2))


def test_never_takes_the_place_of_numpy_itself() -> None:
    with pytest.raises(RuntimeError, match="already there"):
        arrays.stand_in()
