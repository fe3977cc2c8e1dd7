# shellcheck shell=sh
# Sourced by ./check and ./play: find a Python and keep a virtual environment in step with the
# project. Expects $root, the project's directory. POSIX sh; no tool but cat, cksum, mkdir, tail.

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# find_python: set $python to a Python >= 3.11 that can make virtual environments, and
# $python_facts to a line that changes whenever that Python does. Dies with advice if there is none.
find_python() {
    probe='import sys, importlib.util as u
able = all(u.find_spec(name) for name in ("venv", "ensurepip"))
print("%d.%d" % sys.version_info[:2], "able" if able else "bare", sys.version.split()[0], sys.executable)'
    too_old=
    bare=
    if [ -n "${HECKMECK_PYTHON:-}" ]; then
        set -- "$HECKMECK_PYTHON"
    else
        set -- python3 python3.13 python3.12 python3.11
    fi
    for candidate in "$@"; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        # A name can exist and still not run (pyenv's shims): then it is no candidate.
        python_facts=$("$candidate" -c "$probe" 2>/dev/null) || continue
        case $python_facts in
        [012].* | 3.[0-9]\ * | 3.10\ *) too_old=${too_old:-${python_facts%% *}} ;;
        *\ bare\ *) bare=${bare:-$candidate} ;;
        *)
            python=$candidate
            return
            ;;
        esac
    done
    if [ -n "$bare" ]; then
        die "$bare has no venv module, which is needed to install heckmeck's packages apart from" \
            "your system's. Install it (Debian, Ubuntu: sudo apt install python3-venv) and run this again."
    elif [ -n "$too_old" ]; then
        die "heckmeck needs Python 3.11 or newer, but found only Python $too_old." \
            "Install a newer one, or name it: HECKMECK_PYTHON=/path/to/python $0"
    fi
    die "heckmeck needs Python 3.11 or newer, and none was found." \
        "Install it, or name it: HECKMECK_PYTHON=/path/to/python $0"
}

# make_environment NAME WHAT: set $venv to the environment .venv/NAME with WHAT installed (a pip
# requirement relative to $root, editable). Made anew when the project's requirements, the Python or the directory have
# changed, else left alone.
make_environment() {
    find_python
    venv=$root/.venv/$1
    stamp=$(
        printf '%s\n' "$python_facts" "$root" "$2" |
            cat - "$root/pyproject.toml" "$root/constraints.txt" | cksum
    )
    if [ -x "$venv/bin/python" ] && [ "$(cat "$venv/stamp" 2>/dev/null)" = "$stamp" ]; then
        return
    fi
    say "Preparing .venv/$1 with Python ${python_facts%% *}, once; this takes up to a minute ..."
    mkdir -p "$root/.venv"
    log=$root/.venv/$1.log
    if ! install_environment "$2" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        die "preparing .venv/$1 failed; the lines above say why (all of them: $log)." \
            "Without a network nothing can be installed: connect, then run this again."
    fi
    printf '%s\n' "$stamp" >"$venv/stamp"
}

# install_environment WHAT: make $venv and install WHAT in exactly the versions of constraints.txt.
install_environment() {
    "$python" -m venv --clear "$venv" || return
    (
        cd -- "$root" || exit
        # As variables, not as -c: pip then holds its build environment to them as well (older
        # releases by the first, newer by the second). Relative: pip splits values at spaces.
        PIP_CONSTRAINT=constraints.txt
        PIP_BUILD_CONSTRAINT=constraints.txt
        export PIP_CONSTRAINT PIP_BUILD_CONSTRAINT
        "$venv/bin/python" -m pip install --disable-pip-version-check --no-input -e "$1"
    )
}
