"""Tests that are coroutines: each runs in an event loop of its own, with a time limit."""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import ParamSpec

P = ParamSpec("P")

#: No test takes as long; one that does hangs.
TIMEOUT = 300


def scenario(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Make a test of a coroutine function."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def limited() -> None:
            async with asyncio.timeout(TIMEOUT):
                await test(*args, **kwargs)

        asyncio.run(limited())

    return run
