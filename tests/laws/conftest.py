"""Laws are tried on the same examples in every run; HYPOTHESIS_PROFILE=explore finds new ones."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("learnt", deadline=None, derandomize=True, max_examples=60)
settings.register_profile(
    "explore",
    deadline=None,
    max_examples=3_000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "learnt"))
