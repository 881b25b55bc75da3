"""Counts tokens as GPT models do (o200k); the tokenizer comes with its tables, so nothing is fetched when it runs."""

import importlib
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from tests.bench.installing import installed_by_pip
from tests.fakes.strict_blocks import Block

PACKAGE = "bpe-openai==0.1.4"
PICTURE_TOKENS = 1_500

CountText = Callable[[str], int]


def o200k(cache: Path) -> CountText:
    """The tokens of a text. Raises NotInstalled."""
    folder = str(installed_by_pip(cache, "tokenizer", (PACKAGE,), target_only=True))
    if folder not in sys.path:
        sys.path.append(folder)
    encoding = importlib.import_module("bpe_openai").get_encoding("o200k_base")
    return lru_cache(maxsize=200_000)(lambda text: len(encoding.encode_ordinary(text)))


def counter_of(count: CountText) -> Callable[[Block], int]:
    """The same for the blocks that are billed: what a model reads of each, and one more for its border."""
    return lambda block: PICTURE_TOKENS if block.kind == "picture" else count(block.words) + 1
