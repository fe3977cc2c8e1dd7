"""Running the server: one process, or several workers that share a port."""

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from heckmeck.server import app, http_protocol, live_protocol, monitoring, security, thinking
from heckmeck.server.store import open_store
from heckmeck.wire.requests import MAX_MESSAGE

#: Seconds that pending requests have to finish when the server is stopped.
_GRACE: Final = 5
_BACKLOG: Final = 2048
#: Wildcard addresses, each with the loopback address to use on this machine.
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
#: When the garbage collector runs. The product of the first two is how many new objects it looks at
#: while everybody waits: 200,000 took 95 ms, 20,000 take 10.
_GC_THRESHOLDS: Final = (2_000, 10, 100)


class CannotListen(OSError):
    """The server cannot listen at the address; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The URL for a browser on this machine."""
        return _url(_ANY.get(self.host, self.host), self.port)

    @property
    def network_url(self) -> str | None:
        """The URL for other devices in the network, if they can reach this server."""
        here = _own_address() if self.host in _ANY else None
        return None if here is None else _url(here, self.port)


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address() -> str | None:
    """Return this machine's address in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def bind(address: Address) -> socket.socket:
    """Return a socket that listens at the address; raise `CannotListen` if that fails."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family)
    # On Windows this option would let a second server listen on the port of the first.
    if os.name != "nt":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        # Listen at once: until then a second server could bind to the same address.
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise CannotListen(
            f"The server cannot listen at {address.host}, port {address.port}: {reason}. "
            "Choose another --port or --host."
        ) from error
    listener.set_inheritable(True)
    return listener


def prepare(settings: app.Settings) -> None:
    """Open and close the store: migrate it, and find problems before the server starts.

    Raise `StoreError`, with a message for the host.
    """
    store = open_store(settings.location)

    async def open_and_close() -> None:
        try:
            await store.open()
        finally:
            await store.close()

    asyncio.run(open_and_close())


def serve(
    settings: app.Settings,
    listener: socket.socket,
    workers: int = 1,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or Ctrl-C, and shut down cleanly. Call ``ready`` once it is serving.

    Workers share the limits: together they allow no more than a single one.
    """
    settings = replace(settings, limits=settings.limits.share(workers))
    config = uvicorn.Config(
        partial(_application, settings, is_worker=workers > 1),
        factory=True,
        workers=workers,
        http=http_protocol.HttpProtocol,
        ws=live_protocol.LiveProtocol,
        ws_max_size=MAX_MESSAGE,
        # Events are small, and encoded once for many: compression costs more than it saves.
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        headers=[*security.SECURITY_HEADERS.items()],
        forwarded_allow_ips=[*settings.proxies],
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE,
    )
    server = _Server(config, ready)

    def stop(_: int, __: FrameType | None) -> None:
        """Handle a signal before the server starts, or after it has ended."""
        if not server.should_exit:
            sys.exit(0)

    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, stop)
    if workers == 1:
        server.run(sockets=[listener])
    else:
        ready()
        with monitoring.shared_by_workers() if settings.metrics else nullcontext():
            Multiprocess(config, sockets=[listener]).run()


class _Server(uvicorn.Server):
    """A server that reports when it is ready, and shuts down cleanly even on repeated Ctrl-C."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down; uvicorn would abort at a second Ctrl-C, and raise the signals again."""
        self.should_exit = True


def _application(settings: app.Settings, *, is_worker: bool) -> Starlette:
    """Build the application of this process.

    A worker is stopped by its parent, not by the Ctrl-C that reaches both. A worker whose parent
    was killed would keep the port occupied, so it ends too.
    """
    if is_worker:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    application = app.build(settings)
    thinking.when_parent_ends(lambda: os.kill(os.getpid(), signal.SIGTERM))
    tune_collector()
    return application


def tune_collector() -> None:
    """Keep the pauses of the garbage collector short.

    Imported modules are never freed, so it need not traverse them, and it looks at everything less
    often than by default because tables contain hardly any cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
