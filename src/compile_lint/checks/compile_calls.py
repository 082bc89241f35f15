"""How torch.compile is called: results dropped, calls without effect, compiled again for every request."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compile_lint.findings import Confidence, Finding
from compile_lint.project.entries import COMPILERS
from compile_lint.project.modules import ModuleInfo, all_nodes, own_nodes
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import Rule

_HOOKS = ("register_forward_hook", "register_forward_pre_hook")
_SERVING = frozenset(
    [
        "forward",
        "__call__",
        "predict",
        "generate",
        "infer",
        "inference",
        "serve",
        "handle",
        "step",
        "sample",
        "encode",
        "decode",
    ]
)


def compile_hazards(module: ModuleInfo, rules: Rulebook) -> list[Finding]:
    """The CL8xx findings of a file."""
    if "torch.compile" not in module.text and "import compile" not in module.text:
        return []
    found = []
    for event, node, function, sure in _events(module):
        rule = rules.for_event(event)
        if rule is None:
            continue
        found.append(
            Finding(
                code=rule.code,
                name=rule.name,
                kind=rule.kind,
                confidence=sure,
                path=module.path,
                line=node.lineno,
                column=node.col_offset + 1,
                end_line=node.end_lineno or node.lineno,
                end_column=(node.end_col_offset or node.col_offset) + 1,
                message=_message(rule, module, node, function),
                why=rule.why.strip(),
                instead=rule.instead.strip(),
                function=function,
                entry=function,
                graph_break_ids=rule.graph_break_ids,
            )
        )
    return found


def _message(rule: Rule, module: ModuleInfo, node: ast.expr, function: str) -> str:
    """The subject of a compile call is what it compiles."""
    inner = node.args[0] if isinstance(node, ast.Call) and node.args and _compiles(module, node) else node
    subject = f"`{module.source(inner)}`"
    return rule.message.replace("{subject}", subject).replace("{name}", f"`{function}`")


def _events(module: ModuleInfo) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    yield from _in_block(module, module.tree.body, "<module>", None)
    yield from _replaced(module, module.tree.body, "<module>")
    yield from _hooked_later(module, module.tree.body, "<module>")
    for node in all_nodes(module.tree):
        if isinstance(node, ast.Call) and module.dotted(node.func) in COMPILERS and _static(node):
            yield "static-shapes", node, "<module>", "likely"


def _in_block(
    module: ModuleInfo, body: list[ast.stmt], function: str, node: ast.FunctionDef | ast.AsyncFunctionDef | None
) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = statement.name if function == "<module>" else f"{function}.{statement.name}"
            yield from _in_block(module, statement.body, inner, statement)
            yield from _per_call(module, statement, inner)
        elif isinstance(statement, ast.ClassDef):
            inner = statement.name if function == "<module>" else f"{function}.{statement.name}"
            yield from _in_block(module, statement.body, inner, None)
        else:
            yield from _statement(module, statement, function)
            for part in ("body", "orelse", "finalbody"):
                yield from _in_block(module, getattr(statement, part, []), function, node)
            for handler in getattr(statement, "handlers", []):
                yield from _in_block(module, handler.body, function, node)


def _statement(module: ModuleInfo, node: ast.stmt, function: str) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    if isinstance(node, ast.Expr) and _compiles(module, node.value):
        yield "result-dropped", node.value, function, "certain"
    if isinstance(node, ast.Assign) and _compiles(module, node.value):
        call = node.value
        argument = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if isinstance(argument, ast.Name) and argument.id == "self":
            if any(isinstance(t, ast.Name) and t.id == "self" for t in node.targets):
                yield "self-compiled", call, function, "certain"


def _per_call(
    module: ModuleInfo, node: ast.FunctionDef | ast.AsyncFunctionDef, function: str
) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    """Compiled inside a function and called there: whoever calls it pays each time for a wrapper and guards."""
    held: dict[str, ast.Call] = {}
    used: set[str] = set()
    replaced: set[str] = set()
    # a call whose result nobody takes only warms up or tries out
    dropped = {id(n.value) for n in own_nodes(node) if isinstance(n, ast.Expr)}
    for child in own_nodes(node):
        if id(child) in dropped:
            continue
        if isinstance(child, ast.Assign) and _compiles(module, child.value) and isinstance(child.value, ast.Call):
            for target in child.targets:
                if isinstance(target, ast.Name) and _local_function(node, child.value):
                    held[target.id] = child.value
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
            used.add(child.func.id)
        if isinstance(child, ast.Call) and _compiles(module, child.func) and isinstance(child.func, ast.Call):
            if node.name in _SERVING or _local_function(node, child.func):
                yield "compiled-per-call", child.func, function, "likely"
    for name, call in held.items():
        if name in used and name not in replaced and (node.name in _SERVING or _takes_data(node)):
            yield "compiled-per-call", call, function, "likely"
    yield from _replaced(module, node.body, function)
    yield from _hooked_later(module, node.body, function)


def _local_function(node: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> bool:
    return bool(call.args)


def _takes_data(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function looks like one that is called for each request rather than once to set up."""
    return node.name not in ("main", "setup", "build", "load", "__init__", "run", "make") and any(
        isinstance(n, ast.Return) and n.value is not None and isinstance(n.value, ast.Call) for n in own_nodes(node)
    )


def _replaced(
    module: ModuleInfo, body: list[ast.stmt], function: str
) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    """`model = torch.compile(model)` and then `model = something(else)` in the same block: the compiled one is gone."""
    compiled: dict[str, ast.Call] = {}
    for statement in body:
        single = isinstance(statement, ast.Assign) and len(statement.targets) == 1
        value = getattr(statement, "value", None)
        if single and isinstance(value, ast.Call) and _compiles(module, value):
            compiled[ast.unparse(statement.targets[0])] = value  # type: ignore[attr-defined]
            continue
        if not compiled:
            continue
        used = {n.id for n in all_nodes(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        target = ast.unparse(statement.targets[0]) if single else ""  # type: ignore[attr-defined]
        if target in compiled and value is not None and target.partition(".")[0] not in used:
            compiled.pop(target)
            yield "compiled-then-replaced", value, function, "likely"
        for name in used:
            compiled.pop(name, None)


def _hooked_later(
    module: ModuleInfo, body: list[ast.stmt], function: str
) -> Iterator[tuple[str, ast.expr, str, Confidence]]:
    """A forward hook registered on a model whose compiled form has already run: it is never called."""
    compiled: dict[str, str] = {}
    ran: set[str] = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign) and isinstance(value, ast.Call) and _compiles(module, value):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    compiled[target.id] = ast.unparse(value.args[0])
            continue
        for node in all_nodes(statement):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id in compiled:
                ran.add(compiled[node.func.id])
            elif isinstance(node.func, ast.Attribute) and node.func.attr in _HOOKS:
                owner = ast.unparse(node.func.value)
                if any(owner == name or owner.startswith(f"{name}.") for name in ran):
                    yield "hook-after-compile", node, function, "likely"


def _static(node: ast.Call) -> bool:
    """`dynamic=False`: one compilation for every size, up to the recompile limit."""
    return any(
        k.arg == "dynamic" and isinstance(k.value, ast.Constant) and k.value.value is False for k in node.keywords
    )


def _compiles(module: ModuleInfo, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and module.dotted(node.func) in COMPILERS and bool(node.args)
