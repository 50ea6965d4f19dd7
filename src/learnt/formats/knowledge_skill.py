"""The skill that an exported folder of knowledge is: when to run what, and no formula."""

from typing import Final

from learnt.formats import skill_md

SCRIPT: Final = "scripts/knowledge.py"
_BODY: Final = """# {title}

Facts that were found out before, in `references/`, each with how far it can be trusted. Run the
script with any Python from 3.8 on, in this skill's folder: `python3 {script} COMMAND` (on Windows
`py {script} COMMAND`).

## Before you investigate

1. `search --entities "NAME,NAME"` (tables, modules, concepts: whole names). No names yet: read
   `references/_index.md`, then one or two topics at most.
2. What a line says of trust decides:
   - **TRUST**: answer from it, and say when it was confirmed.
   - **VERIFY**: check it with one cheap query or look before you use it.
   - **REVALIDATE**: take it for unknown; find out anew.

## When something showed that a fact holds, or does not

- It held when you used it: `feedback --id ID --result success`
- It failed when you used it: `feedback --id ID --result failure`
- The user says that it changed or is wrong: `invalidate --id ID`, find out what is so, then `reset
  --id ID` once its text is right.
- A query came back empty: if its value was a fact's, `--result failure --weight 0.3` for that one;
  if the user named the value and the fact's list lacks it, `--result success --weight 0.3`.
- A number within 5 % of the fact's is a success, any other a failure.
- Nothing clear came of it: record nothing. That a task was done is no evidence for a fact.

## When you found out something new

Ask in this order, and stop at the first no:

1. Would its absence make somebody redo expensive work? If not, leave it.
2. Does it contradict a fact that is there? Then correct that one's text in place and give it
   `feedback --result failure --weight 0.3`; add no second one.
3. Is it there already, in other words? Then `feedback --result success` for that one.
4. How fast does it go stale? That is its `--type`: {kinds}.
   Ranges and snapshots of data go stale in days: prefer to leave them.
5. Where does it belong? Structure, rules, query patterns and procedures are topics of their own.

Then `inject --type TYPE --content "ONE SENTENCE" --target TOPIC.md --entities "NAME,NAME"`. No
secrets, no personal data.

## Keeping it in order

- `scan --path references` lists all, least trusted first; exit 2 means that something is to be
  found out anew.
- A topic beyond some 80 lines is split, more than eight topics are joined, `_index.md` stays below
  40 lines; a new topic wants three related facts. Nothing is deleted without the user's word.
"""


def skill(name: str, kinds: list[str]) -> str:
    """The SKILL.md of exported knowledge.

    >>> skill("rooms", ["schema"]).startswith('---\\nname: "rooms"')
    True
    """
    title = name.replace("-", " ").capitalize()
    listed = ", ".join(f"`{kind}`" for kind in kinds)
    description = (
        f"Facts about {name.replace('-', ' ')} that were found out before, with how far each can "
        "be trusted. Use before investigating this subject, and to record what was found out, "
        "confirmed or proved wrong."
    )
    body = _BODY.format(title=title, script=SCRIPT, kinds=listed)
    return skill_md.render(name, description, {}, body)
