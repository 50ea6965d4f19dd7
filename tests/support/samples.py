"""Public sample databases from beside the repository, loaded into a MariaDB of one's own."""

import gzip
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.support.database_servers import NotHere, Server, ServerDied

CORPUS = Path(__file__).parents[2].parent / "shared" / "evaluation" / "corpus" / "sql"


def load(server: Server, dumps: Iterable[Path]) -> None:
    """Load them in their order. Raises NotHere without a client, ServerDied where one fails."""
    client = shutil.which("mariadb")
    if client is None:
        raise NotHere("no MariaDB client here: tools/install_servers.py installs it where it may")
    command = [client, "--no-defaults", f"--socket={server.folder / 'my.sock'}", "--user=root"]
    for dump in dumps:
        done = subprocess.run(
            command, input=gzip.decompress(dump.read_bytes()), capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr[-300:].decode(errors="replace")
            raise ServerDied(f"{dump.name} can't be loaded: {said}")
