"""`python -m heckmeck` is the same as `heckmeck`."""

import sys

from heckmeck.cli import main

if __name__ == "__main__":
    sys.exit(main())
