"""All pages of the dashboard. A new one is a module beside this and a line here."""

from typing import Final

from learnt.surfaces.web import (
    decay_page,
    doctor_page,
    knowledge_pages,
    ledger_pages,
    review_page,
    session_pages,
    skill_pages,
    today_page,
)
from learnt.surfaces.web.pages import Page

PAGES: Final[tuple[Page, ...]] = (
    today_page.PAGE,
    review_page.REVIEW,
    review_page.ITEM,
    knowledge_pages.LIST,
    knowledge_pages.ENTRY,
    decay_page.PAGE,
    skill_pages.SKILLS,
    skill_pages.SKILL,
    skill_pages.MEASURED,
    session_pages.LIST,
    session_pages.MISSED,
    session_pages.ONE,
    ledger_pages.LEDGER,
    ledger_pages.ASKED_WHY,
    ledger_pages.WHY,
    doctor_page.PAGE,
)
