"""Draws the picture for links that are not about a game; it is in git, with the pages.

``python -m tests.drawing.static_picture`` writes it, with the font of the built pages.
"""

from pathlib import Path

from resvg_py import svg_to_bytes

from heckmeck.drawing import neutral, whole
from heckmeck.server.pages import web_folder

PICTURE = Path(__file__).parents[2] / "web" / "public" / "picture.png"


def main() -> None:
    fonts = sorted(map(str, (web_folder() or Path()).glob("fonts/*.ttf")))
    PICTURE.write_bytes(
        svg_to_bytes(svg_string=whole(neutral()), skip_system_fonts=True, font_files=fonts)
    )


if __name__ == "__main__":
    main()
