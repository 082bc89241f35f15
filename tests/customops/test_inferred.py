"""The schema of a function, held against what torch itself infers."""

import textwrap

import pytest

from compile_lint.customops.declared import declared_in
from compile_lint.customops.inferred import NoSchemaError, inferred_schema
from compile_lint.findings import Source
from compile_lint.project.project import Project

HEAD = """
import collections.abc
import typing
from typing import List, Optional, Sequence, Tuple, Union
import torch
from torch import Tensor
"""
FUNCTIONS = [
    "def f(x: torch.Tensor) -> torch.Tensor: ...",
    "def f(x: Tensor, k: int, s: float, flag: bool, name: str) -> None: ...",
    "def f(x: Optional[Tensor], y: Tensor | None, z: Union[Tensor, None] = None) -> Tensor: ...",
    "def f(xs: List[Tensor], ys: Sequence[Tensor], zs: list[Tensor]) -> List[Tensor]: ...",
    "def f(xs: collections.abc.Sequence[int], ys: Optional[List[int]] = None) -> list[Tensor]: ...",
    "def f(xs: List[Optional[Tensor]]) -> Tuple[Tensor, Tensor]: ...",
    "def f(x: Tensor, k: Union[int, float, bool]) -> tuple[Tensor, int]: ...",
    "def f(x: Tensor, d: torch.dtype = torch.float32, w: Optional[torch.device] = None) -> Tensor: ...",
    "def f(x: Tensor, *, k: int = 3, e: float = -1.5, t: bool = True, m: str = 'sum') -> Tensor: ...",
    "def f(x: 'Tensor', k: 'Optional[int]' = None) -> 'Tensor': ...",
    "def f(x: Tensor) -> int: ...",
    "def f(x: Tensor) -> Tuple[Tensor]: ...",
    "def f(x: Tensor, k: torch.types.Number = 1, e: float = 1e-6) -> Tensor: ...",
    "def f(xs: Optional[Sequence[float]], flags: list[bool]) -> float: ...",
]
REFUSED = [
    "def f(x) -> Tensor: ...",
    "def f(x: Tensor): ...",
    "def f(x: Tuple[int, int]) -> Tensor: ...",
    "def f(x: Tensor, *rest: int) -> Tensor: ...",
    "def f(x: Tensor) -> Optional[Tensor]: ...",
    "def f(x: Optional[List[Tensor]]) -> Tensor: ...",
    "def f(x: dict) -> Tensor: ...",
    "def f(x: Tensor, /) -> Tensor: ...",
    "def f(x: Tensor) -> str: ...",
]


def ours(function, mutates):
    code = f"{HEAD}@torch.library.custom_op('ns::f', mutates_args={mutates!r})\n{function}\n"
    module = Project([Source("m.py", code)]).load("m.py")
    return inferred_schema(module, declared_in(module).operators["ns::f"])


def theirs(function, mutates):
    from torch.library import infer_schema

    names = {}
    exec(HEAD + function, names)
    return infer_schema(names["f"], op_name="ns::f", mutates_args=mutates)


@pytest.mark.torch
@pytest.mark.parametrize("mutates", [(), "unknown"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_torch_infers_it(function, mutates):
    assert ours(function, mutates) == theirs(function, mutates)


@pytest.mark.torch
def test_mutated_arguments():
    function = "def f(x: Tensor, ys: List[Tensor], k: int) -> None: ..."
    for mutates in (("x",), ("ys",), ("x", "ys")):
        assert ours(function, mutates) == theirs(function, mutates)


@pytest.mark.torch
@pytest.mark.parametrize("function", REFUSED)
def test_what_torch_refuses(function):
    with pytest.raises(ValueError):
        theirs(function, ())
    with pytest.raises(NoSchemaError):
        ours(function, ())


@pytest.mark.parametrize(
    ("function", "mutates", "words"),
    [
        ("def f(x, y: int) -> None: ...", (), "argument `x` has no annotation"),
        ("def f(y: int) -> None: ...", ("y",), "`mutates_args` names `y`, which is no tensor"),
        ("def f(y: Tensor) -> None: ...", ("z",), "`mutates_args` names 'z', which is no argument of `f`"),
    ],
)
def test_words(function, mutates, words):
    with pytest.raises(NoSchemaError) as raised:
        ours(function, mutates)
    assert str(raised.value) == words


def test_a_type_of_another_file_is_not_known():
    code = textwrap.dedent(
        """
        import torch
        from ours import Handle
        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: Handle) -> None: ...
        """
    )
    module = Project([Source("m.py", code)]).load("m.py")
    with pytest.raises(LookupError):
        inferred_schema(module, declared_in(module).operators["ns::f"])
