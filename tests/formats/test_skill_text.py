"""A SKILL.md of anybody's: read as far as it can be, each broken rule at its line."""

from pathlib import Path

import pytest
import skills_ref
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.skills.skills import Severity
from learnt.formats import skill_md, skill_text
from learnt.formats.skill_text import read

GOOD = "---\nname: locks\ndescription: Frees waiting queues.\n---\n\n# Locks\n\nStop them.\n"
BROKEN: dict[str, tuple[str, str, int, str]] = {
    "nothing": ("", "no-front-matter", 1, ""),
    "no front matter": ("# Row locks\n\nFrees waiting queues.\n", "no-front-matter", 1,
                        "Row locks. Frees waiting queues."),
    "a colon": ("---\nname: locks\ndescription: Use when: stuck\n---\n# Locks\n", "bad-yaml", 3,
                "Use when: stuck"),
    "a tab": ("---\nname: locks\n\tdescription: x y\n---\n# Row locks\n", "bad-yaml", 3,
              "Row locks"),
    "an open bracket": ("---\nname: [a\ndescription: Frees queues\n---\n", "bad-yaml", 3,
                        "Frees queues"),
    "not closed": ("---\nname: locks\ndescription: Frees queues\n\n# Locks\n",
                   "unclosed-front-matter", 1, "Frees queues"),
    "a list": ("---\n- a\n---\n# Row locks\n", "no-mapping", 2, "Row locks"),
    "empty": ("---\n---\n# Row locks\n", "empty-front-matter", 2, "Row locks"),
    "a key twice": (GOOD.replace("---\n\n", "name: other\n---\n\n"), "duplicate-key", 4,
                    "Frees waiting queues."),
    "an unknown key": (GOOD.replace("---\n\n", "version: 1.0\n---\n\n"), "unknown-key", 4,
                       "Frees waiting queues."),
    "braces": (GOOD.replace("---\n\n", "metadata: {a: b}\n---\n\n"), "flow-style", 4,
               "Frees waiting queues."),
    "no indentation": (GOOD.replace("Frees waiting queues.", '"Frees\nwaiting queues."'),
                       "bad-indent", 3, "Frees waiting queues."),
    "no description": ("---\nname: locks\n---\n# Row locks\n", "no-description", 1, "Row locks"),
    "no name": ("---\ndescription: Frees queues\n---\n", "no-name", 1, "Frees queues"),
    "a bad name": (GOOD.replace("name: locks", "name: Row_Locks"), "bad-name", 2,
                   "Frees waiting queues."),
    "another's name": (GOOD.replace("name: locks", "name: queues"), "other-name", 2,
                       "Frees waiting queues."),
    "a byte-order mark": ("\ufeff" + GOOD, "byte-order-mark", 1, "Frees waiting queues."),
    "a long description": (GOOD.replace("Frees", "Frees " * 300), "long-description", 3,
                           ("Frees " * 300 + " waiting queues.").replace("  ", " ")),
}  # fmt: skip


def test_a_sound_skill_has_no_finding() -> None:
    """Its name, description and body are what stands there."""
    skill = read(GOOD, "locks")
    assert ("locks", "Frees waiting queues.", ()) == (skill.name, skill.description, skill.findings)
    assert "# Locks\n\nStop them.\n" == skill.body


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_rule_is_named_with_its_line(case: str) -> None:
    """And the description is what a person would read out of it."""
    text, rule, line, description = BROKEN[case]
    skill = read(text, "locks")
    assert (rule, line) in {(finding.rule, finding.line) for finding in skill.findings}
    assert description == skill.description


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_values_are_the_texts_that_stand_there(end: str) -> None:
    """No number, date, flag or null is made of them; a mark within a value ends nothing."""
    front = 'version: 1.0\nwhen: 2026-01-01\non: yes\nrate: null\nnote: "a --- b"\n'
    front += "long: |\n  a\n  ---\n"
    skill = read(f"---\n{front}---\n# Locks\n".replace("\n", end), "locks")
    assert ["1.0", "2026-01-01", "yes", "null", "a --- b", "a\n---\n"] == list(skill.front.values())
    assert ("1.0", "") == (skill_text.word("1.0"), skill_text.word(skill.front["rate"]))
    assert "# Locks" + end == skill.body


def test_aliases_that_multiply_are_too_large() -> None:
    """A few lines that stand for millions are a finding, at once."""
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    (finding,) = read("---\n" + "\n".join(rows) + "\n---\n", "a").findings
    assert "too-large" == finding.rule


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Without an error, and with a finding unless it is sound."""
    for whole in (text, f"---\n{text}\n---\n# x", f"---\nname: {text}\n---\n"):
        skill = read(whole, "locks")
        assert skill.findings


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_learnt_writes_is_read_back(description: str, body: str) -> None:
    """One line of description, and the body but for the space around it."""
    read_back = read(skill_md.render("locks", description, {"a": "b"}, body), "locks")
    assert " ".join(description.split()) == read_back.front["description"]
    assert not {finding.rule for finding in read_back.findings} - {"no-description"}


def test_the_specifications_validator_agrees(tmp_path: Path) -> None:
    """What has an error here is refused by `agentskills validate`; else only keys and braces."""
    for number, text in enumerate([GOOD, *(case[0] for case in BROKEN.values())]):
        folder = tmp_path / str(number) / "locks"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text, "utf-8")
        faults = skills_ref.validate(folder)
        found = read(text, "locks").findings
        errors = [f.rule for f in found if f.severity is Severity.ERROR]
        mild = {f.rule for f in found} & {"unknown-key", "flow-style"}
        assert (not faults) == (not (errors or mild)), (text, errors, faults)
