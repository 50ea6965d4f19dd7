"""Topic folders (seed 000 v1, folder mode, an exported skill): facts under their tags."""

from datetime import date

from learnt.core.knowledge.brought import Brought, Bundle, Quoted
from learnt.core.knowledge.standing import THOUSAND, Standing
from learnt.formats import decay_tags
from learnt.formats.decay_tags import Tagged
from learnt.formats.seed_health import at_ms
from learnt.formats.topic_md import settled


def parse(name: str, text: str, today: date) -> Bundle:
    """The facts of a topic, and its tags that cannot be read.

    >>> tag = "<!-- decay: type=schema confirmed=2026-01-01 C0=1.0 alpha=2 beta=0 -->"
    >>> bundle = parse("rooms.md", f"{tag}\\n- status 3 is repair\\n", date(2026, 1, 2))
    >>> [(one.place, one.text, one.standing.alpha) for one in bundle.pieces]
    [('rooms.md:1', 'status 3 is repair', 2000)]
    """
    page = decay_tags.read(text, today)
    findings = [f"{name}:{finding.line}: {finding.what}" for finding in page.findings]
    findings += [f"{name}:{e.line}: a tag without a fact" for e in page.entries if not e.text]
    pieces = tuple(_piece(name, entry) for entry in page.entries if entry.text)
    return Bundle(pieces=pieces, findings=tuple(findings))


def _piece(name: str, entry: Tagged) -> Brought:
    belief = entry.belief
    alpha, beta, shock = (
        round(THOUSAND * value) for value in (belief.alpha, belief.beta, belief.shock)
    )
    return Brought(
        # As it was before it was made harmless.
        text=settled(entry.text).replace("&lt;!--", "<!--").replace("--&gt;", "-->"),
        kind=belief.kind,
        entities=entry.entities,
        place=f"{name}:{entry.line}",
        id=entry.id,
        source=Quoted(date=belief.confirmed.isoformat()),
        standing=Standing(
            confirmed_ms=at_ms(belief.confirmed.isoformat()),
            c0=round(THOUSAND * belief.c0),
            alpha=alpha,
            beta=beta,
            shocks=((alpha, shock),) if shock else (),
        ),
    )
