"""Calls of custom operators and native code out of a compile region."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from compile_lint.customops.gradients import takes_gradients
from compile_lint.customops.verdict import verdict
from compile_lint.inference.values import (
    CERTAIN,
    LIKELY,
    POSSIBLE,
    UNKNOWN,
    External,
    Func,
    Method,
    Tensor,
    Value,
)
from compile_lint.project.modules import ModuleInfo

if TYPE_CHECKING:
    from compile_lint.customops.declared import Declared, Operator
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.frame import Frame
    from compile_lint.project.project import Project

TORCHS_OWN = frozenset(
    [
        "aten",
        "prim",
        "prims",
        "quantized",
        "quantized_decomposed",
        "mkldnn",
        "c10d",
        "_c10d_functional",
        "profiler",
        "inductor",
        "higher_order",
        "debugprims",
        "rngprims",
        "symm_mem",
        "sparse",
        "fsdp",
        "streams",
        "_inductor_test",
        "torchvision",
        "torchaudio",
    ]
)
"""Operator namespaces that torch and its own domain libraries register with fake kernels."""
_COMPILED = re.compile(r"(^|\.)(_C|_[A-Za-z0-9]*C|[A-Za-z0-9_]+_(cuda|ext|cpp|cuda_ext|kernels|cext))(\.|$)")
"""Names that projects give to their compiled extension modules."""
_FOREIGN = ("numba.", "cupy.", "jax.", "warp.", "pycuda.")


class Operators:
    """The part of the engine that knows custom operators."""

    if TYPE_CHECKING:
        project: Project

        def declared(self, module: ModuleInfo) -> Declared:
            """The custom operators that a file declares."""
            ...

        def operator(self, module: ModuleInfo, name: str) -> Operator | None:
            """A custom operator as a file that calls it sees it."""
            ...

    def operator_decorator(self, frame: Frame, node: ast.expr, dotted: str, value: Value) -> Value | None:
        """The value of a function that a decorator turns into an operator, or into foreign code."""
        if dotted in ("torch.library.custom_op", "torch.library.triton_op"):
            name = value.info.name if isinstance(value, Func) else ""
            if frame.info is not None and not frame.muted and isinstance(value, Func):
                frame.emit("op-defined-inside", node, subject=node, ids=("GB0007",))
                return External("operator inside:" + self.declared(frame.module).functions.get(name, ""))
            return External("operator:" + self.declared(frame.module).functions.get(name, ""))
        if dotted.startswith(("numba.", "cupy.", "jax.jit", "warp.")):
            return External("foreign")
        if dotted in ("triton.jit", "triton.autotune", "triton.heuristics"):
            return External("triton")
        if dotted.startswith("torch.library."):
            return value
        return None

    def call_operator(self, frame: Frame, node: ast.AST, qualified: str, args: Arguments, overload: str = "") -> Value:
        """Call an operator by its qualified name `ns::name`; `overload` is empty where torch chooses one."""
        frame.calls(f"{qualified}.{overload}" if overload else qualified, node)
        declared = self.declared(frame.module)
        operator = self.operator(frame.module, qualified)
        if operator is None and overload:
            operator = self.operator(frame.module, f"{qualified}.{overload}")
        namespace = qualified.partition("::")[0]
        frame.operations()
        if operator is not None and (operator.schema or operator.custom):
            self._report(frame, node, operator)
        elif operator is None and namespace not in TORCHS_OWN:
            self._undeclared(frame, node, namespace, qualified, declared)
        if operator is not None and operator.returns_nothing:
            return UNKNOWN
        return frame.tensor(node)

    def _report(self, frame: Frame, node: ast.AST, operator: Operator) -> None:
        found = verdict(operator)
        if found is None:
            self._untrained(frame, node, operator)
        else:
            frame.emit(
                found.event,
                node,
                LIKELY if found.likely else CERTAIN,
                subject=operator.name,
                callee=operator.name,
                ids=found.ids,
                needs=found.needs,
                splits=found.splits,
            )

    def _untrained(self, frame: Frame, node: ast.AST, operator: Operator) -> None:
        """A custom_op with no autograd formula, on what a layer gives, in a project that trains."""
        if operator.autograd or operator.traced or not operator.custom or operator.returns_nothing:
            return
        if not isinstance(node, ast.Call) or frame.info is None or not takes_gradients(frame.info, node):
            return
        sure = LIKELY if self.project.holding((".backward(",)) else POSSIBLE
        frame.emit("op-no-autograd", node, sure, subject=operator.name, callee=operator.name, splits=False)

    def _undeclared(self, frame: Frame, node: ast.AST, namespace: str, qualified: str, declared: Declared) -> None:
        """An operator that this file does not declare: of an imported extension, of another file, or of nothing."""
        if namespace in frame.module.imports.values():
            frame.emit("op-no-meta", node, LIKELY, subject=qualified, callee=qualified, ids=("GB0090",))
        elif not declared.loads_libraries and self._missing(frame.module, namespace, qualified, declared):
            frame.emit("op-undefined", node, LIKELY, subject=qualified, callee=qualified, ids=("GB0088",), skip=True)

    def _missing(self, module: ModuleInfo, namespace: str, qualified: str, declared: Declared) -> bool:
        """Whether no linted file, nor an extension that this one may load, can have declared the operator."""
        if re.search(rf"hasattr\(\s*torch\.ops(\.{re.escape(namespace)}\b|\s*,)", module.text):
            return False  # it is only called where it is there
        mentions = self._mentions(namespace)
        if not mentions:
            return True
        here = [name for name, one in declared.operators.items() if one.defined and name.startswith(namespace + "::")]
        if mentions != {module.path} or not here or declared.nameless:
            return False
        native = any(_COMPILED.search(name) for name in module.imports.values()) or "cpp_extension" in module.text
        return not native and not any(name.partition(".")[0] == qualified for name in here)

    def _mentions(self, namespace: str) -> set[str]:
        """The paths of linted files that declare or register something in the namespace."""
        pattern = re.compile(rf"""["']{re.escape(namespace)}(::|["']\s*[,)])""")
        return {source.path for source in self.project.holding(("ibrary",)) if pattern.search(source.text)}

    def native_call(self, frame: Frame, node: ast.AST, name: str, args: Arguments) -> bool:
        """Emit for a call of compiled code that Dynamo cannot look into; True if it was one."""
        if name in self.declared(frame.module).allowed:
            return True
        if _COMPILED.search(name) and not name.startswith(("torch.", "numpy.", "builtins.")):
            sure = LIKELY if any(isinstance(a, Tensor) for a in args.all()) else POSSIBLE
            frame.emit("native-call", node, sure, subject=node, callee=name, ids=("GB0007",))
            frame.calls(name, node, "native-call")
            return True
        if name.startswith(_FOREIGN):
            frame.emit("foreign-jit", node, LIKELY, subject=node, callee=name, ids=("GB0007",))
            frame.calls(name, node, "foreign-jit")
            return True
        return False

    def native_method(self, frame: Frame, node: ast.AST, receiver: Method, args: Arguments) -> Value:
        """Call a function of a native library object."""
        frame.emit("native-call", node, LIKELY, subject=node, callee=receiver.name, ids=("GB0007",))
        return UNKNOWN
