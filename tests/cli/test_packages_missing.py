"""A command that needs a package of an extra: what is said where it is missing, and what is not."""

import pytest

from learnt.errors import EnvironmentTrouble
from learnt.surfaces.cli.context import needing


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (ModuleNotFoundError("No module named 'psycopg.rows'", name="psycopg.rows"), "psycopg"),
        (ImportError("no pq wrapper available."), "a library"),
    ],
)
def test_a_missing_package_is_named(error: ImportError, named: str) -> None:
    """With how to install it; also by the words of a driver whose library is missing."""
    with (
        pytest.raises(EnvironmentTrouble, match=rf"not installed \({named}\)"),
        needing({"psycopg"}, "`learnt db`", "database", "pq wrapper"),
    ):
        raise error


@pytest.mark.parametrize(
    "error",
    [
        ImportError("cannot import name 'sql' from 'psycopg'", name="psycopg"),
        ImportError("libfoo.so.1: cannot open shared object file"),
        ModuleNotFoundError("No module named 'learnt.elsewhere'", name="learnt.elsewhere"),
    ],
)
def test_any_other_error_of_an_import_is_not_hidden(error: ImportError) -> None:
    """A package of the wrong version is installed, and a fault of ours is none of the extra's."""
    with pytest.raises(type(error), match=str(error)), needing({"psycopg"}, "`learnt db`"):
        raise error
