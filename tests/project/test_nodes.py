"""The walk over nodes with code meets every kind of node that Python has."""

import ast
import sys

from compile_lint.project.modules import all_nodes

EVERY_FORM = """
import a.b as c
from d import (e, f as g)

async def h[T](x, /, y=1, *z, k: int = 2, **w) -> int:
    global i
    async with x as j, y: await j
    async for n in z: yield n
    match x:
        case Point(1, a=2, b=Other(q)) | None: pass
        case {"k": 1, **rest} if rest: pass
        case [first, *_, last] as whole: pass
    try: del x[1:2, ...]
    except* (E, F) as err: raise err from None
    else: assert y, "no"
    finally: return lambda s: {t: u for t in s if (v := t)}

class K(Base, metaclass=Meta):
    a: int = 1
    b = f"{a!r:>{a}}", {1, *x}, not a, -a, a if b else c, a < b <= c, a and b
    def m(self):
        nonlocal_ = 1
        def inner():
            nonlocal nonlocal_
            nonlocal_ += 1
            yield from inner()
        while True: break
"""


def test_all_nodes_of_every_form_are_nodes() -> None:
    text = EVERY_FORM
    if sys.version_info < (3, 12):
        text = text.replace("h[T]", "h")
    if sys.version_info < (3, 11):
        text = text.replace("except*", "except")
    if sys.version_info >= (3, 11):  # neither return nor break may leave an except* block; here it is another one
        text = text.replace("finally: return lambda", "finally: lambda")
    tree = ast.parse(text)
    met = list(all_nodes(tree))
    assert all(isinstance(node, ast.AST) for node in met)
    with_code = {id(n) for n in ast.walk(tree) if isinstance(n, (ast.stmt, ast.expr, ast.pattern))}
    assert with_code <= {id(node) for node in met}
