def greets(config, evidence):
    """The output greets a person by name."""
    name = config["name_of"]
    return {"score": 1 if f"Dear {name}" in evidence["output"] else 0, "reasoning": f"looked for {name}"}


greets.schema = {
    "type": "object",
    "properties": {"name_of": {"type": "string"}},
    "required": ["name_of"],
}
