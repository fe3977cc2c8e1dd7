"""How hard property tests try; `HYPOTHESIS_PROFILE` chooses.

- `default`: quick, and different examples each time, so that a developer's runs keep searching.
- `ci`: the same examples each time, so that a red build is about the change it builds.
- `soak`: as many as patience allows (`./check --soak`).
"""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
