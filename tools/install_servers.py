"""Installs the database servers that tests are run against; says so if it can't.

MariaDB and PgBouncer come from Debian's packages, where this is a Debian and this user may install
them. They are never started here: each test run starts its own, on a free port. PostgreSQL comes
with the packages of Python that the tests want.
"""

import os
import shutil
import subprocess
import sys

SECONDS = 300
SKIPPED = "the tests with a real one will be skipped."
PACKAGES = ("mariadb-server", "pgbouncer")
MEGABYTES = 180  # with what they need
PROGRAMS = ("mariadbd", "mariadb-install-db", "pgbouncer")


def _there() -> bool:
    places = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return all(shutil.which(name, path=places) for name in PROGRAMS)


def main() -> int:
    """Always 0: without it its tests are skipped, with the reason printed."""
    if _there():
        return 0
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"Not all here, nor may they be installed ({', '.join(PACKAGES)}): {SKIPPED}")
        return 0
    print(
        f"Installing {' and '.join(PACKAGES)} for the tests that ask them, with apt-get,"
        f" system-wide: about {MEGABYTES} MB below /usr. The tests start servers of their own.",
        flush=True,
    )
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        for words in (
            ["update", "--quiet"],
            ["install", "--quiet", "--yes", "--no-install-recommends", *PACKAGES],
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
    if not _there():
        print(f"apt-get could not install them: {SKIPPED}")
        print(done.stderr[-500:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
