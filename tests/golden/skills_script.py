"""What the golden files hold of the commands on skills."""

from pathlib import Path

from tests.golden.stage import Stage

LOCKS = "---\nname: {name}\ndescription: Frees waiting queues\n---\n\n# {name}\n\n{body}\n"
FAILED = "Exit code 1\n4 failed in 1s"


def skilled(stage: Stage) -> None:
    """Two skills of the project: listed, chosen, checked, and given other texts."""
    folder = stage.home.project / ".agents" / "skills"
    for name in ("locks", "queues"):
        (folder / name).mkdir(parents=True)
        text = LOCKS.format(name=name, body="Stop the consumers.")
        (folder / name / "SKILL.md").write_text(text, "utf-8")
    new = stage.home.folder / "new.md"
    new.write_text(LOCKS.format(name="locks", body="Stop the zebrafish producers."), "utf-8")
    stage.agent("skills", "list", "--layer", "project")
    stage.agent("skills", "show", "locks")
    stage.agent("skills", "show", "lock")
    pinned(stage)
    failed(stage)
    stage.agent("skills", "revise", "locks", "--text", str(new))
    name = stage.proposal()
    stage.agent("evolve", "show", name)
    stage.person("evolve", "accept", name, typed="y\n")
    stage.agent("health", "evaluate", "locks")
    stage.person("health", "evaluate", "locks", "--keep")
    found(stage)
    stage.agent("skills", "history", "locks")
    stage.agent("skills", "diff", "locks", "1.0.0")
    stage.agent("skills", "rollback", "locks")
    tried(stage, new)
    stage.agent("skills", "merge", "locks", "queues", "--text", str(new))
    stage.agent("skills", "retire", "queues")
    stage.agent("skills", "stats")
    stage.agent("skills", "validate", str(folder))
    (folder / "queues" / "SKILL.md").write_text("# none\n", "utf-8")
    stage.agent("skills", "validate", str(folder))
    source = stage.home.folder / "bought" / "drains"
    source.mkdir(parents=True)
    text = LOCKS.format(name="drains", body="Drain the tank.")
    (source / "SKILL.md").write_text(text, "utf-8")
    stage.person("skills", "install", str(source), typed="y\n")
    stage.agent("skills", "install", str(source / "nowhere"))
    stage.person("skills", "remove", "drains", typed="y\n")


def pinned(stage: Stage) -> None:
    """An agent may not pin a skill, a person may."""
    stage.agent("skills", "pin", "locks")
    stage.person("skills", "pin", "locks")
    stage.person("skills", "pin", "locks", "--off")


def found(stage: Stage) -> None:
    """Skills are looked for by words, and what does not fit is left out."""
    stage.agent("skills", "search", "zebrafish")
    stage.agent("skills", "inject", "--task", "zebrafish", "--strategy", "semantic", "-k", "1")
    few = ("--task", "waiting queues", "--strategy", "semantic", "--budget", "60")
    stage.agent("skills", "inject", *few)


def tried(stage: Stage, new: Path) -> None:
    """A skill's text is compared with another."""
    stage.agent("skills", "trial", "locks")
    new.write_text(new.read_text("utf-8") + "Then look again.\n", "utf-8")
    stage.agent("skills", "revise", "locks", "--text", str(new))
    stage.person("evolve", "accept", stage.proposal(), "--trial", typed="y\n")
    stage.agent("skills", "trial", "locks")
    stage.agent("skills", "rollback", "locks")
    stage.person("skills", "trial", "locks", "--stop")


def failed(stage: Stage) -> None:
    """Two sessions in which a skill failed, and the new text that rules propose for it."""
    steps = [
        {"tool": "Skill", "input": {"skill": "locks"}, "result": "Launching", "failed": False},
        {"tool": "Edit", "input": {"file_path": "a.py"}, "result": "updated", "failed": False},
        {"tool": "Bash", "input": {"command": "pytest"}, "result": FAILED, "failed": True},
    ]
    for session in ("lesson-1", "lesson-2"):
        stage.reported(session, {"prompt": "please free the waiting queues", "steps": steps})
    stage.agent("health", "improve", "locks", "--automatic")
    stage.person("health", "improve", "locks", "--automatic")
    stage.person("health", "improve", "locks", "--manual")
    stage.agent("health", "improve", "locks")
    stage.person("evolve", "reject", stage.proposal())
    stage.agent("health", "improve", "locks")
    stage.agent("health", "brief", "locks")
