"""The engine protocol: for bots and tools in any language, like UCI for chess.

One JSON object per line in, one per line out. The contract is ``docs/record.md``.
"""

from heckmeck.engine.engine import Engine
from heckmeck.engine.lines import MAX_LINE, serve

__all__ = ["MAX_LINE", "Engine", "serve"]
