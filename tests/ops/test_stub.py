"""What `--stub` writes runs under torch: pasted behind the operator, it compiles to one graph."""

import itertools
from types import SimpleNamespace

import pytest

from compile_lint.customops.schema import parse_schema
from compile_lint.ops import stub

torch = pytest.importorskip("torch")

SCHEMAS = [
    "scale(Tensor x, float factor=2.0) -> Tensor",
    "pair(Tensor x, int k, *, bool twice=False) -> (Tensor, Tensor first)",
    "many(Tensor[] xs, int[] sizes=[1, 2]) -> Tensor[]",
    "maybe(Tensor x, Tensor? weight=None, str mode='sum') -> Tensor",
    "typed(Tensor x, ScalarType? dtype=None, Device? device=None) -> Tensor",
    "kept(Tensor x, MemoryFormat f=contiguous_format, int reduction=Mean) -> Tensor",
    "some.overload(Tensor x, Scalar alpha=1) -> Tensor",
    "mixed(Tensor x) -> (Tensor, int)",
    "counted(Tensor x, SymInt n, SymInt[2] size=0) -> Tensor",
    "writes(Tensor(a!) x, Tensor y) -> Tensor",
    "from_lambda(Tensor x, float from=0., float? lambda=None) -> Tensor",
]


_numbers = itertools.count()


@pytest.fixture
def declared():
    """Declares an operator with a CPU kernel alone, in a namespace of its own; gives its schema and the operator."""
    namespace = f"stubbed{next(_numbers)}"
    with torch.library._scoped_library(namespace, "FRAGMENT") as library:

        def declare(text, function=None):
            schema = parse_schema(f"{namespace}::{text}")
            library.define(text)
            name = f"{schema.name}.{schema.overload}" if schema.overload else schema.name
            library.impl(name, function or kernel(schema), "CPU")
            packet = getattr(getattr(torch.ops, namespace), schema.name)
            return SimpleNamespace(schema=schema, operator=getattr(packet, schema.overload or "default"))

        yield declare


def kernel(schema):
    """A kernel that returns fresh tensors as the schema says."""

    def value(kind, x):
        if kind.name == "List":
            return [x.clone()]
        return x.clone() if kind.name == "Tensor" else 3

    def run(first, *args, **kwargs):
        x = first[0] if isinstance(first, (list, tuple)) else first
        made = tuple(value(one.type, x) for one in schema.returns)
        return made[0] if len(made) == 1 else made

    return run


def called(schema, operator, x):
    """A call with the arguments that have no default."""
    given = []
    for argument in schema.arguments:
        if argument.default is None and not argument.kwarg_only:
            kind = argument.type
            given.append([x] if kind.name == "List" else x if kind.name == "Tensor" else 3)
    found = operator(*given)
    found = found[0] if isinstance(found, (list, tuple)) else found
    return found * 2


@pytest.mark.parametrize("text", SCHEMAS)
def test_a_fake_kernel_makes_a_splitting_operator_one_graph(declared, text):
    made = declared(text)

    def fn(x):
        return called(made.schema, made.operator, x + 1)

    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported, match="fake tensors"):
        torch.compile(fn, backend="eager", fullgraph=True)(torch.ones(4))
    written = stub.fake(made.schema)
    exec(stub.imports(written) + written, {})
    torch._dynamo.reset()
    assert torch.compile(fn, backend="aot_eager", fullgraph=True)(torch.ones(4)).tolist() == [4.0] * 4


@pytest.mark.parametrize("text", [text for text in SCHEMAS if not text.startswith("writes")])
def test_an_autograd_formula_is_taken_and_says_what_to_write(declared, text):
    made = declared(text)
    assert stub.differentiable(made.schema)
    written = stub.autograd(made.schema)
    exec(stub.imports(written) + written, {})
    out = called(made.schema, made.operator, torch.ones(4, requires_grad=True))
    with pytest.raises(NotImplementedError, match=f"the gradient of {stub.full_name(made.schema)} for x"):
        out.sum().backward()


def test_a_formula_that_is_filled_in_gives_gradients(declared):
    made = declared("scale(Tensor x, float factor=2.0) -> Tensor", lambda x, factor=2.0: x * factor)
    lines = [line for line in stub.autograd(made.schema).splitlines() if "raise" not in line]
    at = next(i for i, line in enumerate(lines) if "return a gradient" in line)
    lines.insert(at + 1, "    return grad_output * ctx.factor, None")
    exec(stub.imports() + "\n".join(lines), {})
    x = torch.ones(3, requires_grad=True)
    made.operator(x, 5.0).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0, 5.0]


@pytest.mark.parametrize(
    "text",
    [
        "writes(Tensor(a!) x, Tensor y) -> Tensor",  # what writes to its arguments
        "view(Tensor(a) x) -> Tensor(a)",
        "named(*, Tensor x) -> Tensor",
        "length(Tensor x) -> int",
        "made(int n) -> Tensor",
    ],
)
def test_no_formula_is_written_where_torch_takes_none(text):
    assert not stub.differentiable(parse_schema(f"stubbed::{text}"))


def test_a_whole_registration_has_the_function_its_fake_and_its_call():
    schema = parse_schema("stubwhole::twice(Tensor x, int k=2, Tensor? w=None) -> Tensor")
    written = stub.custom_op(schema, "native.twice(x, k, w)")
    written += "\n\n" + stub.fake(schema, "twice.register_fake")
    native = type("native", (), {"twice": staticmethod(lambda x, k, w: x * k)})
    space = {"native": native}
    exec(stub.imports(written) + written, space)
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: space["twice"](x + 1) + 1, backend="aot_eager", fullgraph=True)
    assert compiled(torch.ones(2)).tolist() == [5.0, 5.0]
    assert str(torch.ops.stubwhole.twice.default._schema) == (
        "stubwhole::twice(Tensor x, SymInt k=2, Tensor? w=None) -> Tensor"
    )


def test_the_text_is_fit_to_paste():
    schema = parse_schema(
        "mylib::scale(Tensor x, float factor=2.0, *, int[] sizes=[], Tensor? weight=None) -> (Tensor, Tensor)"
    )
    assert stub.fake(schema) == (
        '@torch.library.register_fake("mylib::scale")\n'
        "def _(\n"
        "    x: torch.Tensor,\n"
        "    factor: float = 2.0,\n"
        "    *,\n"
        "    sizes: Sequence[int] = [],\n"
        "    weight: Optional[torch.Tensor] = None,\n"
        ") -> tuple[torch.Tensor, torch.Tensor]:\n"
        "    # as the kernel's output: shape, dtype, strides, device\n"
        "    return (torch.empty_like(x), torch.empty_like(x))\n"
    )
