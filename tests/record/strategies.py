"""What Hypothesis makes: names, JSON data, games, and damage."""

import json
from collections.abc import Iterator
from typing import TypeAlias

from hypothesis import strategies as st

from heckmeck.record import JsonObject, JsonValue
from heckmeck.record.forms import OUR_KEYS
from heckmeck.rules import EDITIONS, NO_HOUSE_RULES, HouseRules
from tests.record.games import Played, play

#: Where an object's value or a list's item is: the keys and places that lead there.
JsonPath: TypeAlias = tuple[str | int, ...]

#: Letters that mean something to a text file, a JSON reader, or an editor.
TRICKY_LETTERS = ',"#:\\ {}[]\t\n\r\v\x00\x1c\x7f\x85\xa0\u2028\u2029\u3000\ufeff😀\ud800\udc00'

#: One of each kind, and neighbours of what is right.
WRONG_VALUES: tuple[JsonValue, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    8,
    23,
    10**30,
    1.0,
    0.5,
    "",
    "1",
    "W",
    "roll",
    "rob:" + "9" * 5000,
    "\ud800",
    [],
    [0],
    [[]],
    ["roll"],
    ["rob:0", "rob:1"],
    {},
    {"23": [0]},
)


def _through_json(text: str) -> str:
    """Join surrogates that stand as a pair: JSON cannot tell them from the letter they make."""
    joined = json.loads(json.dumps(text))
    assert isinstance(joined, str)
    return joined


letters = st.one_of(st.sampled_from(TRICKY_LETTERS), st.characters(exclude_categories=()))
names = st.text(letters, max_size=12).map(_through_json)
plain_values: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    names,
)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    plain_values,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
    max_leaves=12,
)
extras: st.SearchStrategy[JsonObject] = st.dictionaries(
    names.filter(lambda key: key not in OUR_KEYS), json_values, max_size=4
)


@st.composite
def games(draw: st.DrawFn, edition: str | None = None) -> Played:
    """Games of all editions, table sizes and house rules, finished or not."""
    name = draw(st.sampled_from([*EDITIONS])) if edition is None else edition
    rules = EDITIONS[name]
    seats = draw(st.integers(rules.players[0], rules.players[-1]))
    flips = st.builds(HouseRules, st.booleans(), st.booleans())
    return play(
        name,
        seats,
        seed=draw(st.integers(0, 10_000)),
        first=draw(st.integers(0, seats - 1)),
        house=draw(flips) if rules.has_house_rules else NO_HOUSE_RULES,
        words=draw(st.sampled_from((0, 5, 40, 120, 300, 10_000))),
    )


def paths(value: JsonValue) -> Iterator[JsonPath]:
    """Yield the way to everything inside ``value``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (key,)
            yield from ((key, *rest) for rest in paths(inner))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield (place,)
            yield from ((place, *rest) for rest in paths(inner))


def changed(value: JsonValue, path: JsonPath, new: JsonValue) -> JsonValue:
    """Return ``value`` with something else at ``path``, whose last key may be a new one."""
    if not path:
        return new
    step, *rest = path
    if isinstance(value, dict):
        return {**value, str(step): changed(value.get(str(step)), tuple(rest), new)}
    assert isinstance(value, list), f"{path} leads nowhere"
    return [
        changed(item, tuple(rest), new) if place == step else item
        for place, item in enumerate(value)
    ]


def without(value: JsonValue, path: JsonPath) -> JsonValue:
    """Return ``value`` without what is at ``path``."""
    *way, last = path
    inner = value_at(value, tuple(way))
    if isinstance(inner, dict):
        return changed(value, tuple(way), {key: v for key, v in inner.items() if key != last})
    assert isinstance(inner, list), f"{path} leads nowhere"
    return changed(value, tuple(way), [v for place, v in enumerate(inner) if place != last])


def value_at(value: JsonValue, path: JsonPath) -> JsonValue:
    """Return what is at ``path``."""
    for step in path:
        if isinstance(value, dict):
            value = value[str(step)]
        else:
            assert isinstance(value, list), f"{path} leads nowhere"
            value = value[int(step)]
    return value


@st.composite
def damaged(draw: st.DrawFn, value: JsonValue) -> JsonValue:
    """``value`` with one to three things inside replaced, swapped, dropped, added or moved."""
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([*paths(value)]))
        match draw(st.sampled_from(("replace", "swap", "drop", "add", "nudge"))):
            case "replace":
                new = draw(st.one_of(st.sampled_from(WRONG_VALUES), plain_values))
                value = changed(value, path, new)
            case "swap":
                other = draw(st.sampled_from([*paths(value)]))
                value = changed(value, path, value_at(value, other))
            case "drop" if len([*paths(value)]) > 1:
                value = without(value, path)
            case "add":
                value = changed(value, (draw(names),), draw(json_values))
            case _:
                value = changed(value, path, _nudged(value_at(value, path), draw(st.booleans())))
    return value


def _nudged(value: JsonValue, up: bool) -> JsonValue:
    """Return a neighbour of ``value``."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + (1 if up else -1)
        case str():
            return value + value[-1:] if up else value[:-1]
        case list():
            return value + value[-1:] if up else value[:-1]
        case _:
            return None
