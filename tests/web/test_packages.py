"""The packages: everything a player needs is in them, and neither Node nor a network is."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from hatch_build import ROOT, with_absolute_links


class Packages(NamedTuple):
    """What is published."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="session")
def packages(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """Built once."""
    assert pages.is_dir()
    place = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", place, cwd=ROOT)
    [wheel], [sdist] = place.glob("*.whl"), place.glob("*.tar.gz")
    return Packages(wheel, sdist)


@pytest.fixture(scope="session")
def rebuilt(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the sdist where there is neither Node nor a network."""
    place = tmp_path_factory.mktemp("aus der Tüte gebaut")
    with tarfile.open(packages.sdist) as archive:
        archive.extractall(place, filter="data")
    [source] = place.iterdir()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    run(*pip, "wheel", *offline, "-w", place, source, cwd=place, path=place)
    [wheel] = place.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed(rebuilt: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with that wheel; the packages it needs are borrowed from this one."""
    venv = tmp_path_factory.mktemp("meine Spiele") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv.parent)
    [site] = venv.glob("lib/python3.*/site-packages")
    borrowed = next(path for path in sys.path if path.endswith("site-packages"))
    # Only folders that Python knows by itself are searched for such files: heckmeck's own, with
    # which ./check's environment finds this checkout, is not.
    (site / "borrowed.pth").write_text(f"{borrowed}\n")
    pip = (sys.executable, "-m", "pip", "--python", venv / "bin" / "python")
    run(*pip, "install", "--no-index", "--no-deps", rebuilt, cwd=venv.parent)
    return venv


def run(*command: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Run a command; return what it wrote."""
    variables = {**os.environ, "PYTHONPATH": ""}
    if path is not None:
        variables["PATH"] = str(path)
    done = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def test_the_wheel_carries_the_pages_and_the_documentation(pages: Path, packages: Packages) -> None:
    names = names_in(packages.wheel)
    built = {
        f"heckmeck/web_dist/{path.relative_to(pages).as_posix()}"
        for path in pages.rglob("*")
        if path.is_file()
    }
    assert built <= names
    documented = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/deploy/*")]
    docs = {path.relative_to(ROOT).as_posix() for path in documented}
    assert {f"heckmeck/{page}" for page in docs} <= names
    assert not any("node_modules" in name or ".web_dist-" in name for name in names)


def test_a_wheel_from_the_sdist_is_the_same(packages: Packages, rebuilt: Path) -> None:
    """Built without Node, without a network, in a folder with a space and an umlaut."""
    assert rebuilt.name == packages.wheel.name
    assert names_in(rebuilt) == names_in(packages.wheel)
    assert metadata_of(rebuilt).as_string() == metadata_of(packages.wheel).as_string()


def test_the_description_has_no_link_that_is_relative(packages: Packages) -> None:
    metadata = metadata_of(packages.wheel)
    text = str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    found = [one or other for one, other in links]
    assert len(found) > 20
    assert [link for link in found if not link.startswith("https://")] == []


def test_every_link_leads_to_a_file_of_ours(packages: Packages) -> None:
    """What the addresses begin with is in one place: the project's Source."""
    metadata = metadata_of(packages.wheel)
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL", []))
    assert {"Source", "Documentation", "Changelog"} <= urls.keys()
    source = urls.pop("Source")
    links = re.findall(r"https://[^)\s\"]+", str(metadata.get_payload()))
    for link in [*urls.values(), *links]:
        found = re.fullmatch(rf"{re.escape(source)}/(?:blob|raw)/[^/]+/([^#]+)(?:#.*)?", link)
        assert found, link
        assert (ROOT / found[1]).is_file(), link


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("[a\nlink](docs/x.md)", "[a\nlink](https://h/blob/v1/docs/x.md)"),
        ("![p](docs/x.png)", "![p](https://h/raw/v1/docs/x.png)"),
        ('<img src="x.png" alt="">', '<img src="https://h/raw/v1/x.png" alt="">'),
        ("[out](https://example.org) [in](#part)", "[out](https://example.org) [in](#part)"),
    ],
)
def test_links_are_made_absolute(here: str, there: str) -> None:
    assert with_absolute_links(here, "https://h", "v1") == there


def test_what_is_installed_serves_its_pages(installed: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path) as url:
        page = httpx.get(url)
        assert page.status_code == 200
        assets = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
        assert any(asset.startswith("/assets/") for asset in assets)
        for asset in assets:
            answer = httpx.get(url.rstrip("/") + asset)
            assert (answer.status_code, bool(answer.content)) == (200, True), asset


def test_what_is_installed_has_its_documentation_and_is_not_this_checkout(
    installed: Path, tmp_path: Path
) -> None:
    heckmeck = installed / "bin" / "heckmeck"
    assert run(heckmeck, "docs", "cli", cwd=tmp_path).startswith("# The command line\n")
    code = "import heckmeck; print(heckmeck.__file__)"
    place = run(installed / "bin" / "python", "-c", code, cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(installed)


@contextmanager
def serving(venv: Path, data: Path) -> Iterator[str]:
    """Serve from an environment, without anything from this process's."""
    with subprocess.Popen(
        [venv / "bin" / "heckmeck", "serve", "--port", "0", "--no-prepare"],
        cwd=data,
        env={"XDG_DATA_HOME": str(data), "PATH": "", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            yield found[0]
        finally:
            process.kill()
