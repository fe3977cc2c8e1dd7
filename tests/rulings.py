"""The rulings of docs/rulings.md: their numbers, and which edition follows which."""

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[1] / "docs"
#: The chapters of rulings that an edition follows; the last is its own.
CHAPTERS: Final = {"classic": "TC", "deluxe": "TCD", "barbecue": "TB", "junior": "TJ"}


def rulings(chapters: str = "TCDBJ") -> list[str]:
    """Return the numbers of the rulings in these chapters, in the order of the page."""
    text = (DOCS / "rulings.md").read_text("utf-8")
    return re.findall(rf"^- \*\*([{chapters}]\d+)\*\*", text, re.MULTILINE)
