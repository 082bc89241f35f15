"""Kernels that a project registers by decorators of its own, and by keys that a loop gives."""

import textwrap

import pytest

from compile_lint.customops.declared import declared_in
from compile_lint.findings import Source
from compile_lint.project.project import Project

HEAD = """
import functools
import torch
from torch.library import Library
lib = Library("ns", "FRAGMENT")
lib.define("f(Tensor x) -> Tensor")
def k(x): return x
@functools.lru_cache(None)
def meta_lib():
    return torch.library.Library("ns", "IMPL", "Meta")
"""


def read(code):
    return declared_in(Project([Source("m.py", HEAD + textwrap.dedent(code))]).load("m.py")).operators["ns::f"]


WRAPPERS = {
    "library-and-overload": """
        def register_meta(op, overload="default"):
            def wrapper(fn):
                if torch.cuda.is_available():
                    meta_lib().impl(getattr(getattr(torch.ops.ns, op), overload), fn)
                return fn
            return wrapper
        @register_meta("f")
        def meta_f(x): return torch.empty_like(x)
        """,
    "name-in-a-text": """
        def fake(op):
            def wrapper(fn):
                return torch.library.register_fake(f"ns::{op}")(fn)
            return wrapper
        @fake("f")
        def fake_f(x): return torch.empty_like(x)
        """,
    "name-added-and-key-by-keyword": """
        def impl(key, *, op):
            def wrapper(fn):
                torch.library.impl(lib, op, key)(fn)
                return fn
            return wrapper
        @impl("Meta", op="f")
        def meta_f(x): return torch.empty_like(x)
        """,
    "name-by-plus": """
        def fake(op):
            def wrapper(fn):
                torch.library.register_fake("ns::" + op, fn)
                return fn
            return wrapper
        @fake("f")
        def fake_f(x): return torch.empty_like(x)
        """,
}


@pytest.mark.parametrize("code", WRAPPERS.values(), ids=WRAPPERS)
def test_a_decorator_of_the_project(code):
    (fake,) = read(code).fakes
    assert fake is not None
    assert fake.name in ("meta_f", "fake_f")


def test_keys_of_a_loop():
    operator = read('for key in ("AutocastCPU", "AutocastCUDA"):\n    lib.impl("f", k, key)')
    assert list(operator.kernels) == ["AutocastCPU", "AutocastCUDA"]


def test_a_key_that_is_made_at_run_time_is_none_that_is_known():
    assert read('import sys\nlib.impl("f", k, sys.argv[1])').kernels == {}


def test_decorators_that_register_nothing():
    assert read("def d(op):\n    def w(fn):\n        return fn\n    return w\n@d('f')\ndef g(x): return x").fakes == []
