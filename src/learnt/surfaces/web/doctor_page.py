"""Doctor: what can be seen of every part without trying or changing anything."""

from pathlib import Path
from typing import Final

from learnt.surfaces.model_probes import Probe
from learnt.surfaces.probes import probes
from learnt.surfaces.web.pages import Page, Visit

_ORDER: Final = ("problem", "warning", "ok")


def doctor(visit: Visit) -> list[Probe]:
    """Every part, the worst first."""
    found = probes(visit.settings, Path(visit.folder), looks=True)
    return sorted(found, key=lambda probe: _ORDER.index(probe.level))


PAGE: Final = Page(
    path="/doctor", title="Doctor", place="Doctor", template="doctor.html", look=doctor, slow=True
)
