"""What a tool takes: how it is described to the model, checked, and handed to the handler."""
