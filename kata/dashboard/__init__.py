"""The dashboard's tab: an API over the service, and the pages that show it (design 1, ux 3)."""
