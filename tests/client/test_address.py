"""Links to tables, as people copy and type them."""

import pytest

from heckmeck.client.address import BadAddress, TableAddress, is_address, read_address

SECRET = "xEpN7Ow7F3HMqWmTmDOejTMQ6K8KyafD"  # noqa: S105 (of no table)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (
            "http://localhost:8000/t/boka-miru-tela",
            TableAddress("http://localhost:8000", "boka-miru-tela"),
        ),
        (
            f" https://play.example.org/t/boka-miru-tela#{SECRET}\n",
            TableAddress("https://play.example.org", "boka-miru-tela", SECRET),
        ),
        (
            "192.168.0.7:80/t/boka-miru-tela/",
            TableAddress("http://192.168.0.7:80", "boka-miru-tela"),
        ),
        (
            "https://example.org/games/heckmeck/t/boka-miru-tela?x=1",
            TableAddress("https://example.org/games/heckmeck", "boka-miru-tela"),
        ),
        ("http://[::1]:8000/t/boka-miru-tela", TableAddress("http://[::1]:8000", "boka-miru-tela")),
        ("HTTP://host/t/boka-miru-tela", TableAddress("http://host", "boka-miru-tela")),
        ("http://me:word@host/t/boka-miru-tela", TableAddress("http://host", "boka-miru-tela")),
    ],
)
def test_a_link_leads_to_a_table(text: str, address: TableAddress) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a link to a table"),
        ("http://", "is not a link to a table"),
        ("ftp://host/t/boka-miru-tela", "is not a link to a table"),
        ("http://localhost:8000", "is not the link of a table"),
        ("http://localhost:8000/learn/classic", "is not the link of a table"),
        ("http://localhost:8000/t/", "is not the link of a table"),
        ("http://localhost:99999/t/boka-miru-tela", "is not a link: "),
        ("http://[::1/t/boka-miru-tela", "is not a link: "),
        ("http://host/t/boka-miru-tela#short", "not a seat's secret"),
    ],
)
def test_what_is_no_link_is_refused_with_what_one_looks_like(text: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why):
        read_address(text)


def test_where_a_table_is_found() -> None:
    address = TableAddress("https://play.example.org", "boka-miru-tela", SECRET)
    assert address.live == "wss://play.example.org/api/tables/boka-miru-tela/live"
    assert address.page == "https://play.example.org/t/boka-miru-tela"
    assert address.record == "https://play.example.org/api/tables/boka-miru-tela/record.json"
    assert SECRET not in address.page


def test_links_and_files_are_told_apart() -> None:
    assert is_address("http://x/t/y")
    assert is_address("HTTPS://x/t/y")
    assert not is_address("http.heckmeck.json")
    assert not is_address("-")
