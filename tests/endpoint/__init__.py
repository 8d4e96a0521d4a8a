"""A scripted language model over real HTTP: `with serve([Turn("hello")]) as endpoint: ... endpoint.url`."""

from tests.endpoint.server import ModelEndpoint, serve
from tests.endpoint.turns import Call, Fault, Recorded, Script, Turn, script_from_json

__all__ = ["Call", "Fault", "ModelEndpoint", "Recorded", "Script", "Turn", "script_from_json", "serve"]
