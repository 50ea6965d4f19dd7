"""The servers of the tests: what is not installed is skipped, and what does not start fails."""

import pytest

from tests.support.database_servers import NotHere, ServerDied, postgres, running, servants_folder


def test_a_server_that_ends_on_start_is_no_reason_to_skip() -> None:
    """What it printed is in the error."""
    command = ["/bin/sh", "-c", "echo the disk is broken; exit 3"]
    with (
        servants_folder() as folder,
        pytest.raises(ServerDied, match="ended with 3: the disk is broken"),
        running(command, folder, lambda: False),
    ):
        pass
    assert not issubclass(ServerDied, pytest.skip.Exception)


def test_a_server_whose_own_set_up_fails_is_none_either() -> None:
    """As with programs that are there and are broken."""
    with servants_folder() as programs:
        (programs / "initdb").write_text("#!/bin/sh\necho no room >&2\nexit 1\n", "utf-8")
        (programs / "initdb").chmod(0o755)
        with pytest.raises(ServerDied, match="no room"), postgres(programs=programs):
            pass


def test_what_is_not_installed_skips_its_tests() -> None:
    """With its reason, and without a word of the test's own."""
    assert issubclass(NotHere, pytest.skip.Exception)
