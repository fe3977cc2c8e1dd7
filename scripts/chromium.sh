# shellcheck shell=sh
# Sourced by ./check: find a Chromium for the tests that play in a browser. Expects die() and say().

# find_chromium: export HECKMECK_CHROMIUM, the program. Where there is none, and this machine lets us (we
# are root and it has apt), install Debian's; else die with advice.
find_chromium() {
    if [ -z "${HECKMECK_CHROMIUM:-}" ]; then
        chromium_here || install_chromium
    fi
    [ -x "$HECKMECK_CHROMIUM" ] ||
        die "HECKMECK_CHROMIUM is '$HECKMECK_CHROMIUM', and no such program can be run."
    export HECKMECK_CHROMIUM
}

chromium_here() {
    for candidate in chromium chromium-browser google-chrome google-chrome-stable; do
        HECKMECK_CHROMIUM=$(command -v "$candidate") && return
    done
    HECKMECK_CHROMIUM='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    [ -x "$HECKMECK_CHROMIUM" ]
}

install_chromium() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        die "the step browser plays in a real Chromium, and there is none here. Install it (Debian, Ubuntu:" \
            "sudo apt install chromium), or name one: HECKMECK_CHROMIUM=/path/to/chrome ./check"
    fi
    say "Installing Chromium for the step browser, once ..."
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    { apt-get update && apt-get install -y --no-install-recommends chromium; } >/dev/null ||
        die "Chromium could not be installed; the lines above say why."
    chromium_here || die "Chromium was installed, and yet there is no program 'chromium'."
}
