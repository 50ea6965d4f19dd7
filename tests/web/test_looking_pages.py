"""The pages that only show: what each says of a home that was lived in, and of an empty one."""

import hashlib
import html
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.health.outcomes import Trouble
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.confidence import Belief, confidence
from learnt.core.visible_text import hidden, spelled_out
from learnt.flows.governance.decisions import Decider
from learnt.flows.health.trial import open_trials, stop
from learnt.settings import Settings
from learnt.surfaces.web.pages import FOLDER
from tests.cli.test_health_evaluate import file, regressed
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.lived_in import Past, Turn
from tests.support.past_talks import talk, talked
from tests.support.shop_weeks import SKILL, live_in
from tests.support.waiting import HOSTILE, candidate, many_drafts, remembered

__all__ = ["file"]  # a fixture

PLACES = (
    "/", "/knowledge", "/decay", "/skills", "/effects", "/sessions", "/misses", "/ledger", "/doctor"
)  # fmt: skip
SESSION = "5b0e0003-7d41-4c0a-9f3e-2a6c1d8e0003"


class Shop:
    """The dashboard of a home that was lived in, and its entries by short names."""

    def __init__(self, page: OpenDashboard, known: dict[str, EntryId]) -> None:
        self.page, self.known = page, known

    def text(self, path: str) -> str:
        """What is to be read on a page, its markup taken out."""
        answered = self.page.ask(path)
        assert 200 == answered.code, (path, answered.text[-2_000:])
        main = answered.text.partition("<main")[2].partition("</main>")[0]
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", main)).split())


@pytest.fixture
def shop(home: Home) -> Iterator[Shop]:
    """A shop after nine weeks."""
    known = live_in(home)
    with opened_dashboard(home) as page:
        page.enter()
        yield Shop(page, known)


def test_the_first_screen_says_what_it_is_what_it_knows_and_what_waits(shop: Shop) -> None:
    """In its first lines, each with a way on; below them what was shown, used, and how it ended."""
    told = shop.text("/")
    first = told[: told.index("What was shown, and when")]

    assert "Learnt remembers what you and your coding agents find out" in first
    assert "9 entries hold in this project" in first
    assert "Dispute: 1" in first and "Candidate: 1" in first
    (waits,) = map(int, re.findall(r"All (\d+)", shop.text("/review")))
    assert waits == sum(map(int, re.findall(r"[a-z]: (\d+)", first))), "what Review has"
    assert "Used most this week Deploy migration fails" in first
    assert "At a call that failed" in told and "named by a line VAT is computed" in told
    assert "12 passed" in told and "no trouble" in told


def test_entries_are_found_filtered_and_paged(shop: Shop) -> None:
    """By words, by kind and trust, in dispute; what fits nothing says what to do."""
    assert "2 of 9 entries, the nearest first." in shop.text("/knowledge?words=database+locked")
    told = shop.text("/knowledge?kind=business_rule&trust=VERIFY")
    assert "3 of 9 entries" in told and "above 500 €" in told and "paid_at" not in told
    assert "2 of 9 entries" in shop.text("/knowledge?disputed=yes")
    assert re.search(r"[1-8] of 9 entries", shop.text("/knowledge?topic=business_rules"))
    assert re.search(r"[1-8] of 9 entries", shop.text("/knowledge?stage=candidate"))
    assert "No entry fits." in shop.text("/knowledge?kind=nothing&part=7")


def test_an_entry_tells_its_standing_and_how_it_came(shop: Shop) -> None:
    """Its confidence as `learnt recall` has it, and what it comes of."""
    entry = shop.known["lock"]
    told = shop.text(f"/entry/{entry}")
    now = shop.page.home.here("recall", entry, "--json").json["entries"][0]["confidence"]

    assert "Successes α = " in told and "Try what would change it" in told
    assert f"TRUST confidence {now:.0%}" in told
    assert "it proved false (a check, weight 1.5)" in told
    assert "undecided" in told and "Beware Start them again afterwards" in told


def test_an_entry_tells_its_dispute_and_what_it_cites(shop: Shop) -> None:
    """The other side with a way there; a citation with its state."""
    refund, gateway = shop.known["refund"], shop.known["gateway"]

    assert "The other side: A refund above 500 €" in shop.text(f"/entry/{refund}")
    assert f'href="/entry/{shop.known["refund2"]}"' in shop.page.ask(f"/entry/{refund}").text
    assert "not checked src/gateway.py" in shop.text(f"/entry/{gateway}")
    assert "It has no confidence" in shop.text(f"/entry/{shop.known['lockfile']}")


