"""Encryption on the way to a server: what a URL asks for, and what to do where it fails."""

import ssl
from typing import Any, Final

from learnt.domains.database.servers.connections import DbAddress

_NOT_OFFERED: Final = 2026  # the driver's number: the server has no TLS, and it was asked for
_DENIED: Final = frozenset({1045, 3159})  # MariaDB, MySQL: this account, or this server
_NAMES: Final = frozenset({62, 64})  # OpenSSL's: the certificate is for another name, or address
_KEPT: Final = "(learnt db setup keeps the URL anew)"


class NoAuthority(OSError):
    """The file that ssl_ca names cannot be read, or holds no certificate."""


def mysql_asks(at: DbAddress) -> dict[str, Any]:
    """What the driver is told of encryption; by itself it encrypts where the server can.

    A CA alone asks for all that can be verified with it.

    Raises NoAuthority where a CA's file cannot be read.

    >>> from learnt.domains.database.servers.connections import address
    >>> mysql_asks(address("mysql://me@db/shop?ssl_mode=disabled"))
    {'ssl_disabled': True}
    """
    options = dict(at.options)
    mode = options.get("ssl_mode") or ("verify_identity" if "ssl_ca" in options else "preferred")
    if mode == "preferred":
        return {}
    if mode == "disabled":
        return {"ssl_disabled": True}
    file = options.get("ssl_ca")
    try:
        context = ssl.create_default_context(cafile=file)
    except OSError as error:
        raise NoAuthority(0, f"ssl_ca={file} cannot be read: {error.strerror or error}") from error
    # Certificates that MySQL makes for itself do not keep to the letter, and Python 3.13 would.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.check_hostname = mode == "verify_identity"
    if mode == "required":
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}


def mysql_todo(at: DbAddress, error: Exception) -> str:
    """What to do where encryption is what failed; empty where it is not."""
    code, cause = error.args[0] if error.args else 0, getattr(error, "original_exception", None)
    todo = ""
    if isinstance(error, NoAuthority):
        todo = "Name a file of certificates (PEM) that you may read"
    elif code == _NOT_OFFERED:
        todo = (
            "The server offers no encryption and the URL asks for it. Have the server offer it, or "
            "say ssl_mode=disabled if whoever is between may read all"
        )
    elif code in _DENIED and ("ssl_mode", "disabled") in at.options:
        todo = (
            "Look whether the account and the password are right; or the server lets nobody in "
            "without encryption, then leave ssl_mode=disabled out"
        )
    elif isinstance(cause, ssl.SSLCertVerificationError) and cause.verify_code in _NAMES:
        todo = (
            f"The server's certificate is for another name than {at.host}: write the name that "
            "it is for into the URL, or ssl_mode=verify_ca to ask only who signed it"
        )
    elif isinstance(cause, ssl.SSLCertVerificationError):
        todo = (
            "The server's certificate is not signed by whom the URL trusts (ssl_ca, else this "
            "system's authorities), or not valid now: write ssl_ca=FILE with the certificate of "
            "the authority that signed it"
        )
    elif isinstance(cause, ssl.SSLError):
        todo = (
            "The two sides could not agree on how to encrypt: an old server may know nothing that "
            "is still held to be safe. Where nobody between may read along, write "
            "ssl_mode=disabled into the URL"
        )
    return todo and f"{todo} {_KEPT}."


def postgres_todo(at: DbAddress, message: str) -> str:
    """The same for PostgreSQL, whose library has words alone for it.

    >>> from learnt.domains.database.servers.connections import address
    >>> postgres_todo(address("postgresql://me@db/shop"), "password authentication failed")
    ''
    """
    if ("SSL" not in message and "certificate" not in message) or "pg_hba" in message:
        return ""  # a rule of pg_hba.conf ends with "SSL on" or "SSL off", whatever it is about
    if "certificate" not in message:
        asked = dict(at.options).get("sslmode", "prefer")
        return (
            f"The URL asks for sslmode={asked}. Have the server offer encryption, or say "
            f"sslmode=disable if whoever is between may read all {_KEPT}."
        )
    return (
        "Look at the server's certificate: sslrootcert=FILE names the one of the authority that "
        "signed it (sslrootcert=system: this system's authorities), and sslmode=verify-full wants "
        f"it to be for {at.host}, verify-ca for any name {_KEPT}."
    )
