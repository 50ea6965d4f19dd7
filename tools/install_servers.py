"""Installs the database servers that tests are run against; says so if it can't.

MariaDB comes from Debian's packages, where this is a Debian and this user may install them. It is
never started here: each test run starts its own, on a free port. PostgreSQL comes with the packages
of Python that the tests want.
"""

import os
import shutil
import subprocess
import sys

SECONDS = 300
SKIPPED = "the tests with a real MariaDB will be skipped."


def _there() -> bool:
    places = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return all(shutil.which(name, path=places) for name in ("mariadbd", "mariadb-install-db"))


def main() -> int:
    """Always 0: without it its tests are skipped, with the reason printed."""
    if _there():
        return 0
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"No MariaDB here, nor may it be installed (mariadb-server): {SKIPPED}")
        return 0
    print("Installing MariaDB for the tests that ask one ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        for words in (
            ["update", "--quiet"],
            ["install", "--quiet", "--yes", "--no-install-recommends", "mariadb-server"],
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
        print(f"apt-get could not install it: {SKIPPED}")
        print(done.stderr[-500:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
