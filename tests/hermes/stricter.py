"""Runs inside Hermes: gives a built-in tool a schema that demands one thing more."""


def demand_limit() -> bool:
    from tools.registry import registry

    entry = registry.get_entry("search_files")
    parameters = dict(entry.schema["parameters"])
    parameters["properties"] = {**parameters["properties"], "why": {"type": "string"}}
    parameters["required"] = [*parameters.get("required", ()), "why"]
    entry.schema = {**entry.schema, "parameters": parameters}
    return True
