"""The kind of every expression, and the events that evaluating it causes."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compile_lint.inference import attributes, calls, iteration, known, subscripts
from compile_lint.inference.frame import Frame
from compile_lint.inference.truth import seldom, test, truth_of_operand
from compile_lint.inference.values import (
    BOOL,
    CERTAIN,
    HOST,
    LIKELY,
    NUMBER,
    POSSIBLE,
    SIZE,
    STR,
    SYM,
    TRUTH,
    UNKNOWN,
    Const,
    External,
    Func,
    Host,
    Map,
    Module,
    Ndarray,
    Py,
    Seq,
    Size,
    Sym,
    Tensor,
    Tracing,
    Unknown,
    Value,
    join,
    join_all,
    python_type,
    sequence,
)
from compile_lint.project.modules import function_info

_NUMERIC = ("int", "float", "bool", "number", "complex")


def evaluate(frame: Frame, node: ast.expr) -> Value:
    """The value of an expression; events go into the frame."""
    handler = _EVALUATE.get(type(node))
    return handler(frame, node) if handler is not None else UNKNOWN


def _constant(frame: Frame, node: ast.Constant) -> Value:
    return Const(node.value)


def _name(frame: Frame, node: ast.Name) -> Value:
    value = frame.lookup(node.id)
    if value is not None:
        return value
    value = frame.engine.global_value(frame.module, node.id)
    frame.engine.global_read(frame, node, value)
    return value


def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    return attributes.read(frame, node, evaluate(frame, node.value))


def _call(frame: Frame, node: ast.Call) -> Value:
    return calls.call(frame, node)


def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    return subscripts.read(frame, node, evaluate(frame, node.value))


def _binop(frame: Frame, node: ast.BinOp) -> Value:
    left, right = evaluate(frame, node.left), evaluate(frame, node.right)
    return binary(frame, node, node.op, left, right)


def binary(frame: Frame, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    """The result of an arithmetic operator."""
    if isinstance(op, ast.BitOr) and (isinstance(left, Tracing) or isinstance(right, Tracing)):
        return left if isinstance(left, Tracing) else right
    if isinstance(op, ast.Mod) and python_type(left) == "str":
        return _percent(frame, node, right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Tensor):
            frame.operations()
            return _tensor_arithmetic(frame, node, op, one, other)
        if isinstance(one, Ndarray):
            frame.operations()
            return Ndarray(one.origin, one.scalar and not isinstance(other, Ndarray))
    for one in (left, right):
        if isinstance(one, External) and one.name == "pointer":
            frame.emit("pointer", node, subject=node, ids=("GB0088",), skip=True)
            return one
        if isinstance(one, Module) and one.name.startswith("ctypes.c_"):
            return External("ctypes type")
    return _plain_arithmetic(op, left, right)


def _tensor_arithmetic(frame: Frame, node: ast.AST, op: ast.operator, one: Tensor, other: Value) -> Value:
    sure, scalar, dtype = one.sure, one.scalar, one.dtype
    if isinstance(other, Tensor):
        sure = max(sure, other.sure)
        scalar = True if scalar and other.scalar else False if scalar is False or other.scalar is False else None
        dtype = dtype if dtype == other.dtype else "float" if "float" in (dtype, other.dtype) else ""
    elif isinstance(other, (Unknown, Ndarray)) and scalar:
        scalar = None
    if isinstance(op, ast.Div):
        dtype = "float"
    elif dtype == "bool" and not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        dtype = "int"
    elif dtype == "int" and python_type(other) == "float":
        dtype = "float"
    return frame.tensor(node, dtype, scalar, sure, known.of_operands((one, other)), one)


def _percent(frame: Frame, node: ast.AST, right: Value) -> Value:
    for item in iteration.items_of(right) if isinstance(right, Seq) else (right,):
        if isinstance(item, Tensor):
            frame.emit("format", node, value=item, skip=True)
            break
    return STR


def _plain_arithmetic(op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(left, Const) and isinstance(right, Const):
        folded = _fold(op, left.value, right.value)
        if folded is not None:
            return folded
    if isinstance(left, Size) or isinstance(right, Size):
        return SIZE
    if isinstance(left, Seq):
        return _sequence_arithmetic(op, left, right)
    if isinstance(right, Seq) and isinstance(op, ast.Mult):
        return Seq(right.type, None, right.elem)
    if isinstance(left, Map) and isinstance(right, Map):
        return join(left, right)
    types = python_type(left), python_type(right)
    if "str" in types:
        return STR
    if isinstance(left, Host) or isinstance(right, Host):
        return HOST
    if isinstance(left, Sym) or isinstance(right, Sym):
        return SYM if all(t in _NUMERIC or t == "int" for t in types if t) and all(types) else NUMBER
    if types[0] in _NUMERIC and types[1] in _NUMERIC:
        return Py("float" if "float" in types or isinstance(op, ast.Div) else "int")
    return NUMBER


def _sequence_arithmetic(op: ast.operator, left: Seq, right: Value) -> Value:
    if isinstance(op, ast.Add) and isinstance(right, Seq):
        if left.items is not None and right.items is not None and len(left.items) + len(right.items) <= 32:
            return sequence(left.type, left.items + right.items)
        return Seq(left.type, None, join(left.elem, right.elem) if left.items != () else right.elem)
    if isinstance(op, ast.Mult):
        return Seq(left.type, None, left.elem)
    return UNKNOWN if isinstance(op, ast.Add) else left


def _fold(op: ast.operator, left: object, right: object) -> Value | None:
    """Constants that decide branches are small: sums, products and remainders of ints."""
    if not (type(left) is int and type(right) is int):
        return None
    if isinstance(op, ast.Add):
        return Const(left + right)
    if isinstance(op, ast.Sub):
        return Const(left - right)
    if isinstance(op, ast.Mult) and abs(left) < 1e6 and abs(right) < 1e6:
        return Const(left * right)
    return None


def _unary(frame: Frame, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return _not(frame, node)
    operand = evaluate(frame, node.operand)
    if isinstance(operand, Tensor):
        frame.operations()
        return frame.tensor(node, operand.dtype, operand.scalar, operand.sure, known.of_operands((operand,)), operand)
    if isinstance(operand, Const) and isinstance(operand.value, (int, float)) and isinstance(node.op, ast.USub):
        return Const(-operand.value)
    if isinstance(operand, (Py, Sym, Ndarray, Host)):
        return operand
    return NUMBER


def _not(frame: Frame, node: ast.UnaryOp) -> Value:
    known = truth_of_operand(frame, node.operand, "not", skip=True)
    return BOOL if known is None else Const(not known)


def _boolop(frame: Frame, node: ast.BoolOp) -> Value:
    """`a and b` as a value: every operand but the last is asked for its truth."""
    values: list[Value] = []
    ends_on = isinstance(node.op, ast.Or)
    for operand in node.values[:-1]:
        known, value = test(frame, operand, "boolop")
        if known is ends_on:
            values.append(value)
            return join_all(values)
        if known is None:
            values.append(_surviving(value, ends_on))
    last = evaluate(frame, node.values[-1])
    if isinstance(last, Tensor) and not ends_on and any(seldom(v) for v in node.values):
        last = last.replaced(sure=POSSIBLE)
    values.append(last)
    kept = [v for v in values if not (isinstance(v, Const) and v.value is None and ends_on and v is not values[-1])]
    return join_all(kept)


def _surviving(value: Value, truthy: bool) -> Value:
    """What `x or default` keeps of x: never its None."""
    if truthy and isinstance(value, Tensor) and value.optional:
        return value.replaced(optional=False)
    if truthy and isinstance(value, Py) and value.optional:
        return Py(value.type, value.argument)
    return value


def _compare(frame: Frame, node: ast.Compare) -> Value:
    return comparison(frame, node, "boolop")


def comparison(frame: Frame, node: ast.Compare, event: str) -> Value:
    """A comparison; between the links of a chain the truth of the first is asked (`event`)."""
    left = evaluate(frame, node.left)
    result: Value | None = None
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(frame, comparator)
        value = compare(frame, node, op, left, right)
        result = value if result is None else _chained(frame, node, result, value, event)
        left = right
    return result if result is not None else UNKNOWN


def _chained(frame: Frame, node: ast.Compare, first: Value, second: Value, event: str) -> Value:
    if isinstance(first, Tensor):
        frame.emit(event, node, value=first, subject=node)
    return join(first, second)


def compare(frame: Frame, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
    """The result of a comparison."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        known = _same_object(left, right)
        return BOOL if known is None else Const(known == isinstance(op, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        return _membership(frame, node, op, left, right)
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return _tensor_comparison(frame, node, left, right)
    if isinstance(left, Ndarray) or isinstance(right, Ndarray):
        first = left if isinstance(left, Ndarray) else right
        return Ndarray(getattr(first, "origin", None), getattr(first, "scalar", False))
    return _plain_comparison(frame, node, op, left, right)


def _plain_comparison(frame: Frame, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
    """A comparison of what is neither a tensor nor an array."""
    if isinstance(left, Seq) and isinstance(right, Seq) and _holds_tensor(left) and _holds_tensor(right):
        frame.emit("branch", node, LIKELY, subject=node)
        return BOOL
    if any(isinstance(v, External) and v.name == "pointer" for v in (left, right)):
        frame.emit("pointer", node, subject=node, ids=("GB5976",))
        return BOOL
    if isinstance(left, Const) and isinstance(right, Const):
        return _compare_constants(op, left.value, right.value)
    if type(left) is Unknown and type(right) is Unknown:
        return TRUTH
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Py) and one.argument and one.type == "str" and python_type(other) == "str":
            frame.engine.argument_compared(frame, node, one)
        if type(one) is Unknown and (isinstance(other, (Sym, Host)) or python_type(other) in _NUMERIC):
            return TRUTH
    return BOOL


def _same_object(left: Value, right: Value) -> bool | None:
    if not (isinstance(left, Const) and isinstance(right, Const)):
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Const) and one.value is None and not can_be_none(other):
                return False
        return None
    if left.value is None or right.value is None:
        return left.value is right.value
    return None


def can_be_none(value: Value) -> bool:
    """Whether `is None` is still open."""
    if isinstance(value, (Tensor, Py)):
        return value.optional or (isinstance(value, Tensor) and value.sure < CERTAIN and value.made == "input")
    if isinstance(value, Const):
        return value.value is None
    return isinstance(value, Unknown)


def _tensor_comparison(frame: Frame, node: ast.AST, left: Value, right: Value) -> Value:
    tensors = [v for v in (left, right) if isinstance(v, Tensor)]
    other = right if isinstance(left, Tensor) else left
    if python_type(other) in ("str", "NoneType", "dtype", "device") or isinstance(other, (Seq, Map)):
        return BOOL
    frame.operations()
    scalar = True if all(t.scalar for t in tensors) and not isinstance(other, Unknown) else None
    if any(t.scalar is False for t in tensors):
        scalar = False
    return frame.tensor(node, "bool", scalar, max(t.sure for t in tensors), of=tensors[0])


def _membership(frame: Frame, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
    if isinstance(right, Tensor) and right.sure >= LIKELY:
        frame.emit("membership", node, value=right, skip=True)
    elif isinstance(left, Tensor) and isinstance(right, Seq) and not _holds_tensor(right):
        if not any(python_type(i) == "str" for i in iteration.items_of(right)):
            frame.emit("membership", node, value=left)
    elif isinstance(right, Map) and isinstance(left, Const) and not right.open:
        return Const((left.value in right.items) == isinstance(op, ast.In))
    return BOOL


def _holds_tensor(value: Seq) -> bool:
    return any(isinstance(i, Tensor) for i in iteration.items_of(value))


_FOLDS: dict[type, Callable[[object, object], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,  # type: ignore[operator]
    ast.LtE: lambda a, b: a <= b,  # type: ignore[operator]
    ast.Gt: lambda a, b: a > b,  # type: ignore[operator]
    ast.GtE: lambda a, b: a >= b,  # type: ignore[operator]
}


def _compare_constants(op: ast.cmpop, left: object, right: object) -> Value:
    fold = _FOLDS.get(type(op))
    try:
        return Const(fold(left, right)) if fold is not None else BOOL
    except TypeError:
        return BOOL


def _ifexp(frame: Frame, node: ast.IfExp) -> Value:
    from compile_lint.inference.narrowing import narrowed

    known, _ = test(frame, node.test, "branch")
    if known is not None:
        return evaluate(frame, node.body if known else node.orelse)
    # which side runs is open, and a type test says that both kinds of argument come
    reach = POSSIBLE if _asks_type(node.test) else CERTAIN
    with narrowed(frame, node.test, True), frame.inside(reach=reach, branch=True):
        body = evaluate(frame, node.body)
    with narrowed(frame, node.test, False), frame.inside(reach=reach, branch=True):
        orelse = evaluate(frame, node.orelse)
    return join(body, orelse)


def _asks_type(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp):
        return _asks_type(test.operand)
    if not isinstance(test, ast.Call):
        return False
    name = test.func.id if isinstance(test.func, ast.Name) else getattr(test.func, "attr", "")
    return name in ("isinstance", "is_tensor", "hasattr")


def _tuple(frame: Frame, node: ast.Tuple) -> Value:
    return _display(frame, "tuple", node.elts)


def _list(frame: Frame, node: ast.List) -> Value:
    return _display(frame, "list", node.elts)


def _set(frame: Frame, node: ast.Set) -> Value:
    return _display(frame, "set", node.elts)


def _display(frame: Frame, type: str, elements: list[ast.expr]) -> Value:
    items: list[Value] = []
    exact = True
    for element in elements:
        if isinstance(element, ast.Starred):
            inner = evaluate(frame, element.value)
            known = inner.items if isinstance(inner, Seq) else None
            if known is not None:
                items.extend(known)
            else:
                exact = False
                items.append(iteration.element(frame, element.value, inner))
        else:
            items.append(evaluate(frame, element))
    if exact and len(items) <= 64:
        return sequence(type, tuple(items))
    return Seq(type, None, join_all(items))


def _dict(frame: Frame, node: ast.Dict) -> Value:
    items: dict[object, Value] = {}
    others: list[Value] = []
    is_open = False
    for key, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(frame, value_node)
        if key is None:
            is_open = True
            if isinstance(value, Map):
                items.update(value.items)
            continue
        key_value = evaluate(frame, key)
        if isinstance(key_value, Const):
            items[key_value.value] = value
        else:
            is_open = True
            others.append(value)
    return Map(items, join_all([*items.values(), *others]), is_open)


def _joined(frame: Frame, node: ast.JoinedStr) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = evaluate(frame, part.value)
            if isinstance(value, Tensor) and part.conversion == ord("r"):
                frame.emit("format", node, value=value, subject=part.value, skip=True)
            elif isinstance(value, (Sym, Size)):
                frame.engine.shape_used(frame, node, part.value, "an f-string")
    return STR


def _lambda(frame: Frame, node: ast.Lambda) -> Value:
    scope = frame.info.qualname + "." if frame.info else ""
    return Func(function_info(frame.module, node, f"{scope}<lambda>"), None, _ClosureView(frame))


class _ClosureView(dict[str, Value]):
    """The variables of the enclosing function, as they stand when the inner function is called."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self.frame = frame
        frame.engine.enclosing.append(frame)

    def get(self, key: str, default: Value | None = None) -> Value | None:  # type: ignore[override]
        found = self.frame.lookup(key)
        return found if found is not None else default


def closure_of(frame: Frame) -> _ClosureView:
    """What a function defined in a frame closes over."""
    return _ClosureView(frame)


def _list_comprehension(frame: Frame, node: ast.ListComp) -> Value:
    return Seq("list", None, _comprehension(frame, node.generators, node.elt))


def _set_comprehension(frame: Frame, node: ast.SetComp) -> Value:
    return Seq("set", None, _comprehension(frame, node.generators, node.elt))


def _generator(frame: Frame, node: ast.GeneratorExp) -> Value:
    # a break inside a generator gives up the whole frame
    with frame.inside(skip=1):
        return Seq("generator", None, _comprehension(frame, node.generators, node.elt, "generator-if"))


def _dict_comprehension(frame: Frame, node: ast.DictComp) -> Value:
    value = _comprehension(frame, node.generators, node.value, extra=node.key)
    return Map({}, value, True)


def _comprehension(
    frame: Frame,
    generators: list[ast.comprehension],
    element: ast.expr,
    event: str = "comprehension-if",
    extra: ast.expr | None = None,
) -> Value:
    """Evaluate the parts once with the loop variables bound; the comprehension's names stay its own."""
    saved = dict(frame.env)
    times = 1
    try:
        for generator in generators:
            source = evaluate(frame, generator.iter)
            times = min(times * iteration.length(source), 64)
            iteration.bind(frame, generator.target, iteration.element(frame, generator.iter, source))
            for condition in generator.ifs:
                test(frame, condition, event)
        with frame.inside(times=times):
            if extra is not None:
                evaluate(frame, extra)
            return evaluate(frame, element)
    finally:
        frame.env.clear()
        frame.env.update(saved)


def _walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    value = evaluate(frame, node.value)
    frame.env[node.target.id] = value
    return value


def _starred(frame: Frame, node: ast.Starred) -> Value:
    return evaluate(frame, node.value)


def _await(frame: Frame, node: ast.Await) -> Value:
    return evaluate(frame, node.value)


def _yield(frame: Frame, node: ast.Yield) -> Value:
    if node.value is not None:
        frame.results.append(evaluate(frame, node.value))
    return UNKNOWN


def _yield_from(frame: Frame, node: ast.YieldFrom) -> Value:
    frame.results.append(iteration.element(frame, node.value, evaluate(frame, node.value)))
    return UNKNOWN


def _slice(frame: Frame, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            evaluate(frame, part)
    return Py("slice")


_EVALUATE: dict[type, Callable[[Frame, ast.expr], Value]] = {
    ast.Constant: _constant,  # type: ignore[dict-item]
    ast.Name: _name,  # type: ignore[dict-item]
    ast.Attribute: _attribute,  # type: ignore[dict-item]
    ast.Call: _call,  # type: ignore[dict-item]
    ast.Subscript: _subscript,  # type: ignore[dict-item]
    ast.BinOp: _binop,  # type: ignore[dict-item]
    ast.UnaryOp: _unary,  # type: ignore[dict-item]
    ast.BoolOp: _boolop,  # type: ignore[dict-item]
    ast.Compare: _compare,  # type: ignore[dict-item]
    ast.IfExp: _ifexp,  # type: ignore[dict-item]
    ast.Tuple: _tuple,  # type: ignore[dict-item]
    ast.List: _list,  # type: ignore[dict-item]
    ast.Set: _set,  # type: ignore[dict-item]
    ast.Dict: _dict,  # type: ignore[dict-item]
    ast.JoinedStr: _joined,  # type: ignore[dict-item]
    ast.Lambda: _lambda,  # type: ignore[dict-item]
    ast.ListComp: _list_comprehension,  # type: ignore[dict-item]
    ast.SetComp: _set_comprehension,  # type: ignore[dict-item]
    ast.GeneratorExp: _generator,  # type: ignore[dict-item]
    ast.DictComp: _dict_comprehension,  # type: ignore[dict-item]
    ast.NamedExpr: _walrus,  # type: ignore[dict-item]
    ast.Starred: _starred,  # type: ignore[dict-item]
    ast.Await: _await,  # type: ignore[dict-item]
    ast.Yield: _yield,  # type: ignore[dict-item]
    ast.YieldFrom: _yield_from,  # type: ignore[dict-item]
    ast.Slice: _slice,  # type: ignore[dict-item]
}
