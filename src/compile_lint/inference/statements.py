"""Walking a function's body: what each statement binds, where paths part and meet, and what gives up the frame."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compile_lint.inference import attributes, contexts, iteration, subscripts
from compile_lint.inference.expressions import binary, closure_of, evaluate
from compile_lint.inference.frame import Frame
from compile_lint.inference.narrowing import narrow_through
from compile_lint.inference.once import runs_once
from compile_lint.inference.truth import seldom, test
from compile_lint.inference.values import (
    CERTAIN,
    INT,
    LIKELY,
    NONE,
    POSSIBLE,
    UNKNOWN,
    Class,
    Const,
    Func,
    Instance,
    Py,
    Seq,
    Sym,
    Tensor,
    Tracing,
    Unknown,
    Value,
    join,
    python_type,
)
from compile_lint.project.modules import add_import, class_info, function_info, own_nodes

Env = dict[str, Value]


def run_block(frame: Frame, body: list[ast.stmt]) -> bool:
    """Walk statements in order; True where the path ends (return, raise, break, continue)."""
    for statement in body:
        handler = _RUN.get(type(statement))
        if handler is not None and handler(frame, statement):
            return True
    return False


def _guarded_block(frame: Frame, body: list[ast.stmt]) -> bool:
    """A branch; one that ends in `raise` is an error path, which nobody pays for in a served model."""
    raises = bool(body) and isinstance(body[-1], ast.Raise)
    with frame.inside(reach=POSSIBLE if raises else CERTAIN, branch=True):
        return run_block(frame, body)


def _expression(frame: Frame, node: ast.Expr) -> bool:
    if not isinstance(node.value, ast.Constant):
        evaluate(frame, node.value)
    return False


def _assign(frame: Frame, node: ast.Assign) -> bool:
    value = evaluate(frame, node.value)
    for target in node.targets:
        if isinstance(target, ast.Attribute) and isinstance(node.value, ast.BinOp):
            _counted(frame, target, node.value)
        iteration.bind(frame, target, value)
    return False


def _counted(frame: Frame, target: ast.Attribute, value: ast.BinOp) -> None:
    """`self.n = self.n + 1` counts as `self.n += 1` does."""
    for side in (value.left, value.right):
        if (
            isinstance(side, ast.Attribute)
            and ast.dump(side.value) == ast.dump(target.value)
            and side.attr == target.attr
        ):
            base = evaluate(frame, target.value)
            frame.engine.attribute_counted(frame, target, base, attributes.read(frame, side, base))


def _annotated_assign(frame: Frame, node: ast.AnnAssign) -> bool:
    if node.value is not None:
        value = evaluate(frame, node.value)
        if isinstance(value, Unknown):
            value = frame.engine.annotated(node.annotation, frame.module) or value
        iteration.bind(frame, node.target, value)
    return False


def _augmented(frame: Frame, node: ast.AugAssign) -> bool:
    target = node.target
    if isinstance(target, ast.Subscript):
        base = evaluate(frame, target.value)
        old = subscripts.load_for_update(frame, target, base)
        binary(frame, node, node.op, old, evaluate(frame, node.value))
        return False
    if isinstance(target, ast.Attribute):
        base = evaluate(frame, target.value)
        old = attributes.read(frame, target, base)
        new = binary(frame, node, node.op, old, evaluate(frame, node.value))
        frame.engine.attribute_counted(frame, target, base, old)
        attributes.store(frame, target, base, new)
        return False
    old = evaluate(frame, ast.copy_location(ast.Name(target.id, ast.Load()), target))
    new = binary(frame, node, node.op, old, evaluate(frame, node.value))
    if target.id in frame.globals:
        frame.engine.global_assigned(frame, node, new, counted=True)
    frame.env[target.id] = new
    return False


def _return(frame: Frame, node: ast.Return) -> bool:
    frame.results.append(evaluate(frame, node.value) if node.value is not None else NONE)
    return True


def _raise(frame: Frame, node: ast.Raise) -> bool:
    if node.exc is not None:
        frame.engine.exception_raised(frame, node)
        with frame.inside(reach=POSSIBLE):
            evaluate(frame, node.exc)
    return True


def _if(frame: Frame, node: ast.If) -> bool:
    known, asked = test(frame, node.test, "branch")
    if known is not None:
        body = node.body if known else node.orelse
        narrow_through(frame, node.test, known)
        return run_block(frame, body)
    before = frame.env
    frame.env = dict(before)
    narrow_through(frame, node.test, True)
    with frame.inside(once=runs_once(frame, node)):
        ended = _guarded_block(frame, node.body)
    first = frame.env
    frame.env = before
    narrow_through(frame, node.test, False)
    ended_else = _guarded_block(frame, node.orelse)
    if ended and ended_else:
        return True
    if ended and isinstance(asked, Tracing):
        frame.reach = POSSIBLE  # `if is_compiling() and ...: return`: what follows is meant for eager
    if ended_else:
        frame.env = first
    elif not ended:
        frame.env = merge(first, frame.env, _seldom(node.test))
    return False


def _seldom(test: ast.expr) -> bool:
    operands = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(seldom(operand) for operand in operands)


def merge(a: Env, b: Env, weak: bool = False) -> Env:
    """The variables where two paths meet. A name bound on one path only keeps that value.

    `weak`: the first path seldom runs; a tensor that only it brings is no more than possible.
    """
    result = dict(b)
    for name, value in a.items():
        other = b.get(name)
        if other is None:
            result[name] = value
        elif other is not value:
            if weak and isinstance(value, Tensor) and not isinstance(other, Tensor):
                value = value.replaced(sure=POSSIBLE)
            result[name] = join(value, other)
    return result


def _for(frame: Frame, node: ast.For | ast.AsyncFor) -> bool:
    source = evaluate(frame, node.iter)
    element = iteration.element(frame, node.iter, source)

    def once() -> None:
        iteration.bind(frame, node.target, element)
        run_block(frame, node.body)

    _loop(frame, node, once, iteration.length(source))
    if node.orelse:
        run_block(frame, node.orelse)
    return False


def _while(frame: Frame, node: ast.While) -> bool:
    def once() -> None:
        known, _ = test(frame, node.test, "while")
        if known is False:
            return
        narrow_through(frame, node.test, True)
        run_block(frame, node.body)

    _loop(frame, node, once, iteration.UNKNOWN_LENGTH, resumes=True)
    if node.orelse:
        run_block(frame, node.orelse)
    return False


def _loop(frame: Frame, node: ast.stmt, once: Callable[[], None], times: int, resumes: bool = False) -> None:
    """Walk a loop's body: twice in the outermost loop, so that what one round assigns is seen by the next.

    Inner loops are walked once a round, so that no statement is walked more than twice however deep it is nested.
    """
    _widen(frame, node)
    before = dict(frame.env)
    if frame.loop == 0:
        frame.muted += 1
        with frame.inside(loop=1, skip=1):
            once()
        frame.muted -= 1
        frame.env = merge(before, frame.env)
    with frame.inside(loop=1, skip=1, times=times):
        once()
    frame.env = merge(before, frame.env)


def _widen(frame: Frame, node: ast.stmt) -> None:
    """A constant that the loop assigns again is no constant inside it."""
    for name in frame.engine.assigned_in(node):
        value = frame.env.get(name)
        if isinstance(value, Const) and value.value is not None:
            frame.env[name] = Py(type(value.value).__name__)
        elif isinstance(value, Seq) and value.items is not None:
            frame.env[name] = Seq(value.type, None if value.items else (), value.elem)


def _try(frame: Frame, node: ast.Try) -> bool:
    names = [frame.module.dotted(n) for h in node.handlers for n in _exception_nodes(h.type)]
    frame.engine.try_entered(frame, node, names)
    before = dict(frame.env)
    frame.caught.extend(names or ["Exception"] if node.handlers else [])
    with frame.inside(skip=1):
        ended = run_block(frame, node.body)
    if node.handlers:
        del frame.caught[len(frame.caught) - len(names or ["Exception"]) :]
    after = frame.env
    if not ended and node.orelse:
        ended = run_block(frame, node.orelse)
        after = frame.env
    ended_all = ended
    for handler in node.handlers:
        frame.env = merge(before, after)
        if handler.name:
            frame.env[handler.name] = UNKNOWN
        with frame.inside(skip=1, reach=LIKELY):
            handler_ended = _guarded_block(frame, handler.body)
        if not handler_ended:
            after = frame.env if ended_all else merge(after, frame.env)
            ended_all = False
    frame.env = after
    finished = run_block(frame, node.finalbody)
    return ended_all or finished


def _exception_nodes(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return []
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _with(frame: Frame, node: ast.With | ast.AsyncWith) -> bool:
    resumable = True
    for item in node.items:
        entered, value = contexts.enter(frame, item.context_expr)
        resumable = resumable and entered
        if item.optional_vars is not None:
            iteration.bind(frame, item.optional_vars, value)
    with frame.inside(skip=0 if resumable else 1):
        return run_block(frame, node.body)


def _assert(frame: Frame, node: ast.Assert) -> bool:
    rewritten = node.msg is None or isinstance(node.msg, ast.Constant)
    plain = not isinstance(node.test, ast.BoolOp) and not (
        isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    )
    if plain and isinstance(node.test, ast.Compare):
        plain = len(node.test.ops) == 1
    if rewritten and plain:
        # torch turns `assert tensor` with no or a literal message into an operation of the graph
        value = evaluate(frame, node.test)
        if isinstance(value, Tensor):
            frame.operations()
    else:
        test(frame, node.test, "assert")
    frame.engine.assertion(frame, node)
    if node.msg is not None:
        with frame.inside(reach=POSSIBLE):
            evaluate(frame, node.msg)
    narrow_through(frame, node.test, True)
    return False


def _match(frame: Frame, node: ast.Match) -> bool:
    subject = evaluate(frame, node.subject)
    if isinstance(subject, Tensor):
        frame.emit("match", node.subject, value=subject, subject=node.subject)
    before = dict(frame.env)
    merged: Env | None = None
    for case in node.cases:
        frame.env = dict(before)
        for name in _captures(case.pattern):
            frame.env[name] = UNKNOWN
        if case.guard is not None:
            test(frame, case.guard, "branch")
        if not _guarded_block(frame, case.body):
            merged = frame.env if merged is None else merge(merged, frame.env)
    frame.env = merge(merged, before) if merged is not None else before
    return False


def _captures(pattern: ast.pattern) -> list[str]:
    names = []
    for node in ast.walk(pattern):
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if isinstance(name, str):
            names.append(name)
    return names


def _function(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    scope = frame.info.qualname + "." if frame.info else ""
    info = function_info(frame.module, node, scope + node.name)
    value: Value = Func(info, None, closure_of(frame))
    frame.env[node.name] = frame.engine.decorated(frame, value, node)
    return False


def _class(frame: Frame, node: ast.ClassDef) -> bool:
    frame.env[node.name] = Class(class_info(frame.module, node, node.name, local=True))
    return False


def _import(frame: Frame, node: ast.Import | ast.ImportFrom) -> bool:
    names: dict[str, str] = {}
    add_import(frame.module, node, names)
    frame.engine.imported(frame, node)
    for local, dotted in names.items():
        frame.env[local] = frame.engine.dotted_value(dotted)
    return False


def _global(frame: Frame, node: ast.Global) -> bool:
    frame.globals.update(node.names)
    return False


def _nonlocal(frame: Frame, node: ast.Nonlocal) -> bool:
    return False


def _delete(frame: Frame, node: ast.Delete) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)
    return False


def _jump(frame: Frame, node: ast.Break | ast.Continue) -> bool:
    return True


def assigned_names(node: ast.stmt) -> frozenset[str]:
    """The names that a loop's body assigns."""
    return frozenset(n.id for n in own_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def is_int(value: Value) -> bool:
    """A Python int, known or not."""
    return isinstance(value, Sym) or value is INT or python_type(value) in ("int",)


def sure_of(value: Value) -> int:
    """How sure the kind of a value is."""
    return (
        value.sure if isinstance(value, Tensor) else CERTAIN if not isinstance(value, (Unknown, Instance)) else LIKELY
    )


_RUN: dict[type, Callable[[Frame, ast.stmt], bool]] = {
    ast.Expr: _expression,  # type: ignore[dict-item]
    ast.Assign: _assign,  # type: ignore[dict-item]
    ast.AnnAssign: _annotated_assign,  # type: ignore[dict-item]
    ast.AugAssign: _augmented,  # type: ignore[dict-item]
    ast.Return: _return,  # type: ignore[dict-item]
    ast.Raise: _raise,  # type: ignore[dict-item]
    ast.If: _if,  # type: ignore[dict-item]
    ast.For: _for,  # type: ignore[dict-item]
    ast.AsyncFor: _for,  # type: ignore[dict-item]
    ast.While: _while,  # type: ignore[dict-item]
    ast.Try: _try,  # type: ignore[dict-item]
    ast.With: _with,  # type: ignore[dict-item]
    ast.AsyncWith: _with,  # type: ignore[dict-item]
    ast.Assert: _assert,  # type: ignore[dict-item]
    ast.Match: _match,  # type: ignore[dict-item]
    ast.FunctionDef: _function,  # type: ignore[dict-item]
    ast.AsyncFunctionDef: _function,  # type: ignore[dict-item]
    ast.ClassDef: _class,  # type: ignore[dict-item]
    ast.Import: _import,  # type: ignore[dict-item]
    ast.ImportFrom: _import,  # type: ignore[dict-item]
    ast.Global: _global,  # type: ignore[dict-item]
    ast.Nonlocal: _nonlocal,  # type: ignore[dict-item]
    ast.Delete: _delete,  # type: ignore[dict-item]
    ast.Break: _jump,  # type: ignore[dict-item]
    ast.Continue: _jump,  # type: ignore[dict-item]
}
if hasattr(ast, "TryStar"):
    _RUN[ast.TryStar] = _try  # type: ignore[assignment]
