"""`learnt skills install FOLDER`, of a folder that holds several skills and what they were used."""

import json
from pathlib import Path

import pytest

from learnt.surfaces.api.skills import SkillRegistry
from tests.support.homes import Home


def test_eurekaclaws_folder_is_installed_with_its_counts(home: Home) -> None:
    """Each of its skills, folder or flat file; what they were used counts on, and once."""
    theirs = home.folder / ".eurekaclaw" / "skills"
    told = "usage_count: {}\nsuccess_rate: {}\nagent_roles: [theory]\nsource: distilled\n"
    for path, uses, rate in (
        ("ucb_regret_analysis/SKILL.md", "12", "0.75"),
        ("fano_bound.md", "3", "null"),
        ("thompson/SKILL.md", "0", "null"),
        ("lower_bounds/SKILL.md", "0", "null"),  # it brought this one, and counts beside the folder
    ):
        (theirs / path).parent.mkdir(parents=True, exist_ok=True)
        name = path.removesuffix("/SKILL.md").removesuffix(".md")
        front = f"name: {name}\ndescription: How to bound the regret of {name}.\n"
        text = f"---\n{front}{told.format(uses, rate)}---\n\n# Bound\n\nSplit the regret by arm.\n"
        (theirs / path).write_text(text, "utf-8")
    beside = {"lower_bounds": {"usage_count": 7, "success_rate": 0.5}, "fano_bound": [], "x": 1}
    (theirs.parent / "seed_skill_stats.json").write_text(json.dumps(beside), "utf-8")
    code, output = home.typed("skills", "install", str(theirs), "--user", answers=["y"])
    assert code == 0, output
    assert "used 12 times before, success 75%" in output and "used 3 times before" in output
    used = {s["name"]: s for s in home.here("skills", "stats", "--json").json["skills"]}
    assert {name: (s["usage_count"], s["success_rate"]) for name, s in used.items()} == {
        "ucb-regret-analysis": (12, 0.75), "fano-bound": (3, None), "lower-bounds": (7, 0.5),
    }  # fmt: skip
    shown = home.here("skills", "show", "fano-bound", "--json").json["skill"]["file"]
    with SkillRegistry(Path(shown).parent.parent, home=home.path) as registry:
        registry.update_stats("ucb_regret_analysis", True)
        known = registry.get("ucb_regret_analysis")
        assert known is not None
        assert known.meta.usage_count == 13
        assert known.meta.success_rate == pytest.approx(0.825)
    home.typed("skills", "remove", "ucb-regret-analysis", "--user")
    home.typed("skills", "install", f"{theirs}/ucb_regret_analysis", "--user", answers=["y"])
    stats = {s["name"]: s for s in home.here("skills", "stats", "--json").json["skills"]}
    assert stats["ucb-regret-analysis"]["usage_count"] == 13
    home.verify()
