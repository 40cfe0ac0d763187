"""The use cases, and one view model per screen: the only room that surfaces call (design 1)."""