@pytest.mark.parametrize(
    ("kind", "days", "alpha", "beta", "shock"),
    [("schema", 90, 0.0, 1.0, 1.0), ("solution", 30, 1.5, 2.0, 0.5), ("data_range", 0, 0, 0, 0)],
)
def test_the_decay_page_computes_as_the_core_does(
    shop: Shop, kind: str, days: int, alpha: float, beta: float, shock: float
) -> None:
    """Both formulas, on the day that is set."""
    path = f"/decay?kind={kind}&days={days}&successes={alpha}&failures={beta}&shocks={shock}"
    day = date(2026, 1, 1)
    belief = Belief(kind=kind, confirmed=day, alpha=alpha, beta=beta, shock=shock)
    today, told = day + timedelta(days=days), shop.text(path)

    assert f"Posterior {confidence(belief, today):.3f} " in told
    assert f"Classic {confidence(belief, today, 'classic'):.3f} " in told


def test_a_slider_that_is_no_number_stands_where_it_stood(shop: Shop) -> None:
    """Nothing, words, infinities, what is too much: the nearest that makes sense."""
    usual = shop.text("/decay")

    assert usual == shop.text("/decay?days=x&successes=nan&failures=inf&shocks=&kind=%3Cb%3E")
    assert "Days: 365" in shop.text("/decay?days=1e9")
    assert "Days: 0" in shop.text("/decay?days=-5")


def test_a_skill_tells_its_health_its_texts_and_its_trial(shop: Shop) -> None:
    """With the diff of its last two texts, the evidence, and how many more uses it takes."""
    told = shop.text(f"/skills/{SKILL}")

    assert "success, 52% to 83% at 95 %" in told
    assert re.search(r"undecided about \d+ more uses are needed", told)
    assert re.search(r"e-value for better [\d.]+ \(decides at 40\)", told)
    assert "+2. Leave out what users cannot see." in told
    assert SKILL in shop.text("/skills") and "undecided" in shop.text("/effects")


def test_a_trial_that_ended_is_still_seen(shop: Shop) -> None:
    """Its evidence, and how it ended: whoever decides looks at both."""
    with opened(Settings(home=shop.page.home.path)) as outside:
        with outside.ledger.reading() as reader:
            (going,) = open_trials(reader)
        stop(outside, going, Decider(actor=Actor.HUMAN))
    told = shop.text(f"/skills/{SKILL}")

    assert "A trial that a person stopped" in told and "A trial goes on" not in told
    assert re.search(r"e-value for better [\d.]+ \(decides at 40\)", told)


def test_a_window_of_ten_says_that_it_proves_nothing(home: Home, file: Path) -> None:
    """Where a text's first executions are compared with those before."""
    regressed(home)
    with opened_dashboard(home) as page:
        page.enter()
        told = Shop(page, {}).text("/skills/audit")
    assert "lacked 0% before, 100% now, over 10 of 10 executions; this proves nothing." in told


def test_the_ledger_is_asked_by_an_id(shop: Shop) -> None:
    """Typed into its form; what nobody knows is said."""
    assert 'name="id"' in shop.page.ask("/ledger").text
    assert "Why it is as it is" in shop.text(f"/why?id={shop.known['gateway']}")
    assert 404 == shop.page.ask("/why?id=e-nothing").code == shop.page.ask("/why").code


def test_a_version_that_is_not_there_is_said(shop: Shop) -> None:
    """No diff of nothing."""
    answered = shop.page.ask(f"/skills/{SKILL}?old=ffffffffffff")

    assert 404 == answered.code and "There is no text of" in answered.text


def test_a_session_tells_its_moments_and_episodes(shop: Shop) -> None:
    """And why what was said cannot be read, where it cannot."""
    told = shop.text(f"/sessions/{SESSION}")

    assert "shown orders.paid_at is in UTC" in told and "48 passed in 12.31s" in told
    assert "What was said It cannot be read here." in told
    assert "30 sessions, the latest first" in shop.text("/sessions")
    assert "Nothing that was said has these words." in shop.text("/sessions?words=kraken")
    assert "key + rotate" in shop.text("/misses")


