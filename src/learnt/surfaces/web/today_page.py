"""Today: what is remembered, how it is used, and what waits."""

from typing import Final

from learnt.surfaces.answers.home import HomeStatus, home_status
from learnt.surfaces.web.pages import Page, Visit


def today(visit: Visit) -> HomeStatus:
    """The state of the home, as `status` tells it."""
    return home_status(visit.outside, visit.folder, visit.settings.home)


PAGE: Final = Page(path="/", title="Today", place="Today", template="today.html", look=today)
