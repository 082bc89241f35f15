"""Whether an operator is handed a tensor that needs gradients, as far as the function that calls it tells."""

from __future__ import annotations

import ast

from compile_lint.project.modules import FunctionInfo, ModuleInfo, own_nodes

_MAKERS = ("Linear", "Bilinear", "Conv", "Embedding", "LayerNorm", "BatchNorm", "GroupNorm", "RMSNorm", "Parameter")
_STOPPING = frozenset(("detach", "argmax", "argmin", "item", "tolist", "size", "numpy"))
_OFF = ("no_grad", "inference_mode", "requires_grad", ".eval()", "is_grad_enabled")
"""A file that speaks of one of these may well switch gradients off."""
_DEPTH = 8


def takes_gradients(function: FunctionInfo, call: ast.Call) -> bool:
    """Whether an argument is computed, in this function, from a parameter or a layer that has some."""
    if any(word in function.module.text for word in _OFF):
        return False
    found = _Parameters(function)
    return any(found.reach(argument) for argument in (*call.args, *(keyword.value for keyword in call.keywords)))


class _Parameters:
    def __init__(self, function: FunctionInfo) -> None:
        module, init = function.module, function.owner.methods.get("__init__") if function.owner is not None else None
        self._own = {
            target.attr
            for node in (own_nodes(init.node) if init is not None else ())
            if isinstance(node, ast.Assign) and _makes_parameters(module, node.value)
            for target in node.targets
            if isinstance(target, ast.Attribute)
        }
        self._global = {
            name for name, values in module.assigns.items() if len(values) == 1 and _makes_parameters(module, values[0])
        }
        self._locals: dict[str, list[ast.expr]] = {}
        for node in own_nodes(function.node):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._locals.setdefault(target.id, []).append(node.value)

    def reach(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether a parameter flows into the value. What only reads a shape, compares or detaches lets nothing flow."""
        if isinstance(node, ast.Name):
            values = self._locals.get(node.id, [])
            if len(values) != 1:
                return not values and node.id in self._global
            return depth < _DEPTH and self.reach(values[0], depth + 1)
        if isinstance(node, ast.Attribute):
            return node.attr in self._own and isinstance(node.value, ast.Name) and node.value.id == "self"
        if isinstance(node, ast.BinOp):
            return self.reach(node.left, depth) or self.reach(node.right, depth)
        if not isinstance(node, ast.Call):
            return False
        function = node.func
        if isinstance(function, ast.Name):
            return function.id in self._global and function.id not in self._locals
        if not isinstance(function, ast.Attribute) or function.attr in _STOPPING:
            return False
        if self.reach(function, depth) or self._flows(function, depth):
            return True
        return isinstance(function.value, ast.Name) and function.value.id in ("torch", "F") and self._any(node, depth)

    def _flows(self, function: ast.Attribute, depth: int) -> bool:
        """A method of a tensor: `self.layer(x).relu()`."""
        return not isinstance(function.value, ast.Name) and self.reach(function.value, depth)

    def _any(self, node: ast.Call, depth: int) -> bool:
        return any(self.reach(argument, depth) for argument in node.args)


def _makes_parameters(module: ModuleInfo, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    dotted = module.dotted(node.func)
    return dotted.startswith("torch.nn.") and dotted.rpartition(".")[2].startswith(_MAKERS)
