"""Natural keys: what makes two reports of one happening the same, whoever reports it twice.

A hook registered in two places fires twice; a spooled report may be read again. Each kind below
has a tuple that is equal exactly then. The ledger holds its keyed hash and refuses the second.

| happening | tuple |
|---|---|
| prompt answered (recalled or missed) | agent, session, subagent, prompt, digest, skill's call |
| past success imported | skill, its name there |
| reused | entry, agent, session, attempt |
| drawn | entry, version of its text, agent, session |
| not delivered | recall, subject |
| session started | agent, session, source, process, prompt, again |
| session linked | agent, session, relation, other |
| session ended | agent, session, reason, process |
| episode closed | agent, session, prompt, again |
| answered late | episode |
| judged by an agent | entry, session (else the day), what it said, corrections before it |
| proved | entry, tool use, polarity, corrections before it |
| said by a person | entry, prompt and when, corrections before it |
| decided at once | prompt and when, text |
| harvested | agent, session, where in its transcript it began, how far before it was written anew |
| distilled | agent, session, engine, size of its transcript |
| proposed | proposal, count, distinct, draft, last seen, status before |
| drafted | proposal, which of its drafts |
| edit noticed | proposal, decisions on it so far |
| published | proposal, withdrawals of it so far |
| edit taken in | entry, topic, which edit of it |
| edited by hand | entry, corrections before it |
| miss adopted | session, prompt, when, imports undone before |
| seed queue | what it says of the skill, imports undone before |
| project seen | project, path, store, remote, root commit |
| project linked | project, other, verdict |
| drawn for a session | skill, when its trial began, session |
| comparison ended | skill, when it began |
| observation of a tool step | agent, session, subagent, event, first tool use |
| observation of a stop | agent, session, subagent, event, prompt, activity |
| observation of a start | agent, session, subagent, event, source, process, prompt, again |
| observation of an end | agent, session, subagent, event, reason, process |
| observation of no session | agent, session, subagent, event, nothing, nothing, its own id |
| observation of anything else | agent, session, subagent, event, prompt, detail, digest |

`activity` counts what the session did before: a second stop in one episode differs from a double
report of the first by what lies between. `again` is the same for a compaction, and empty else.
`digest` is the keyed hash of a prompt's excerpt: a prompt typed while the agent works carries the
id of the one it is working on.
"""

from learnt.core.identifiers import NaturalKey, keyed_hash


def natural_key(key: bytes, happening: str, *parts: str | int | None) -> NaturalKey:
    """The keyed hash of a happening's tuple; None and the empty string are the same part.

    >>> natural_key(b"k", "reused", "e-1", "s", 0) == natural_key(b"k", "reused", "e-1", "s", 1)
    False
    """
    texts = ("" if part is None else str(part) for part in parts)
    return NaturalKey(keyed_hash(key, "natural key", happening, *texts))
