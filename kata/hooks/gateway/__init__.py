"""What is installed as the gateway hook: these files are copied, and stand there without this package."""
