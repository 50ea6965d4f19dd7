"""Whatever a person may name as the source of a skill, fetched by its exchange."""

from pathlib import Path

from learnt.errors import UsageError
from learnt.exchanges import clawhub, git_source, local_folder
from learnt.file_ports import Fetched


def fetch(source: str, registry: str) -> Fetched:
    """The skill of a path[#FOLDER], a repository's URL@COMMIT[#FOLDER], or OWNER/NAME of ClawHub.

    What is there as a path is taken for one. Raises UsageError for what is none of these.
    """
    path, _, wanted = source.partition("#")
    if path.startswith((".", "/", "~")) or ("\0" not in path and path and Path(path).exists()):
        return local_folder.fetch(Path(path).expanduser(), wanted)
    if repository := git_source.address(source):
        return git_source.fetch(repository)
    if name := clawhub.name_of(source):
        return clawhub.fetch(name, registry)
    raise UsageError(
        f"{source[:200]!r} is no folder, archive, URL@COMMIT of a repository, or OWNER/NAME."
    )
