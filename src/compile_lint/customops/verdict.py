"""What calling a custom operator does under torch.compile, from what its file declares of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from compile_lint.customops.declared import COMPOSITE, Operator
from compile_lint.project.modules import FunctionNode, own_nodes


@dataclass(frozen=True, slots=True)
class Verdict:
    """The event that a call causes."""

    event: str
    ids: tuple[str, ...] = ()
    needs: str = ""
    splits: bool = True


_MEMORY = frozenset(("numpy", "data_ptr", "untyped_storage", "storage", "__array__", "ctypes"))
_DATA = frozenset(("item", "tolist", "any", "all", "nonzero", "is_nonzero", "sum", "max", "min", "mean"))
_INPLACE_EXEMPT = frozenset(("requires_grad_", "retain_grad_", "share_memory_"))


def verdict(operator: Operator) -> Verdict | None:
    """The event of a call; None where nothing speaks against it."""
    if operator.returns_number and operator.custom:
        return Verdict("op-returns-number", ("GB0208",))
    composite = [operator.kernels[key] for key in operator.kernels if key in COMPOSITE]
    if composite:
        touches = any(kernel is not None and touches_memory(kernel) for kernel in composite)
        return Verdict("op-composite-touches-memory", ("GB4315",)) if touches and not operator.fakes else None
    if not operator.fakes:
        return _without_fake(operator)
    for fake in operator.fakes:
        found = _of_fake(fake) if fake is not None else None
        if found is not None:
            return found
    return _silent(operator)


def _without_fake(operator: Operator) -> Verdict | None:
    if operator.returns_nothing:
        return None
    if operator.custom:
        return Verdict("op-no-fake", ("GB4315",)) if operator.returns else None
    return Verdict("op-no-meta", ("GB0090",)) if operator.schema else None


def _of_fake(fake: FunctionNode) -> Verdict | None:
    if touches_memory(fake):
        return Verdict("op-fake-touches-memory", ("GB4315",))
    if any(isinstance(n, ast.Attribute) and n.attr == "new_dynamic_size" for n in own_nodes(fake)):
        return Verdict("op-dynamic-size", ("GB0036",), "capture_dynamic_output_shape_ops")
    if _reads_data(fake):
        return Verdict("op-fake-reads-data", ("GB0033",))
    return None


def touches_memory(node: FunctionNode) -> bool:
    """Whether a kernel reads the memory of its tensors, which fake tensors do not have."""
    return any(isinstance(n, ast.Attribute) and n.attr in _MEMORY for n in own_nodes(node))


def _reads_data(node: FunctionNode) -> bool:
    for child in own_nodes(node):
        if isinstance(child, ast.Attribute) and child.attr in ("item", "tolist", "nonzero"):
            return True
        if isinstance(child, (ast.If, ast.While, ast.IfExp)) and _tests_data(child.test):
            return True
    return False


def _tests_data(test: ast.expr) -> bool:
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _DATA for n in ast.walk(test)
    )


def _silent(operator: Operator) -> Verdict | None:
    """Mistakes that break nothing and give wrong results."""
    if operator.custom and operator.mutates == () and operator.function is not None and _mutates(operator.function):
        return Verdict("op-undeclared-mutation", splits=False)
    fake = next((f for f in operator.fakes if f is not None), None)
    if operator.custom and operator.function is not None and fake is not None and _other_dtype(operator.function, fake):
        return Verdict("op-fake-differs", splits=False)
    return None


def _mutates(node: FunctionNode) -> bool:
    """Whether a kernel changes an argument in place: `x.mul_(2)`, `x[...] = y`, `x += 1`."""
    names = {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    rebound = {
        n.id for n in own_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in names
    }
    names -= rebound
    for child in own_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            method = child.func.attr
            if method.endswith("_") and not method.endswith("__") and method not in _INPLACE_EXEMPT:
                if isinstance(child.func.value, ast.Name) and child.func.value.id in names:
                    return True
        if isinstance(child, ast.Subscript) and isinstance(child.ctx, ast.Store):
            if isinstance(child.value, ast.Name) and child.value.id in names:
                return True
    return False


def _other_dtype(kernel: FunctionNode, fake: FunctionNode) -> bool:
    """A kernel that returns `x.to(another dtype)` and a fake that returns `empty_like` without one."""
    returned = [n.value for n in own_nodes(kernel) if isinstance(n, ast.Return) and n.value is not None]
    promised = [n.value for n in own_nodes(fake) if isinstance(n, ast.Return) and n.value is not None]
    if not returned or not promised:
        return False
    return all(_asks_dtype(r) for r in returned) and all(_plain_like(p) for p in promised)


def _asks_dtype(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr in ("double", "float", "half", "int", "long", "bool", "bfloat16"):
        return not node.args
    return node.func.attr == "to" and any(
        isinstance(a, ast.Attribute) and isinstance(a.value, ast.Name) and a.value.id == "torch" for a in node.args
    )


def _plain_like(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("empty_like", "zeros_like", "ones_like")
        and not any(k.arg == "dtype" for k in node.keywords)
    )
