"""The same results on other processors and in other surroundings, each in a process of its own.

A processor is pretended: the libraries are told not to use what this one can do. Whatever it is,
the results must be those in `tests/data/fingerprints.txt`.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FINGERPRINTS = "tests/machine/test_fingerprints.py"
#: Where tests are marked `machine`.
MARKED = (FINGERPRINTS, "tests/arena", "tests/bots", "tests/solver", "tests/training")

OLD_GLIBC_CPU = "-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable"
PROCESSORS = {
    # Numba: nothing beyond what every x86-64 has. First, for it has to compile.
    "generic": {"NUMBA_CPU_NAME": "generic"},
    # OpenBLAS's kernels for processors without AVX-512, and without AVX2.
    "haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "sandy-bridge": {"OPENBLAS_CORETYPE": "SandyBridge"},
}
SURROUNDINGS = {
    # NumPy and the C library choose their exp, log and pow by the processor.
    "numpy-baseline": {
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
        )
    },
    "libm-without-fma": {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={OLD_GLIBC_CPU}"},
    "far-away": {
        "COLUMNS": "30",
        "LC_ALL": "de_DE.UTF-8",
        "LINES": "8",
        "NO_COLOR": "1",
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "2",
        "OPENBLAS_NUM_THREADS": "2",
        "PYTHONHASHSEED": "1",
        "TERM": "dumb",
        "TZ": "Pacific/Auckland",
    },
    "plain-ascii": {
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONHASHSEED": "2",
        "PYTHONUTF8": "0",
        "TZ": "UTC",
    },
}


def run_tests(environment: Mapping[str, str], *args: str, umask: int = -1) -> None:
    """Run tests in another environment; they must pass, and there must be some."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *args],
        cwd=ROOT,
        env={**os.environ, **environment},
        umask=umask,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def generic_code(config: pytest.Config) -> Path:
    """Return a place for code for the generic processor; it is kept until the sources change.

    Numba itself would not notice a change in another file than that of the function called.
    """
    sources = hashlib.sha256()
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_bytes()
        sources.update(text if b"compiled" in text else b"")
    assert config.cache is not None
    place: Path = config.cache.mkdir("numba-generic")
    current = place / sources.hexdigest()
    for other in place.iterdir():
        if other != current:
            shutil.rmtree(other)
    current.mkdir(exist_ok=True)
    return current


@pytest.mark.parametrize("name", PROCESSORS)
def test_what_holds_to_the_last_bit_holds_on_every_processor(
    name: str, pytestconfig: pytest.Config
) -> None:
    environment = PROCESSORS[name]
    if "NUMBA_CPU_NAME" in environment:
        environment = {**environment, "NUMBA_CACHE_DIR": str(generic_code(pytestconfig))}
    run_tests(environment, "-m", "machine", *MARKED)


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_results_do_not_depend_on_the_surroundings(name: str) -> None:
    run_tests(SURROUNDINGS[name], FINGERPRINTS, umask=0o077 if name == "far-away" else -1)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["Haswell", "Nehalem", "Prescott", "Zen"])
def test_all_tests_of_champions_and_training_pass_with_every_kernel(name: str) -> None:
    run_tests({"OPENBLAS_CORETYPE": name}, "tests/bulk", "tests/values", "tests/training")
