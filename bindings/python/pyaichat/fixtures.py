"""Fixtures for pytest: `pytest_plugins = ["pyaichat.fixtures"]` in a `conftest.py`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .testing import GeminiEmulator, ScriptedModel


@pytest.fixture
def scripted_model() -> Iterator[ScriptedModel]:
    """A model without entries: add them with `scripted_model.add(...)`. The test fails if some of them were not used."""
    model = ScriptedModel()
    yield model
    assert model.left == 0, f"{model.left} entries of the script were not used"


@pytest.fixture
def gemini_emulator() -> Iterator[GeminiEmulator]:
    """An emulator of Gemini's service without replies: add them with `gemini_emulator.add(...)`."""
    with GeminiEmulator() as emulator:
        yield emulator
