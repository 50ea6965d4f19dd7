"""The engine that asks the user's model, wired by the settings."""

from learnt.bootstrap import model_budget, text_model
from learnt.flows.skills.distil import Drafting
from learnt.flows.skills.distil_by_model import by_model
from learnt.ports import Outside
from learnt.settings import Settings


def asking_model(outside: Outside, settings: Settings) -> Drafting | None:
    """Drafts by the model that `[models] use` names, or None. Raises UsageError, ModelUnusable."""
    model = text_model(settings)
    return None if model is None else by_model(outside, model, model_budget(settings))
