"""The model that the user turned on, wired by the settings."""

from learnt.bootstrap import model_budget, text_model
from learnt.flows.skills.distil_by_model import Asking
from learnt.ports import Outside
from learnt.settings import Settings


def asking_model(outside: Outside, settings: Settings) -> Asking | None:
    """The model that `[models] use` names, or None. Raises UsageError, ModelUnusable."""
    model = text_model(settings)
    return None if model is None else Asking(outside, model, model_budget(settings))
