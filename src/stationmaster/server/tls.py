"""A certificate of one's own, for the home network: browsers warn of it once, and encrypt all the same."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from stationmaster.server.listening import network_address

LASTS = timedelta(days=397)  # browsers take no longer one
RENEWED = timedelta(days=30)  # before it ends
CERTIFICATE, KEY = "certificate.pem", "key.pem"


class Certificate:
    """The certificate in a folder; made when there is none, and anew before it ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.certificate = folder / CERTIFICATE
        self.key = folder / KEY

    def ensure(self, now: datetime | None = None) -> bool:
        """Make or renew it where that is needed; whether it was."""
        now = now or datetime.now(UTC)
        if self.still_good(now):
            return False
        self.make(now)
        return True

    def still_good(self, now: datetime) -> bool:
        """Whether it lasts, and is for the addresses that this machine has now."""
        try:
            certificate = x509.load_pem_x509_certificate(self.certificate.read_bytes())
            key = serialization.load_pem_private_key(self.key.read_bytes(), None)
            names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except (OSError, ValueError, x509.ExtensionNotFound):
            return False
        return (
            certificate.public_key() == key.public_key()
            and certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEWED
            and set(here()) <= set(names)
        )

    def make(self, now: datetime) -> None:
        """Make a new one."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Stationmaster of this home network")])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + LASTS)
            .add_extension(x509.SubjectAlternativeName(here()), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(key, hashes.SHA256())
        )
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        unencrypted = serialization.NoEncryption()
        pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        write_private(self.key, key.private_bytes(pem, pkcs8, unencrypted))
        write_private(self.certificate, certificate.public_bytes(pem))

    def fingerprint(self) -> str:
        """What a browser shows of it, for comparing by eye."""
        certificate = x509.load_pem_x509_certificate(self.certificate.read_bytes())
        return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def here() -> list[x509.GeneralName]:
    """All names by which this machine is reached in its network."""
    host = socket.gethostname().encode("ascii", "ignore").decode()
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    if host and host != "localhost":
        names += [x509.DNSName(host), x509.DNSName(f"{host.partition('.')[0]}.local")]
    addresses = ["127.0.0.1", "::1", *filter(None, [network_address()])]
    names += [x509.IPAddress(ip_address(address)) for address in addresses]
    return list(dict.fromkeys(names))


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads, all at once."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    fresh.replace(path)
