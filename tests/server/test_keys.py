"""Secrets, ids and seeds."""

import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.dice import commitment, new_secret
from heckmeck.table import keys
from heckmeck.table.keys import Vault, Who, hash_of, who_holds
from heckmeck.wire.requests import Secret
from tests.server.tables import full, new, secret


def test_secrets_are_long_and_differ() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert msgspec.convert(secrets, set[Secret]) == secrets
    assert all(len(each) * 6 >= 128 for each in secrets)


def test_ids_can_be_read_aloud_and_differ() -> None:
    names = {keys.new_table_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(keys.TABLE_ID.fullmatch(name) for name in names)
    assert all(re.fullmatch(r"[a-z]{4}-[a-z]{4}-[a-z]{4}", name) for name in names)


def test_a_hash_is_kept_not_the_secret() -> None:
    assert hash_of("s" * 32) != "s" * 32
    assert "s" * 32 not in repr(full())


def test_secrets_open_their_seats() -> None:
    table = full()
    assert who_holds(table, [hash_of(secret(1))]) == Who(frozenset({1}), host=False)
    both = who_holds(table, [hash_of(secret(0)), hash_of(secret(1)), hash_of("h" * 32)])
    assert both == Who(frozenset({0, 1}), host=True)
    assert who_holds(table, []) == keys.NOBODY
    assert who_holds(new(), [hash_of(secret(0))]) == keys.NOBODY


@given(st.text(), st.text())
def test_no_other_secret_opens_anything(one: str, other: str) -> None:
    assert who_holds(full(), [hash_of(one), hash_of(other)]) == keys.NOBODY


def test_each_game_has_a_seed_of_its_own_that_betrays_no_other() -> None:
    vault = Vault(b"s" * 32)
    assert len({vault.seed(game) for game in range(10)}) == 10
    assert vault.seed(0) != vault.secret
    assert vault.commitment(3) == commitment(vault.seed(3))
    assert vault.dice(3, ("", "")).seed == vault.seed(3)
    assert "ssss" not in repr(vault)
