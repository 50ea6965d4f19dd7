"""Installs programs of Debian's that tests are run against; says so if it can't.

The database servers MariaDB and PgBouncer, or with `browser` Chromium, where this is a Debian and
this user may install them. They are never started here: each test run starts its own, on a free
port. PostgreSQL comes with the packages of Python that the tests want.
"""

import os
import shutil
import subprocess
import sys
from typing import NamedTuple

SECONDS = 300
SKIPPED = "the tests with a real one will be skipped."


class Wanted(NamedTuple):
    """Packages with their megabytes, the programs that they bring, and what these are for."""

    packages: tuple[str, ...]
    megabytes: int  # with what they need
    programs: tuple[str, ...]
    purpose: str


SERVERS = Wanted(
    ("mariadb-server", "pgbouncer"),
    180,
    ("mariadbd", "mariadb-install-db", "pgbouncer"),
    "the tests that ask them",
)
BROWSER = Wanted(("chromium",), 380, ("chromium",), "the tests that look at the dashboard")


def _there(wanted: Wanted) -> bool:
    places = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return all(shutil.which(name, path=places) for name in wanted.programs)


def main(wanted: Wanted) -> int:
    """Always 0: without it its tests are skipped, with the reason printed."""
    if _there(wanted):
        return 0
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"Not all here, nor may they be installed ({', '.join(wanted.packages)}): {SKIPPED}")
        return 0
    print(
        f"Installing {' and '.join(wanted.packages)} for {wanted.purpose}, with apt-get,"
        f" system-wide: about {wanted.megabytes} MB below /usr. The tests start their own.",
        flush=True,
    )
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        for words in (
            ["update", "--quiet"],
            ["install", "--quiet", "--yes", "--no-install-recommends", *wanted.packages],
        ):
            done = subprocess.run(
                ["apt-get", *words],
                env=environment,
                timeout=SECONDS,
                check=False,
                capture_output=True,
                text=True,
            )
    except subprocess.TimeoutExpired:
        print(f"apt-get took too long: {SKIPPED}")
        return 0
    if not _there(wanted):
        print(f"apt-get could not install them: {SKIPPED}")
        print(done.stderr[-500:])
    return 0


if __name__ == "__main__":
    sys.exit(main(BROWSER if sys.argv[1:] == ["browser"] else SERVERS))
