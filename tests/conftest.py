"""Settings for the whole suite: the same examples every time, and no verdict by the clock."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "kata", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("kata")
