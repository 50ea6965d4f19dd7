"""What keeps being recalled becomes a skill where it says how to do something, and only there."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from learnt.core.distil.distilled import DistilledSkill, Matter
from learnt.core.events import Actor, Origin
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.records import member, text_of
from learnt.core.skills.hidden_text import skeleton
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import accept
from learnt.flows.governance.draft_skill import draft_skill, rewrite
from learnt.flows.governance.listing import listed, shown
from learnt.flows.governance.outdated import outdated
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.rewording import reword, sheet_of
from learnt.flows.skills.packing import threats
from learnt.formats import front_matter, skill_text
from learnt.formats.draft_md import rendered, with_parts
from tests.flows.proposing import PERSON, Play
from tests.flows.stage import HERE

SESSIONS = ("s1", "s2", "s3")


def told(play: Play, text: str, kind: str) -> EntryId:
    """What a person told, as a fact of a kind."""
    fact = Draft(text=text, kind=kind)
    return capture(play.outside, Offer(what=fact, actor=Actor.HUMAN, folder=HERE)).entry


def recalled(play: Play, *prompts: str) -> None:
    """Each of these prompts in three sessions, in each of which it brings something up."""
    for session in SESSIONS:
        for prompt in prompts:
            play.prompt(prompt, session=session)


def names(play: Play) -> list[str]:
    """The names of the skills that are proposed."""
    return [each.target.split("/")[1] for each in listed(play.outside)]


@pytest.mark.parametrize(
    ("problem", "approach", "cautions"),
    [
        ("The gradle build fails on startup", "Stop the daemon; then build again", ()),
        ("The gradle build fails on startup", "Stop the daemon, then build again", ()),
        ("The gradle build fails on startup", "Stop the daemon.\nBuild again.", ()),
        ("The gradle build fails on startup", "Stop the daemon", ("Not while others build",)),
        ("gradle 构建启动失败", "停止守护进程，然后重新构建", ()),
    ],
)
def test_a_solution_with_steps_becomes_one(
    problem: str, approach: str, cautions: Sequence[str]
) -> None:
    """Several sentences or clauses in order, lines, or something to heed beside."""
    play = Play()
    play.remember(problem, approach, cautions=tuple(cautions))
    recalled(play, problem)

    assert 1 == len(play.analyze().new)


@pytest.mark.parametrize(
    ("text", "kind", "becomes"),
    [
        ("To deploy run make build, then make push, then check the health page", "procedure", 1),
        ("To deploy the shop run make deploy", "procedure", 0),
        ("The admin port of the shop is 9443", "tool_experience", 0),
        ("The shop has an admin port. It is 9443.", "schema", 0),
        ("Orders are never deleted; they are marked. Ask the accountant.", "business_rule", 0),
    ],
)
def test_a_single_fact_or_rule_never_becomes_one(text: str, kind: str, becomes: int) -> None:
    """However often it is recalled."""
    play = Play()
    told(play, text, kind)
    recalled(play, text)

    assert becomes == len(play.analyze().new)


def test_a_solution_that_says_one_thing_does_not() -> None:
    """The note helps as it is: a skill would say no more."""
    play = Play()
    play.remember(approach="Verify the raw body", cautions=())
    play.recalled(*SESSIONS)

    assert () == play.analyze().new


BILLING = (
    "The billing service listens on port 9443",
    "The billing service keeps its invoices in the bucket acct-invoices",
    "The billing service is restarted by systemctl restart billingd",
)


def test_several_notes_on_one_subject_become_one() -> None:
    """Named by what they share, with all that they say; more of them make no second one."""
    play = Play()
    told(play, "The shop front is built with vite", "tool_experience")
    notes = [told(play, text, "tool_experience") for text in BILLING]
    recalled(play, *BILLING)
    (name,) = play.analyze().new
    (draft,) = listed(play.outside)

    assert ["billing-service"] == names(play)
    assert sorted(notes) == sorted(draft.proposal.notes)
    assert [True] * 3 == [f"- {text}" in draft.draft for text in BILLING]
    assert "3 notes on one subject were recalled" in draft.rationale
    more = told(play, "The billing service logs to stderr", "tool_experience")
    recalled(play, *BILLING, "where does the billing service log, stderr?")
    assert ((), (name,)) == ((now := play.analyze()).new, now.grown)
    assert {*notes, more} == {*play.held(name).notes}
    assert [] == list(play.outside.ledger.verify())


def test_a_skill_of_several_notes_is_out_of_date_when_any_changes() -> None:
    """Also where an agent wrote its text: it names all of them."""
    play = Play()
    notes = [told(play, text, "tool_experience") for text in BILLING]
    recalled(play, *BILLING)
    (name,) = play.analyze().new
    body = "# Billing\n\nSee port 9443 and the bucket acct-invoices.\nRestart by systemctl."
    draft = SkillDraft(name="billing-service", description="Runs the billing service", body=body)
    text = shown(play.outside, rewrite(play.outside, name, draft).proposal.id).draft
    named = text_of(member(front_matter.read(text)["metadata"], "memory"))
    assert {*notes} == {*named.split(", ")} == {*play.held(name).notes}
    assert play.accept(name)
    for entry in notes:
        sheet = sheet_of(play.outside, entry)
        reword(play.outside, entry, replace(sheet, text=f"{sheet.text} from May on"), PERSON)
        with play.outside.ledger.reading() as reader:
            (skill,) = outdated(play.outside, reader)
        assert entry in {each.entry for each in skill.changed}


def test_two_notes_on_a_subject_are_too_few() -> None:
    """They are recalled as they are."""
    play = Play()
    for text in BILLING[:2]:
        told(play, text, "tool_experience")
    recalled(play, *BILLING[:2])

    assert () == play.analyze().new


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_note_purged_between_draft_and_accept_takes_the_draft_along(which: int) -> None:
    """Whichever of its notes it was; who was shown it is told, and nothing is written."""
    play = Play()
    notes = [told(play, text, "tool_experience") for text in BILLING]
    recalled(play, *BILLING)
    (name,) = play.analyze().new
    shown = play.plan(name)
    gone = purge(play.outside, Target(entry=notes[which]), Actor.HUMAN)

    assert (name,) == gone.proposals
    with pytest.raises(Conflict, match="purged"):
        accept(play.outside, shown, PERSON)
    with pytest.raises(Refused, match="purged"):
        play.plan(name)
    assert ([], {}) == (listed(play.outside), play.disk.files)


@pytest.mark.parametrize(
    ("problem", "name"),
    [
        ("数据库迁移时出现死锁", "数据库迁移时出现死锁"),
        ("Stripe 签名：验证失败", "stripe-签名-验证失败"),
        ("Сборка не запускается после обновления", "сборка-не-запускается-после"),
        ("デプロイがガクッと止まる", "デプロイがガクッと止まる"),
        ("डेटाबेस में गतिरोध की त्रुटि", "डेटाबेस-में-गतिरोध-की"),
        ("ที่อยู่ผิด", "ที่อยู่ผิด"),
        ("தரவுத்தளம் பூட்டு பிழை ஏற்பட்டது", "தரவுத்தளம்-பூட்டு"),
    ],
)
def test_a_draft_is_named_by_its_subject_in_any_script(problem: str, name: str) -> None:
    """As clients take it; its path and its front matter say the same."""
    play = Play()
    play.remember(problem, "1. Stop it\n2. Start it")
    recalled(play, problem)
    (own,) = play.analyze().new

    assert [name] == names(play)
    assert name == skill_text.read(play.plan(own).after, name).name
    assert play.accept(own) and f"/skills/{name}/SKILL.md" in next(iter(play.disk.files))


def test_a_name_that_exists_in_two_writing_systems_is_told_apart() -> None:
    """Of two notes' drafts one carries an id; an agent's draft that looks like one is refused."""
    play = Play()
    latin, cyrillic = "copepoca pocoaxe paxeco", "сорероса росоахе рахесо"
    assert skeleton(latin) == skeleton(cyrillic)
    for problem in (latin, cyrillic):
        play.remember(problem, "1. Stop it\n2. Start it")
        recalled(play, problem)
    assert 2 == len(play.analyze().new)
    assert 2 == len({skeleton(name) for name in names(play)}) == len(set(names(play)))

    body = "Stop the queue first, then start it again."
    name = "сорероса-росоахе-рахесо"
    draft = SkillDraft(name=name, description="Frees stuck queues in production", body=body)
    with pytest.raises(Refused, match="looks like it"):
        draft_skill(play.outside, draft, folder=HERE, actor=Actor.AGENT)


@pytest.mark.parametrize(
    ("problem", "approach"),
    [
        ("Gradle hangs", "Stop kelpd. Run gradle."),
        ("gradle 构建时总是卡住", "停止 kelpd。运行 gradle。"),
        ("Gradle hängt beim Start", "Den kelpd anhalten. Dann gradle starten."),
    ],
)
def test_the_scanner_finds_nothing_in_what_learnt_writes_around_a_note(
    problem: str, approach: str
) -> None:
    """What it asks to read first is the note's or a prompt's."""
    play = Play()
    play.remember(problem, approach, cautions=("zzz kelpd",))
    recalled(play, problem)
    (name,) = play.analyze().new
    said = (problem, *approach.replace("。", ". ").split(". "), "zzz")
    findings = play.plan(name).findings

    assert {"read-first"} >= {finding.rule for finding in findings}
    assert all(any(part.strip(".") in f.message for part in said if part) for f in findings)


DISTILLED = [
    [Matter("When `npm ci` fails.", ("Run `npm install`.", "Run the tests."), ("`npm ci`",))],
    [Matter("When the deploy of the shop fails.", ("Run `make build`.", "Run `make push`."))],
    [Matter("When `pytest` fails: ModuleNotFoundError: yaml", ("Run `pip install pyyaml`.",))],
]


@pytest.mark.parametrize("parts", DISTILLED)
def test_where_a_distilled_draft_comes_from_is_not_read_first(parts: list[Matter]) -> None:
    """What our scanner marks is what the session said, in a new skill and in one that grows."""
    play = Play()
    ours = "---\nname: x\ndescription: Deploys.\n---\n# Deploy\n\nRun `make deploy`, then look.\n"
    for origin in Origin:
        draft = DistilledSkill("Ship it", parts[0].when, tuple(parts), origin=origin)
        for text in (rendered("ship-it", draft, "s1", "rules"), with_parts(ours, parts, draft)):
            assert "rests-on" in text
            found = threats(play.outside, {"SKILL.md": text}, "ship-it", ours=True)
            marked = [each.message for each in found if each.rule == "read-first"]
            assert marked and not [each for each in marked if "rests" in each]


def test_an_origin_that_is_no_text_counts_for_nothing() -> None:
    """A skill of somebody else's may hold a list there."""
    draft = DistilledSkill("Ship it", "When", tuple(DISTILLED[0]), origin=Origin.WEB)
    there = "---\nname: x\ndescription: Deploys.\nmetadata:\n  rests-on: [a]\n---\n# Deploy\n"
    assert 'rests-on: "web pages"' in with_parts(there, DISTILLED[0], draft)
