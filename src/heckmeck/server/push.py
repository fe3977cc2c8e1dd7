"""Web Push: a person who is not connected hears that it is their turn.

Messages are encrypted for the browser (RFC 8291) and signed with the server's key (VAPID, RFC
8292). The key is made at the first start and kept in the store, so all workers have the same one.

The addresses of push services come from clients, so they may be anything: only https is used, only
hosts on the internet are connected to (at the address that was checked, without another lookup), no
redirection is followed, and nobody waits for an answer.
"""

import asyncio
import base64
import ssl
import time
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from heckmeck.hosting.events import detail, note, trouble
from heckmeck.narration import languages, table_words
from heckmeck.rules.events import TurnStarted
from heckmeck.server.store import Store, StoreError
from heckmeck.server.store.schema import PUSH_KEY
from heckmeck.table.model import Moved, Step, Table
from heckmeck.table.play import bot_to_move
from heckmeck.wire.entries import Started
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.requests import Subscribe
from heckmeck.wire.setup import Status

if TYPE_CHECKING:
    from py_vapid import Vapid02

#: The maximum number of devices that one seat can have.
MOST_DEVICES: Final = 5
#: Seconds for one message, and the number of messages that are sent or wait at a time.
SECONDS: Final = 10.0
AT_ONCE: Final = 8
MOST_WAITING: Final = 500
#: How long a push service keeps a message for a device that is off, at tempo now.
_TTL: Final = 600
#: How long a signature is valid; services accept at most a day.
_SIGNED_SECONDS: Final = 12 * 3_600
_GONE: Final = (404, 410)
_CONTACT: Final = "mailto:heckmeck@localhost"


# --- whose turn it is -----------------------------------------------------------------------------


def seat_called(steps: Sequence[Step]) -> int | None:
    """Return the seat of the person whose turn began with these steps, if one did."""
    began = any(
        isinstance(step.what, Started)
        or (
            isinstance(step.what, Moved)
            and any(isinstance(event, TurnStarted) for event in step.what.events)
        )
        for step in steps
    )
    table = steps[-1].table
    if not began or table.match is None:
        return None
    seat = table.match.state.seat
    return seat if is_called(table, seat, table.n) else None


def is_called(table: Table, seat: int, n: int) -> bool:
    """Whether the person on this seat has been asked to move since entry ``n`` or before."""
    match = table.match
    return (
        match is not None
        and table.status is Status.PLAYING
        and match.state.seat == seat
        and match.changed <= n
        and table.person(seat) is not None
        and bot_to_move(table) is None
    )


# --- where to tell it -----------------------------------------------------------------------------


class Subscription(Struct, frozen=True):
    """What is needed to tell one device; ``contact`` is the page that it subscribed on."""

    p256dh: str
    auth: str
    language: str
    contact: str = ""


class _Target(NamedTuple):
    """An https address, taken apart."""

    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        return f"https://{self.host}" + ("" if self.port == 443 else f":{self.port}")


def _target(endpoint: str) -> _Target:
    """Take an address apart; raise `Refused` unless it is one to send messages to."""
    try:
        url = urlsplit(endpoint)
        host, port = url.hostname or "", url.port or 443
    except ValueError:
        host, port, url = "", 0, urlsplit("")
    if url.scheme != "https" or not host.isascii() or not host or url.username or url.fragment:
        raise Refused(Code.NO_PUSH, "Push messages are sent to https addresses only.")
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    return _Target(host, port, path)


def _raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


