"""All pages of the dashboard. A new one is a module beside this and a line here."""

from typing import Final

from learnt.surfaces.web import review_page, today_page
from learnt.surfaces.web.pages import Page

PAGES: Final[tuple[Page, ...]] = (today_page.PAGE, review_page.REVIEW, review_page.ITEM)
