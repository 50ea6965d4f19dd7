"""Encryption on the way to real servers: with a certificate, without one, and with an old one."""

import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from learnt.domains.database.servers.connections import DbSession, address
from learnt.errors import EnvironmentTrouble, UsageError
from tests.support.asking import opened
from tests.support.certificates import Certificates, certificates
from tests.support.database_servers import (
    PASSWORD,
    Server,
    mariadb,
    postgres,
    systems_own,
)

OTHER_NAME = "certificate is not for localhost, so another machine may be answering"


@pytest.fixture(scope="module")
def papers() -> Iterator[Certificates]:
    with certificates() as made:
        yield made


@pytest.fixture(scope="module")
def safe_maria(papers: Certificates) -> Iterator[Server]:
    """A MariaDB with a certificate for 127.0.0.1."""
    with mariadb(f"--ssl-cert={papers.certificate}", f"--ssl-key={papers.key}") as server:
        yield server


@pytest.fixture(scope="module")
def safe_elephant(papers: Certificates) -> Iterator[Server]:
    """A PostgreSQL with the same one."""
    settings = ("ssl=on", f"ssl_cert_file={papers.certificate}", f"ssl_key_file={papers.key}")
    with postgres(*settings, programs=systems_own()) as server:
        yield server


@pytest.fixture(scope="module")
def old_maria(papers: Certificates) -> Iterator[Server]:
    """A MariaDB that encrypts as it was done in 1999."""
    old = ("--tls-version=TLSv1.0", "--ssl-cipher=ALL:@SECLEVEL=0")
    with mariadb(f"--ssl-cert={papers.certificate}", f"--ssl-key={papers.key}", *old) as server:
        yield server


def session(server: Server, asked: str = "", host: str = "127.0.0.1") -> "closing[DbSession]":
    return opened(server.url().replace("127.0.0.1", host) + (f"?{asked}" if asked else ""))


def encrypted(server: Server, asked: str = "", host: str = "127.0.0.1") -> bool:
    with session(server, asked, host) as one, one.reading("SELECT 1") as found:
        assert [(1,)] == [tuple(row) for row in found.rows]
    with session(server, asked, host) as one:
        return one.encrypted()


def refused(server: Server, asked: str = "", host: str = "127.0.0.1") -> str:
    """Why no session came about; never with the password, nor with advice about it."""
    with pytest.raises(EnvironmentTrouble) as raised:
        session(server, asked, host)
    said = str(raised.value)
    assert PASSWORD not in said
    assert "the password are right" not in said
    return said


@pytest.mark.slow
def test_mysql_is_encrypted_where_it_can_be(safe_maria: Server, papers: Certificates) -> None:
    """By itself; and as far as it is asked for, against the right authority."""
    assert encrypted(safe_maria)
    assert encrypted(safe_maria, "ssl_mode=preferred")
    assert encrypted(safe_maria, "ssl_mode=REQUIRED", host="localhost")
    assert encrypted(safe_maria, f"ssl_ca={papers.authority}")
    assert encrypted(safe_maria, f"ssl_mode=verify_ca&ssl_ca={papers.authority}", host="localhost")
    assert encrypted(safe_maria, f"ssl_mode=verify_identity&ssl_ca={papers.authority}")
    assert not encrypted(safe_maria, "ssl_mode=disabled")


def test_mysql_of_another_authority_or_name(safe_maria: Server, papers: Certificates) -> None:
    """Refused, with what to write into the URL."""
    for mode in ("verify_ca", "verify_identity"):
        said = refused(safe_maria, f"ssl_mode={mode}&ssl_ca={papers.stranger}")
        assert "Write ssl_ca=FILE into the URL" in said
        assert "disabled" not in said
        assert "Write ssl_ca=FILE" in refused(safe_maria, f"ssl_mode={mode}")  # the system's own
    said = refused(safe_maria, f"ssl_ca={papers.authority}", host="localhost")
    assert OTHER_NAME in said and "ssl_mode=verify_ca" in said and "disabled" not in said


