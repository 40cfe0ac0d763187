"""One module a screen: the same view model as shell lines and as chat lines."""
