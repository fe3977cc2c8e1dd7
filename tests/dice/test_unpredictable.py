"""Values that nobody can predict."""

from heckmeck.dice import new_secret, random_bytes


def test_secrets_are_long_and_never_the_same() -> None:
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert all(len(secret) == 32 for secret in secrets)


def test_bytes_are_as_many_as_wanted() -> None:
    assert [len(random_bytes(count)) for count in (1, 6, 32)] == [1, 6, 32]
