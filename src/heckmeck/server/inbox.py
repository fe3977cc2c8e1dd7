"""Messages from one client, read ahead during long work.

That way the server notices when the client disconnects, and cancels the work.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Final, TypeVar

from starlette.types import Message, Receive

from heckmeck.server.refusals import Code, Refused

#: The maximum number of messages read ahead.
_MOST: Final = 64

T = TypeVar("T")


class Inbox:
    """The messages of a client, in order."""

    def __init__(self, receive: Receive) -> None:
        """Read with ``receive``."""
        self._receive = receive
        self._ahead: deque[Message] = deque()

    async def receive(self) -> Message:
        """Return the next message."""
        return self._ahead.popleft() if self._ahead else await self._receive()

    async def while_here(self, work: Coroutine[None, None, T]) -> T:
        """Return the result of the work; cancel it and raise `Refused` if the client leaves."""
        task, gone = asyncio.create_task(work), asyncio.create_task(self._until_gone())
        try:
            await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and gone.result():
                raise Refused(Code.UNAVAILABLE, "You have left.")
            return await task
        finally:
            task.cancel()
            gone.cancel()

    async def _until_gone(self) -> bool:
        """Read ahead until the client disconnects; return False if it sends too much."""
        while not (self._ahead and self._ahead[-1]["type"] == "websocket.disconnect"):
            if len(self._ahead) >= _MOST:
                return False
            self._ahead.append(await self._receive())
        return True
