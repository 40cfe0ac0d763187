"""Chat and shell: words over the service's view models; the only rooms, with the dashboard, that construct a human actor."""
