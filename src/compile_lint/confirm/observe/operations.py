"""Counts tensor operations: those of an eager call, and those of each graph that TorchDynamo captures."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
import torch._dynamo
import torch.fx
from torch.overrides import TorchFunctionMode

from compile_lint.confirm.observe.listener import Heard

_ATTRIBUTES = ("__get__", "__set__", "__delete__")
_WITHOUT_RESULT = {"backward", "equal", "allclose", "__setitem__", "__contains__"}
"""Operations on tensors that return none. To ask for metadata (`size`) or to read a value (`item`, `bool`) is none."""
_CALLS = ("call_function", "call_method", "call_module")


class CountOperations(TorchFunctionMode):  # type: ignore[misc,unused-ignore]
    """Counts the operations in its block as TorchDynamo would put them into a graph: one a call of the public API."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the operation and count it if it was one."""
        result = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        if name not in _ATTRIBUTES and (name in _WITHOUT_RESULT or _holds_tensor(result)):
            self.count += 1
        return result


def _holds_tensor(value: object) -> bool:
    if isinstance(value, torch.Tensor):
        return True
    return isinstance(value, (tuple, list)) and any(isinstance(each, torch.Tensor) for each in value)


@dataclass(frozen=True, slots=True)
class Graph:
    """One compiled graph. `nodes` are its call nodes; `operations` those among them that eager counts too."""

    nodes: int
    operations: int
    inputs: int
    symbolic: bool
    """Whether a size or a number among its inputs is left open."""


@dataclass(slots=True, eq=False)
class Capture:
    """A backend for torch.compile that notes each graph, and each time that it runs.

    `inner` compiles the graph; without it the graph runs as it is.
    """

    heard: Heard
    inner: Callable[..., Any] | None = None
    graphs: list[Graph] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(default_factory=list)
    """Call and number of the graph, each time that one ran."""

    def __call__(self, module: torch.fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
        """Compile one graph, as TorchDynamo asks its backend to."""
        number = len(self.graphs)
        self.graphs.append(describe(module))
        self.heard.compiled = len(self.graphs)
        compiled = module.forward if self.inner is None else self.inner(module, inputs, **options)

        def run(*arguments: Any) -> Any:
            self.runs.append((self.heard.call, number))
            return compiled(*arguments)

        return run

    def ran(self, call: int) -> list[Graph]:
        """The graphs that ran in that call, in order, one for each time."""
        return [self.graphs[number] for which, number in self.runs if which == call]


def describe(module: torch.fx.GraphModule) -> Graph:
    """Count what is in a captured graph."""
    nodes = [node for node in module.graph.nodes if node.op in _CALLS]
    inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
    nested = [each for each in module.modules() if isinstance(each, torch.fx.GraphModule) and each is not module]
    inner = sum(_is_operation(node) for each in nested for node in each.graph.nodes if node.op in _CALLS)
    return Graph(
        nodes=len(nodes),
        operations=sum(map(_is_operation, nodes)) + inner,
        inputs=len(inputs),
        symbolic=any(_is_open(node.meta.get("example_value")) or _is_number(node) for node in inputs),
    )


def _is_operation(node: torch.fx.Node) -> bool:
    """Not the unpacking of a tuple, arithmetic of sizes, or a change of grad mode."""
    if node.op == "call_function" and node.target is operator.getitem:
        source = node.args[0]
        return not isinstance(source, torch.fx.Node) or isinstance(source.meta.get("example_value"), torch.Tensor)
    if "example_value" in node.meta and _holds_tensor(node.meta["example_value"]):
        return True
    return bool(getattr(node.target, "__name__", node.target) == "setitem")


def _is_open(value: object) -> bool:
    """Whether a number, or a size of a tensor, is still open when the graph is done: tracing may have settled it."""
    if isinstance(value, torch.Tensor):
        return any(_is_open(size) for size in value.shape)
    if isinstance(value, (torch.SymInt, torch.SymFloat)):
        return not getattr(value.node.expr, "is_number", False)
    return False


def _is_number(node: torch.fx.Node) -> bool:
    """Whether the input is a float of the user's, which TorchDynamo hands over as a tensor."""
    source = node.meta.get("grapharg")
    return bool(getattr(source, "pass_arg_as_tensor", False))


@contextlib.contextmanager
def in_place_of_backends(capture: Capture) -> Iterator[None]:
    """In the block, whatever was compiled or will be, by whomever: its graphs go to this backend.

    torch.compile wraps each backend in one of two classes, which are asked only when a graph is to be compiled.
    """
    classes = [getattr(torch, name, None) for name in ("_TorchCompileInductorWrapper", "_TorchCompileWrapper")]
    with contextlib.ExitStack() as undo:
        for each in filter(None, classes):
            undo.callback(setattr, each, "__call__", each.__call__)
            each.__call__ = lambda _self, module, inputs, **_options: capture(module, inputs)
        yield


def named_backend(name: str, mode: str, dynamic: bool | None) -> Callable[..., Any] | None:
    """The backend of that name, None for the one that only captures. Raises LookupError for an unknown name.

    `mode` is one of inductor's; no other backend takes one.
    """
    if not name:
        return None
    if name == "inductor":
        wrapper: Any = torch._TorchCompileInductorWrapper
        # bound now: the class may be given another __call__ meanwhile
        return wrapper.__call__.__get__(wrapper(mode or "default", None, dynamic))  # type: ignore[no-any-return]
    try:
        found: Callable[..., Any] = torch._dynamo.lookup_backend(name)
    except Exception as error:
        known = ", ".join(sorted(torch._dynamo.list_backends()))
        raise LookupError(f"torch has no backend {name}; it has {known}") from error
    return found
