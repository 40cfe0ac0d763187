"""What is observed outside the plugin: Hermes' shell and gateway hooks, and Claude Code's. No dependency is imported."""