def test_the_systems_authorities_are_asked(
    safe_maria: Server, papers: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the URL names none: by them both the signature and the name are looked at."""
    monkeypatch.setenv(ssl.get_default_verify_paths().openssl_cafile_env, str(papers.authority))
    assert encrypted(safe_maria, "ssl_mode=verify_identity")
    assert OTHER_NAME in refused(safe_maria, "ssl_mode=verify_identity", host="localhost")


def test_mysql_without_a_certificate(maria: Server, papers: Certificates) -> None:
    """Not encrypted by itself; who asks for it is refused, with what to do."""
    assert not encrypted(maria)
    for asked in ("ssl_mode=required", "ssl_mode=verify_ca", f"ssl_ca={papers.authority}"):
        assert "ssl_mode=disabled" in refused(maria, asked)


def test_an_account_that_may_only_come_encrypted(safe_maria: Server) -> None:
    """Without encryption it is refused like a wrong password: both are named."""
    safe_maria.as_root(
        "CREATE OR REPLACE USER careful IDENTIFIED BY '{}' REQUIRE SSL".format(
            PASSWORD.replace("'", "''")
        )
    )
    at = safe_maria.url("careful", "")
    with opened(at):
        pass
    with pytest.raises(
        EnvironmentTrouble, match=r"Check the account and the password.*leave ssl_m"
    ):
        opened(f"{at}?ssl_mode=disabled")


@pytest.mark.slow  # a third MariaDB
def test_an_old_server_is_reached_without_encryption(old_maria: Server) -> None:
    """Where Python holds its sort of encryption for none; the message leads there."""
    for asked in ("", "ssl_mode=required"):
        assert "ssl_mode=disabled in the URL turns it off" in refused(old_maria, asked)
    assert not encrypted(old_maria, "ssl_mode=disabled")


def test_an_authority_that_is_no_file_is_named(maria: Server, tmp_path: Path) -> None:
    """One that is not there, and one that holds no certificate."""
    empty = tmp_path / "empty.pem"
    empty.touch()
    for file in (tmp_path / "gone.pem", empty):
        said = refused(maria, f"ssl_ca={file}")
        assert f"ssl_ca={file} cannot be read" in said
        assert "FILE holds the certificate (PEM)" in said


def test_postgres_is_encrypted_as_asked(safe_elephant: Server, papers: Certificates) -> None:
    """By itself where the server can, and with the right authority."""
    assert encrypted(safe_elephant)
    assert encrypted(safe_elephant, "sslmode=require")
    right = f"sslrootcert={papers.authority}"
    assert encrypted(safe_elephant, f"sslmode=verify-ca&{right}", host="localhost")
    assert encrypted(safe_elephant, f"sslmode=verify-full&{right}")
    assert not encrypted(safe_elephant, "sslmode=disable")


def test_postgres_of_another_authority_or_name(safe_elephant: Server, papers: Certificates) -> None:
    """Refused, with what to write into the URL."""
    for asked, host in (
        (f"sslmode=verify-full&sslrootcert={papers.stranger}", "127.0.0.1"),
        (f"sslmode=verify-ca&sslrootcert={papers.stranger}", "127.0.0.1"),
        ("sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "127.0.0.1"),
    ):
        assert "Write sslrootcert=FILE into the URL" in refused(safe_elephant, asked, host)
    asked = f"sslmode=verify-full&sslrootcert={papers.authority}"
    said = refused(safe_elephant, asked, "localhost")
    assert OTHER_NAME in said and "sslmode=verify-ca" in said and "sslmode=disable " not in said


def test_postgres_without_a_certificate(elephant: Server) -> None:
    """Not encrypted by itself; who asks for it is refused, with what to do."""
    assert not encrypted(elephant)
    for mode in ("require", "verify-full"):
        assert "sslmode=disable in the URL turns it off" in refused(elephant, f"sslmode={mode}")


def test_an_account_with_a_password_of_any_script(safe_maria: Server, maria: Server) -> None:
    """Sent as the server's own client sends it, encrypted or not."""
    for server in (safe_maria, maria):
        server.as_root(
            "CREATE OR REPLACE USER 'åsa' IDENTIFIED BY 'pässwörd-套房'",
            "GRANT SELECT ON shop.* TO 'åsa'",
        )
        with opened(server.url("%C3%A5sa"), "pässwörd-套房") as one:
            assert "" == one.could_write()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://me@db/shop?ssl_mode=on", "disabled, preferred, required, verify_ca, verify_id"),
        ("mysql://me@db/shop?ssl_mode=", "ssl_mode is one of"),
        ("mysql://me@db/shop?ssl_mode=disabled&ssl_ca=a.pem", "nothing is held against ssl_ca"),
        ("mysql://me@db/shop?ssl_mode=required&ssl_ca=a.pem", "say verify_ca or verify_identity"),
        ("mysql://me@db/shop?ssl_mode=required&ssl_mode=disabled", "the same thing twice"),
        ("mysql://me@db/shop?sslmode=require", "Known: ssl_ca, ssl_mode, unix_socket"),
        ("postgresql://me@db/shop?sslmode=on", "disable, allow, prefer, require, verify-ca"),
    ],
)
def test_words_that_no_client_knows(url: str, said: str) -> None:
    """Nothing is kept, and what may be written is named."""
    with pytest.raises(UsageError, match="Nothing was kept") as raised:
        address(url)
    assert said in str(raised.value)


def test_words_in_capitals_are_the_same() -> None:
    """A URL is kept as it was meant."""
    written = "mysql://me@db/shop?ssl_mode=Verify_CA"
    assert address(written) == address(written.lower())