def test_what_was_said_is_found_and_shown(home: Home) -> None:
    """By its words, with the command that goes on with it; on the session's page all of it."""
    talked(home, "s1", talk("heron"))
    home.here("sessions", "list")  # reads it in
    with opened_dashboard(home) as page:
        page.enter()
        shop = Shop(page, {})
        assert "heron" in shop.text("/sessions?words=heron")
        assert "claude --resume s1" in shop.text("/sessions?words=heron")
        assert "heron" in shop.text("/sessions/s1")


def test_the_ledger_tells_why_of_any_id(shop: Shop) -> None:
    """Of an entry, a session, an event; the latest of all first, and those before them."""
    entry = shop.known["lock"]

    assert "remembered as validated" in shop.text(f"/ledger/{entry}")
    assert "session begun (startup)" in shop.text(f"/ledger/{SESSION}")
    first = shop.page.ask("/ledger").text
    event = re.findall(r'<li id="([^"]+)">', first)[0]
    assert "steps, the first observation first." in shop.text(f"/ledger/{event}")
    earlier = html.unescape(re.findall(r'rel="next" href="([^"]+)"', first)[0])
    assert event not in shop.page.ask(earlier).text
    assert "Nothing is recorded before that." in shop.text("/ledger?before=1")


@pytest.mark.parametrize("place", ["entry", "skills", "sessions", "ledger"])
@pytest.mark.parametrize("name", ["nothing", "%3Cscript%3E", "e-00000000000000", "..%2f..", "%00"])
def test_what_is_not_there_is_said(shop: Shop, place: str, name: str) -> None:
    """With a name that may be anything."""
    answered = shop.page.ask(f"/{place}/{name}")

    assert 404 == answered.code and "<script>" not in answered.text


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_home_says_what_to_do_on_every_page(home: Home, place: str) -> None:
    """No page is empty without a word on how it is filled."""
    with opened_dashboard(home) as page:
        page.enter()
        answered = page.ask(place)

    assert 200 == answered.code
    hints = ("empty-title", "<code>learnt ", "no proposal, no dispute", "Compute")
    assert any(hint in answered.text for hint in hints)


def test_whatever_a_text_holds_is_read_and_not_obeyed(home: Home) -> None:
    """In entries, prompts, quotes, names of skills, paths: spelled out, and markup of nothing."""
    texts = [text for text in HOSTILE if text.strip()]
    with opened(Settings(home=home.path)) as outside:
        past = Past(outside, str(home.project))
        with past.writing():
            past.begin(9, label=texts[0])
            entries = [
                past.entry(8, text, cites=[f"src/{text}.py"], actor=actor)
                for text, actor in zip(texts, [Actor.HUMAN, Actor.AGENT] * len(texts), strict=False)
            ]
            solved = past.entry(7, problem=texts[0], approach=texts[3], cautions=texts[5:9])
            past.dispute(entries[0], entries[2], 6)
            turns = [
                Turn(
                    prompt=text, shown=[entry], hinted=[solved], quotes={"test": text}, skill=text,
                    trouble=Trouble.TEST, grade=0.0,
                )
                for text, entry in zip(texts, entries, strict=True)
            ]  # fmt: skip
            past.session("s1", 1, turns)
    with opened_dashboard(home) as page:
        page.enter()
        paths = [
            *PLACES,
            "/sessions/s1",
            *(f"/entry/{each}" for each in entries),
        ]
        paths += [f"/ledger/{solved}", f"/entry/{solved}", "/ledger/session:claude-code:s1"]
        paths += [f"/skills/{quote(text, safe='')}" for text in texts]
        paths += [f"/{place}?words={quote(texts[0])}" for place in ("knowledge", "sessions")]
        answers = {path: page.ask(path) for path in paths}

    for path, answered in answers.items():
        assert answered.code in {200, 404}, (path, answered.text[-1_500:])
        assert [] == hidden(answered.text), path
        for sign in ("<script>window", "<img src=x", "<svg onload", "<iframe", "<style>", "<base"):
            assert sign not in answered.text, path
    for text in texts:
        told = " ".join(spelled_out(text).split())
        for path in ("/knowledge", "/sessions/s1"):
            assert told in " ".join(html.unescape(answers[path].text).split()), (path, text)


_ATTACKS = Path(__file__).parents[1] / "data" / "attack_texts"


