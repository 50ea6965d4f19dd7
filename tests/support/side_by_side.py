"""Which tests share a process when they run side by side: what is set up once, is set up once."""

from xdist.scheduler import LoadScopeScheduling

# One client runs at a time: it keeps two cores busy by itself, and waits for what it started.
TOGETHER = ("tests/real/", "tests/database/", "tests/architecture/")
# A test of these takes its time: the next that is free takes the next one.
APART = ("tests/adversity/", "tests/cli/")
# Whose tests share a server, a file at a time.
SHARED = ("tests/cli/test_db",)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist comes without types
    """Hands out folders, files or single tests; the largest first."""

    def _split_scope(self, nodeid: str) -> str:
        """What is handed out with this test: a folder's tests, a file's, or the test alone."""
        file = nodeid.partition("::")[0]
        folder = next((name for name in TOGETHER if file.startswith(name)), "")
        if folder or (file.startswith(APART) and not file.startswith(SHARED)):
            return folder or nodeid
        return file
