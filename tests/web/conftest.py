"""The web pages, looked at with Node and as files."""

from pathlib import Path

import pytest

from hatch_build import PAGES, build_pages

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def pages() -> Path:
    """The built web pages, up to date."""
    build_pages()
    return PAGES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder: Node is not on every machine."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.web)
