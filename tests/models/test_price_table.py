"""The price table is loaded by the first look at it, and not before."""

import subprocess
import sys

_SCRIPT = """
import sys
import anyio
from mewcode.models.client import HttpSource
from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import load_price_table

async def main():
    source = HttpSource(Endpoint("openai", "gpt-4.1", "openai", base_url="https://api.openai.com/v1", vendor="openai"))
    await source._opened()
    print("genai_prices.data" in sys.modules, source.context_window)
    await load_price_table()
    print("genai_prices.data" in sys.modules, source.context_window)

anyio.run(main)
"""


def test_a_model_is_made_without_the_table_and_finds_its_window_in_it() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert before == "False 128000"
    loaded, window = after.split()
    assert loaded == "True" and int(window) >= 1_000_000
