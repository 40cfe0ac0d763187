"""Where events are kept: the log's stores, the spool in front of it, the chain and the anchor (design 3)."""