class Push:
    """Sends push messages for the tables of a store."""

    def __init__(
        self, store: Store, networks: Sequence[str] = (), context: ssl.SSLContext | None = None
    ) -> None:
        """Send to the internet, and to these other networks too; ``context`` is for tests."""
        self._store = store
        self._networks = [ip_network(network) for network in networks]
        self._context = context
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._signatures: dict[tuple[str, str], tuple[float, str]] = {}
        self._vapid: Vapid02 | None = None

    async def open(self) -> None:
        """Make the server's key, or find the one that was made earlier."""
        from py_vapid import Vapid02

        made = Vapid02()
        made.generate_keys()
        pem = await self._store.kept(PUSH_KEY, made.private_pem().decode())
        self._vapid = Vapid02.from_pem(pem.encode())

    @property
    def key(self) -> str:
        """The public key with which browsers subscribe."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        assert self._vapid is not None
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).decode().rstrip("=")

    async def subscribe(self, table: str, seat: str, request: Subscribe, origin: str) -> None:
        """Keep a subscription for the seat with this hash; raise `Refused` if it is not valid."""
        target = _target(request.endpoint)
        contact = origin if origin.startswith("https://") else ""
        language = request.language if request.language in languages() else "en"
        kept = Subscription(request.p256dh, request.auth, language, contact)
        try:
            _encrypted(b"", kept)
            await self._addresses(target)
        except (ValueError, OSError) as error:
            raise Refused(
                Code.NO_PUSH, f"This push subscription cannot be used: {error}."
            ) from None
        text = msgspec.json.encode(kept).decode()
        await self._store.subscribe(table, seat, request.endpoint, text, MOST_DEVICES)

    async def tell(
        self, table: str, seat: str, kept: Mapping[str, str], seconds: int | None
    ) -> None:
        """Tell all devices of a seat that it is their turn, which lasts for these seconds."""
        for endpoint, text in kept.items():
            if self._waiting >= MOST_WAITING:
                note("push_dropped", table=table)
                return
            self._waiting += 1
            try:
                async with self._at_once:
                    await self._tell(table, seat, endpoint, text, seconds or _TTL)
            finally:
                self._waiting -= 1

    async def _tell(self, table: str, seat: str, endpoint: str, text: str, ttl: int) -> None:
        try:
            kept = msgspec.json.decode(text, type=Subscription)
            said = table_words(kept.language).say("turn.push", table=table)
            message = msgspec.json.encode({"table": table, "text": said})
            async with asyncio.timeout(SECONDS):
                status = await self._send(_target(endpoint), _encrypted(message, kept), kept, ttl)
        except (OSError, ValueError, TimeoutError, Refused, asyncio.IncompleteReadError) as error:
            note("push_failed", table=table, why=type(error).__name__)
            return
        detail("pushed", table=table, status=status)
        if status in _GONE:
            try:
                await self._store.unsubscribe(table, seat, endpoint)
            except StoreError as error:
                trouble("push_failed", error, table=table)
        elif not 200 <= status < 300:
            note("push_failed", table=table, status=status)

    async def _send(self, target: _Target, body: bytes, kept: Subscription, ttl: int) -> int:
        """Send a message to the push service; return the status of its answer."""
        address = (await self._addresses(target))[0]
        reader, writer = await asyncio.open_connection(
            address, target.port, ssl=await self._certificates(), server_hostname=target.host
        )
        try:
            headers = {
                "Host": target.origin.removeprefix("https://"),
                "Authorization": self._signature(target.origin, kept.contact or _CONTACT),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "Content-Length": str(len(body)),
                "TTL": str(ttl),
                "Urgency": "high" if ttl == _TTL else "normal",
                "Connection": "close",
            }
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            line = (await reader.readline()).split()
        finally:
            writer.transport.abort()  # whatever else it says, and however slowly
        if len(line) < 2 or not line[1].isdigit():
            raise ValueError("the push service gave no valid answer")
        return int(line[1])

    async def _certificates(self) -> ssl.SSLContext:
        """Return the certificates that are trusted, which take a while to load the first time."""
        if self._context is None:
            self._context = await asyncio.to_thread(ssl.create_default_context)
        return self._context

    async def _addresses(self, target: _Target) -> list[str]:
        """Return the addresses of a host that may be connected to; raise `OSError` if none may."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(target.host, target.port, type=1)
        fine = [
            str(address[0])
            for *_, address in found
            if self._may_reach(ip_address(str(address[0])), target.port)
        ]
        if not fine:
            raise OSError(f"{target.host} is not a host on the internet")
        return fine

    def _may_reach(self, address: IPv4Address | IPv6Address, port: int) -> bool:
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        if any(address in network for network in self._networks):
            return True
        return port == 443 and address.is_global and not address.is_multicast

    def _signature(self, origin: str, contact: str) -> str:
        """Return the signature for a push service; it is made once for many messages."""
        now = time.time()
        until, signature = self._signatures.get((origin, contact), (0.0, ""))
        if until < now + 60:
            if len(self._signatures) > 100:
                self._signatures.clear()
            until = now + _SIGNED_SECONDS
            assert self._vapid is not None
            claims = {"aud": origin, "sub": contact, "exp": int(until)}
            signature = self._vapid.sign(claims)["Authorization"]
            self._signatures[origin, contact] = until, signature
        return signature


def _encrypted(message: bytes, kept: Subscription) -> bytes:
    """Encrypt a message for a browser; raise `ValueError` if its keys are not valid."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    auth = _raw(kept.auth)
    if len(auth) != 16:
        raise ValueError("auth must have 16 bytes")
    key = ec.generate_private_key(ec.SECP256R1())
    try:
        encrypted: bytes = http_ece.encrypt(
            message, private_key=key, dh=_raw(kept.p256dh), auth_secret=auth
        )
    except http_ece.ECEException as error:
        raise ValueError(str(error)) from error
    return encrypted
