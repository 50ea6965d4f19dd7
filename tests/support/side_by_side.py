"""Which tests share a process when they run side by side: what is set up once, is set up once."""

from xdist.scheduler import LoadScopeScheduling

# What shares a process, by its name: the real client, of which one runs at a time (`make` runs
# these by themselves); the database servers, which start once; the sources, which are parsed
# once; the browser, of which one runs at a time.
TOGETHER = {
    "tests/real/": "client",
    "tests/database/": "servers",
    "tests/cli/test_db": "servers",
    "tests/architecture/": "sources",
    "tests/web/test_browser": "browser",
}
# A test of these takes its time: the next process that is free takes the next one.
APART = ("tests/adversity/", "tests/cli/")
# Files of those whose tests share a server of ours.
SHARED = ("tests/cli/test_mcp",)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist comes without types
    """Hands out folders, files or single tests; the largest first."""

    def _split_scope(self, nodeid: str) -> str:
        """What is handed out with this test: a folder's tests, a file's, or the test alone."""
        file = nodeid.partition("::")[0]
        for start, group in TOGETHER.items():
            if file.startswith(start):
                return group
        return nodeid if file.startswith(APART) and not file.startswith(SHARED) else file
