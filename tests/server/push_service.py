"""A stand-in for the push service of a browser: it takes messages, and decrypts them."""

import asyncio
import base64
import json
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Self

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from heckmeck.dice import random_bytes

#: Networks in which it may be.
HERE = ("127.0.0.0/8", "::1/128")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PushService:
    """Listens on a port of this machine, with a certificate of its own."""

    def __init__(self, folder: Path) -> None:
        self.certificate = folder / "push.pem"
        _certify(self.certificate)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = random_bytes(16)
        self.status = 201
        self.hangs = False
        self.heads: list[str] = []
        self.bodies: list[bytes] = []

    async def __aenter__(self) -> Self:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1]) for line in head.split("\r\n") if "Content-Length" in line
        )
        self.bodies.append(await reader.readexactly(length))
        self.heads.append(head)
        if self.hangs:
            await asyncio.sleep(60)
        writer.write(f"HTTP/1.1 {self.status} Whatever\r\nContent-Length: 0\r\n\r\n".encode())
        writer.close()

    def trusting(self) -> ssl.SSLContext:
        """Return what a client needs to trust it."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def subscription(self, path: str = "/x") -> dict[str, str]:
        """Return what a browser would say that subscribed here."""
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {
            "endpoint": f"https://localhost:{self.port}{path}",
            "p256dh": _text(point),
            "auth": _text(self._auth),
        }

    def messages(self) -> list[dict[str, str]]:
        """Return all messages, decrypted."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth))
            for body in self.bodies
        ]

    async def heard(self, count: int) -> list[dict[str, str]]:
        """Return the messages when there are this many."""
        while len(self.bodies) < count:
            await asyncio.sleep(0.01)
        return self.messages()

    def is_signed_by(self, key: str, head: str) -> bool:
        """Whether a request is signed with the key that the server published, for this service."""
        (line,) = [line for line in head.split("\r\n") if line.startswith("Authorization: ")]
        token = line.split("t=")[1].split(",")[0]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert claims["aud"] == f"https://localhost:{self.port}"
        assert f"k={key}" in line
        return bool(Vapid02.verify(line.removeprefix("Authorization: ")))


def _certify(place: Path) -> None:
    """Write a certificate for this machine, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    place.write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
