"""JSON Schema validation whose cost is bounded, whoever wrote the schema."""

from collections.abc import Mapping

from mewcode.calls import Json


def problems_of(schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> list[str]:
    """What does not fit, one sentence a problem, the field first; empty where all fits."""
    from jsonschema.validators import validator_for

    validator = validator_for(schema)(schema)
    found = sorted(validator.iter_errors(dict(arguments)), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{'.'.join(map(str, error.absolute_path)) or 'arguments'}: {error.message}" for error in found[:10]]
