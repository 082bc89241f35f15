"""The pytest plug-in: a fixture that is `compile_lint.assert_compiles`. Nothing more is imported before it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from compile_lint.confirm.join.model import Confirmation


@pytest.fixture(scope="session")
def assert_compiles() -> Callable[..., Confirmation]:
    """Assert that a function or a module compiles: `assert_compiles(fn, *args, max_breaks=0, within="mypkg")`.

    It is `compile_lint.assert_compiles`; a test that asks for it is skipped where torch is not installed.
    """
    pytest.importorskip("torch")
    from compile_lint.confirm.api import assert_compiles

    return assert_compiles
