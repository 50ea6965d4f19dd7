"""Ask for the connection to the database and try it: database.py setup."""

import sys

from database import main  # type: ignore[import-not-found]  # it lies beside this file

sys.exit(main(["setup"]))
