# shellcheck shell=sh
# Sourced by ./check and ./play: find a Python and keep a virtual environment in step with the
# project. Expects $root, the project's directory. POSIX sh.

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# find_python: set $python to a Python >= 3.11 that can make virtual environments. Dies with advice
# if there is none.
find_python() {
    probe='import sys, importlib.util as u
able = all(u.find_spec(name) for name in ("venv", "ensurepip"))
print("%d.%d" % sys.version_info[:2], "able" if able else "bare")'
    too_old=
    bare=
    if [ -n "${HECKMECK_PYTHON:-}" ]; then
        set -- "$HECKMECK_PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for candidate in "$@"; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        # A name can exist and still not run (pyenv's shims): then it is no candidate.
        facts=$("$candidate" -c "$probe" 2>/dev/null) || continue
        case $facts in
        [012].* | 3.[0-9]\ * | 3.10\ *) too_old=${too_old:-${facts%% *}} ;;
        *\ bare) bare=${bare:-$candidate} ;;
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
# requirement relative to $root, editable). Dies if that does not work.
make_environment() {
    find_python
    venv=$root/.venv/$1
    HECKMECK_SCRIPT=${0##*/} "$python" "$root/scripts/environment.py" make "$1" "$2" || exit
}