def _attacks(name: str) -> list[str]:
    rows = map(json.loads, (_ATTACKS / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [str(row["text"]) for row in rows]


@pytest.mark.parametrize(
    "texts",
    [HOSTILE, _attacks("dev_tern_hidden"), _attacks("dev_tern_commanding")],
    ids=["hostile", "hidden", "commanding"],
)
def test_whatever_a_text_holds_is_read_on_the_page(home: Home, texts: list[str]) -> None:
    """In the list and on its own page: nothing unseen is left, and no sign is markup."""
    texts = [text for text in texts if text.strip()][:50]  # as many as a part of the list has
    remembered(home, texts)
    with opened_dashboard(home) as page:
        page.enter()
        page.give_phrase()
        answers = [page.ask("/review"), *(page.ask(path) for path in page.items())]

    whole = " ".join("".join(each.text for each in answers).split())
    assert [] == hidden("".join(each.text for each in answers))
    for text in texts:
        told = " ".join(spelled_out(text).split())
        assert told[:200] in html.unescape(whole), text
    for sign in ("<script>window", "<img src=x", "<svg onload", "<iframe", "<style>", "<base"):
        assert sign not in whole


@pytest.mark.parametrize("count", [120, pytest.param(10_000, marks=pytest.mark.slow)])
def test_open_proposals_are_shown_in_parts(home: Home, count: int) -> None:
    """However many there are: fifty at a time, each with its page; the last part is the rest."""
    many_drafts(home, count)
    with opened_dashboard(home) as page:
        page.enter()
        first, last = page.ask("/review"), page.ask("/review?part=99999999")
        item = page.ask(page.items()[-1])

    assert f"Part 1 of {-(-count // 50)}, {count:,} in all" in first.text
    assert 50 == first.text.count('class="title"')
    assert f"Part {-(-count // 50)} of" in last.text
    assert 200 == item.code and f"50 of {count:,}" in item.text


def test_one_sort_is_listed_alone(home: Home) -> None:
    """What the address says that is no sort, and no number, is left out."""
    many_drafts(home, 60)
    candidate(home)
    with opened_dashboard(home) as page:
        page.enter()
        one = page.ask("/review?sort=candidate")
        parts = page.ask("/review?sort=draft&part=2")
        odd = page.ask("/review?sort=%3Cb%3E&part=-1&part=x&x=%ff")

    assert 1 == one.text.count('class="title"')
    assert 'href="?sort=draft&amp;part=1"' in parts.text
    assert (200, 50) == (odd.code, odd.text.count('class="title"'))


def test_what_is_not_ours_is_as_it_came() -> None:
    """Each file of others' has its version, its licence and its hash on record."""
    vendor = FOLDER / "static" / "vendor"
    told = (vendor / "README.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (\S+) \| .* \| (\d+\.\d+\.\d+) \| .*`(\S+)` \| ([0-9a-f]{64}) \|$", told, re.M
    )
    licences = {licence for _, _, licence, _ in rows}

    assert {path.name for path in vendor.iterdir()} == {
        "README.md", *licences, *(name for name, *_ in rows)
    }  # fmt: skip
    for name, version, licence, digest in rows:
        assert digest == hashlib.sha256((vendor / name).read_bytes()).hexdigest()
        assert "MIT" in (vendor / licence).read_text("utf-8") and version in told


def test_pages_ask_no_other_machine_and_hold_no_code() -> None:
    """No address of elsewhere, no script, style or handler within a template."""
    for path in sorted((FOLDER / "templates").glob("*.html")):
        text = path.read_text("utf-8")
        assert not re.search(r"https?://|\sstyle=|\son\w+=|<style|javascript:|\|\s*safe", text), (
            path
        )
        assert all(" src=" in tag for tag in re.findall(r"<script[^>]*>", text)), path


def test_nothing_is_recorded_by_being_looked_at(home: Home) -> None:
    """What is in the spool stays there: a page takes nothing in."""
    candidate(home)
    with opened_dashboard(home) as page:
        page.enter()
        before = page.events()
        _walk(page)
        assert before == page.events()


def _walk(page: OpenDashboard) -> None:
    seen, ahead = set[str](), ["/"]
    while ahead:
        path = ahead.pop()
        seen.add(path)
        found = re.findall(r'href="(/[^"]*)"', page.ask(html.unescape(path)).text)
        ahead += [each for each in found if each not in seen and each not in ahead]
