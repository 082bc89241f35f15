"""Calls of custom operators and native code out of a compile region."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from compile_lint.customops.declaring import of_module
from compile_lint.customops.elsewhere import COMPILED, perhaps_registered, unknown_imports
from compile_lint.customops.gradients import takes_gradients
from compile_lint.customops.signature import signature
from compile_lint.customops.verdict import Verdict, verdict
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
from compile_lint.project.entries import DISABLERS
from compile_lint.project.modules import FunctionNode, ModuleInfo, function_info, own_nodes

if TYPE_CHECKING:
    from compile_lint.customops.declared import Declared, Operator
    from compile_lint.customops.declaring import Declaring
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
_RUN_BY_ITSELF = frozenset(("op-no-meta", "op-returns-number", "op-composite-reads-data", "op-fake-reads-data"))
"""Events behind which Python runs the operator at once."""
_PACKET = frozenset(("overloads", "op", "default_overload", "schemas"))
"""Attributes of `torch.ops.ns.name` that are no overloads."""
_FOREIGN = ("numba.", "cupy.", "jax.", "warp.", "pycuda.")


class Operators:
    """The part of the engine that knows custom operators."""

    if TYPE_CHECKING:
        project: Project

        def call_function(
            self,
            frame: Frame,
            node: ast.AST,
            func: Func,
            args: list[Value],
            kwargs: dict[str, Value],
            open: bool = False,
        ) -> Value:
            """Call a function of the linted tree."""
            ...

        def declared(self, module: ModuleInfo) -> Declared:
            """The custom operators that a file declares."""
            ...

        def operator(self, module: ModuleInfo, name: str) -> Operator | None:
            """A custom operator as a file that calls it sees it."""
            ...

        def declaring(self) -> Declaring:
            """The files that declare custom operators."""
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
        chosen = self.operator(frame.module, f"{qualified}.{overload}") if overload else None
        operator = chosen or self.operator(frame.module, qualified)
        namespace = qualified.partition("::")[0]
        frame.operations()
        if operator is not None and (operator.schema or operator.custom):
            self._report(frame, node, operator, args)
        elif operator is None and namespace not in TORCHS_OWN:
            self._undeclared(frame, node, namespace, qualified)
        if operator is not None and operator.returns_nothing:
            return UNKNOWN
        return frame.tensor(node)

    def _report(self, frame: Frame, node: ast.AST, operator: Operator, args: Arguments) -> None:
        found = verdict(operator)
        if found is None and not self._overloaded(operator.name):
            found = _called(operator, args)
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
            if found.splits and found.event in _RUN_BY_ITSELF and not operator.custom:
                self._run_kernels(frame, node, operator, args)

    def _overloaded(self, name: str) -> bool:
        """Whether some file gives the operator overloads, of which torch chooses by the arguments."""
        parts = self.declaring().parts.values()
        return any(other.startswith(f"{name}.") for part in parts for other in part.operators)

    def _run_kernels(self, frame: Frame, node: ast.AST, operator: Operator, args: Arguments) -> None:
        """Behind the break the operator runs with real tensors: its Python kernel is compiled as a frame of its own."""
        for module in self.declaring().modules_of(self.project, operator.name):
            part = of_module(self.project, module).operators[operator.name]
            for key, kernel in part.kernels.items():
                if kernel is not None and _run_behind(key, kernel):
                    info = function_info(module, kernel, getattr(kernel, "name", "<lambda>"))
                    if not any(decorator in DISABLERS for decorator in info.decorators):
                        self.call_function(frame, node, Func(info), args.positional, args.keywords, args.open)

    def _untrained(self, frame: Frame, node: ast.AST, operator: Operator) -> None:
        """A custom_op with no autograd formula, on what a layer gives, in a project that trains."""
        if operator.autograd or operator.traced or not operator.custom or operator.returns_nothing:
            return
        if not isinstance(node, ast.Call) or frame.info is None or not takes_gradients(frame.info, node):
            return
        own = operator.name in self.declared(frame.module).operators
        sure = LIKELY if own or self.project.holding((".backward(",)) else POSSIBLE
        frame.emit("op-no-autograd", node, sure, subject=operator.name, callee=operator.name, splits=False)

    def _undeclared(self, frame: Frame, node: ast.AST, namespace: str, qualified: str) -> None:
        """An operator that this file does not declare, of an extension that it imports."""
        if namespace in frame.module.imports.values():
            frame.emit("op-no-meta", node, LIKELY, subject=qualified, callee=qualified, ids=("GB0090",))

    def operator_read(self, frame: Frame, node: ast.AST, dotted: str) -> None:
        """`torch.ops.ns.name`, or `torch.ops.ns.name.overload`, is read: what nothing defines raises here."""
        parts = dotted.split(".")[2:]
        if len(parts) not in (2, 3) or parts[0] in TORCHS_OWN or parts[1].startswith("__"):
            return
        module, qualified = frame.module, "::".join(parts[:2])
        declared = self.declared(module)
        if declared.loads_libraries or parts[0] in module.imports.values():
            return
        known = self.operator(module, qualified)
        if len(parts) == 3:
            missing = self._overload_missing(module, qualified, parts[2], known)
            qualified = f"{qualified}.{parts[2]}"
        else:
            missing = known is None and self._missing(module, parts[0], qualified, declared)
        if missing:
            sure = POSSIBLE if unknown_imports(self.project, module) else LIKELY
            frame.emit("op-undefined", node, sure, subject=qualified, callee=qualified, ids=("GB0088",), skip=True)

    def _overload_missing(self, module: ModuleInfo, name: str, overload: str, known: Operator | None) -> bool:
        """Whether an operator that the linted files define has no such overload, and nothing else can add one."""
        if overload in _PACKET or perhaps_registered(self.project, module, name.partition("::")[0]):
            return False
        if overload == "default":
            others = any(other.startswith(f"{name}.") for other in self.declared(module).operators)
            return known is None and others
        return known is not None and known.defined and self.operator(module, f"{name}.{overload}") is None

    def _missing(self, module: ModuleInfo, namespace: str, qualified: str, declared: Declared) -> bool:
        """Whether no linted file, nor an extension that this one may load, can have declared the operator."""
        if re.search(rf"hasattr\(\s*torch\.ops(\.{re.escape(namespace)}\b|\s*,)", module.text):
            return False  # it is only called where it is there
        if perhaps_registered(self.project, module, namespace):
            return False
        mentions = self._mentions(namespace)
        if not mentions:
            return True
        here = [name for name, one in declared.operators.items() if one.defined and name.startswith(namespace + "::")]
        if mentions != {module.path} or not here or declared.nameless:
            return False
        return not any(name.partition(".")[0] == qualified for name in here)

    def _mentions(self, namespace: str) -> set[str]:
        """The paths of linted files that declare or register something in the namespace."""
        pattern = re.compile(rf"""["']{re.escape(namespace)}(::|["']\s*[,)])""")
        return {source.path for source in self.project.holding(("ibrary",)) if pattern.search(source.text)}

    def native_call(self, frame: Frame, node: ast.AST, name: str, args: Arguments) -> bool:
        """Emit for a call of compiled code that Dynamo cannot look into; True if it was one."""
        if name in self.declared(frame.module).allowed:
            return True
        if COMPILED.search(name.rpartition(".")[0]) and not name.startswith(("torch.", "numpy.", "builtins.")):
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


def _called(operator: Operator, args: Arguments) -> Verdict | None:
    """A call that leaves out what the schema needs, or gives more than it takes: torch raises."""
    takes = signature(operator)
    if takes is None or args.open:
        return None
    placed = [one.name for one in takes.parameters if not one.kwarg_only]
    given = {*placed[: len(args.positional)], *args.keywords}
    if len(args.positional) > len(placed) or any(one.name not in given for one in takes.parameters if not one.default):
        return Verdict("op-call-misfit", splits=False)
    return None


def _run_behind(key: str, kernel: FunctionNode) -> bool:
    """Whether a kernel runs behind a break: with CompositeExplicitAutograd only one that asks for `.item()` does."""
    if key == "CompositeExplicitAutograd":
        return any(isinstance(node, ast.Attribute) and node.attr == "item" for node in own_nodes(kernel))
    return key in ("CPU", "CompositeImplicitAutograd")
