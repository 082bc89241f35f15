"""Schemas as torch documents and prints them, and texts that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.customops.schema import Alias, Argument, SchemaError, Type, parse_name, parse_schema

TENSOR = Type("Tensor")


def test_every_part_of_a_schema():
    schema = parse_schema("ns::name.over(Tensor(a!) x, int[2]? size=None, *, Device? d=None) -> (Tensor(a!), Tensor[])")
    written = Type("Tensor", alias=Alias(("a",), (), True))
    assert (schema.namespace, schema.name, schema.overload, schema.qualified) == ("ns", "name", "over", "ns::name")
    assert schema.arguments == (
        Argument("x", written),
        Argument("size", Type("Optional", (Type("List", (Type("int"),), 2),)), "None"),
        Argument("d", Type("Optional", (Type("Device"),)), "None", True),
    )
    assert schema.returns == (Argument("", written), Argument("", Type("List", (TENSOR,))))
    assert schema.mutates == ("x",)
    assert schema.aliases == ("x",)
    assert schema.arguments[0].alias == Alias(("a",), (), True)
    assert [str(one.type) for one in schema.arguments] == ["Tensor(a!)", "int[2]?", "Device?"]
    assert schema.arguments[0].type.plain == "Tensor"
    assert schema.returns_tensor


@pytest.mark.parametrize(
    ("text", "mutates", "aliases"),
    [
        ("op(Tensor x) -> Tensor", (), ()),
        ("op(Tensor(a) x) -> Tensor(a)", (), ("x",)),
        ("op(Tensor(a!) x, Tensor y) -> ()", ("x",), ()),
        ("op(Tensor! x) -> ()", ("x",), ()),
        ("op(Tensor(a!)[] x, Tensor(b!)? y) -> Tensor(b!)", ("x", "y"), ("y",)),
        ("op(Tensor(a -> *) x) -> Tensor(a)[]", (), ("x",)),
        ("op(Tensor(a) x, Tensor(b) y) -> Tensor(a|b)", (), ("x", "y")),
        ("op(Tensor x, *, Tensor(a!) out) -> (Tensor(a!), int)", ("out",), ("out",)),
    ],
)
def test_what_is_mutated_and_what_may_share_memory(text, mutates, aliases):
    schema = parse_schema(text)
    assert (schema.mutates, schema.aliases) == (mutates, aliases)


@pytest.mark.parametrize(
    "text",
    [
        "op() -> ()",
        "op(...) -> ...",
        "op(Tensor x, ...) -> (Tensor, ...)",
        "op(Tensor x) -> Tensor y",
        "op(Tensor x) -> ((int, Tensor)[])",
        "op((Tensor, int)[] d, Dict(str, Tensor)(a!) e) -> Union(int, float)",
        "op(__torch__.torch.classes.ns.Packed w, float eps=1e-05, str mode='a\\'b', int[2] p=[0, 1]) -> int[](a!)",
        "op(Scalar a=-1.5, Layout l=strided, int m=Mean, ScalarType? t=None, SymInt[] s=[]) -> Tensor",
    ],
)
def test_a_schema_prints_as_it_was_written(text):
    assert str(parse_schema(text)) == text


def test_space_and_comments_mean_nothing():
    assert str(parse_schema(" ns :: op.o (\n Tensor x ,\n int[] y = [1,2] # sizes\n)->(Tensor,Tensor) ")) == (
        "ns::op.o(Tensor x, int[] y=[1, 2]) -> (Tensor, Tensor)"
    )


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected the operator's name, found the end"),
        ("op", 3, "expected `(`, found the end"),
        ("op(Tensor x", 12, "expected `)`, found the end"),
        ("op(Tensor x)", 13, "expected `->`, found the end"),
        ("op(Tensor x) -> Tensor;", 23, "`;` has no meaning in a schema"),
        ("op(Tensor x) -> Tensor Tensor y", 31, "expected the end, found `y`"),
        ("op(Tensor) -> Tensor", 10, "expected a name for the argument of type `Tensor`, found `)`"),
        ("op(Tensor x,) -> Tensor", 13, "expected a type, found `)`"),
        ("op(at::Tensor x) -> Tensor", 4, "`at` is no type of a schema"),
        ("op(int64_t x) -> Tensor", 4, "`int64_t` is no type of a schema"),
        ("op(int x=1.5.2) -> int", 13, "expected `)`, found `.2`"),
        ("op(bool x=true) -> int", 11, "`true` is no default for `bool`"),
        ("op(str x=abc) -> int", 10, "`abc` is no default for `str`"),
        ("op(int[] x=1) -> int", 12, "`1` is no default for `int[]`"),
        ("op(Tensor(a!) x=1) -> int", 17, "`1` is no default for `Tensor`"),
        ("op(int x=1, int y) -> int", 17, "`y` has no default, and an argument before it has one"),
        ("op(int in) -> int", 8, "`in` is a reserved word, and no name for an argument"),
        ("op(int[1.5] x) -> ()", 8, "expected a whole number as length, found `1.5`"),
        ("op(Tensor(a! x) -> ()", 14, "expected `)`, found `x`"),
        ("op(..., Tensor x) -> ()", 7, "expected `)`, found `,`"),
        ("op(Dict(str) d) -> ()", 12, "expected 2 type(s) in `Dict(...)`, found `)`"),
        ("ns::op.default(Tensor x) -> ()", 8, "`default` is no name that an overload may have"),
        ("a::b::c(Tensor x) -> ()", 5, "expected `(`, found `:`"),
        ('op(str x="a) -> ()', 10, '`"` has no meaning in a schema'),
    ],
)
def test_an_error_names_the_column(text, column, message):
    with pytest.raises(SchemaError) as raised:
        parse_schema(text)
    assert (raised.value.column, raised.value.message) == (column, message)
    assert str(raised.value) == f"column {column}: {message}"


def test_names_stand_for_types_only_where_asked_for():
    assert parse_schema("op(t[](a!) self, t el) -> t[](a!)", type_variables=True).mutates == ("self",)
    with pytest.raises(SchemaError, match="`t` is no type"):
        parse_schema("op(t x) -> t")


def test_names_alone():
    assert parse_name("ns::op.over") == ("ns", "op", "over")
    assert parse_name("op") == ("", "op", "")
    with pytest.raises(SchemaError, match="column 3: expected the end"):
        parse_name("op(Tensor x) -> Tensor")


def test_deep_nesting_is_an_error_of_the_text():
    with pytest.raises(SchemaError, match="nested too deeply"):
        parse_schema("op(" + "Future(" * 50000 + "int" + ")" * 50000 + " x) -> ()")


@given(st.text(alphabet="Tensor (a!)[]?=:.,*->|1'\"#\nint", max_size=40))
def test_no_text_raises_anything_else(text):
    try:
        assert parse_schema(str(parse_schema(text))).arguments == parse_schema(text).arguments
    except SchemaError as error:
        assert 1 <= error.column <= len(text) + 1


@pytest.mark.torch
def test_all_schemas_of_torch():
    torch = pytest.importorskip("torch")
    # A schema that Python registers with an opaque type is none that torch reads: tests before this one may load some.
    theirs = [one for one in torch._C._jit_get_all_schemas() if "PyObject" not in str(one)]
    assert len(theirs) > 3000
    for one in theirs:
        ours = parse_schema(str(one), type_variables=True)
        assert str(ours) == str(one)
        assert [(a.name, a.kwarg_only, a.mutated, a.default is not None) for a in ours.arguments] == [
            (a.name, a.kwarg_only, bool(a.alias_info and a.alias_info.is_write), a.has_default_value())
            for a in one.arguments
        ]
        assert set(ours.mutates) == {a.name for a in one.arguments if a.alias_info and a.alias_info.is_write}


@pytest.mark.torch
@pytest.mark.parametrize(
    ("text", "is_schema"),
    [
        ("op(int x=None) -> int", True),
        ("op(bool x=0) -> int", True),
        ("op(int x=1.5) -> int", True),
        ("op(int[2] x=1) -> int", True),
        ("op(int[] x=1) -> int", False),
        ("op(Tensor x=1) -> int", False),
        ("op(float x=inf) -> int", False),
        ("op(int d=Mean) -> Tensor", True),
        ("op(int d=Sum) -> Tensor", False),
        ("op(Device d=cpu) -> Tensor", False),
        ('op(Device d="cpu") -> Tensor', True),
        ('op(str[] x=["a"]) -> int', False),
        ("op(Tensor?(a!) d) -> Tensor", False),
        ("op(Tensor(a!)? d) -> Tensor", True),
        ("op(int[3][] d) -> Tensor", False),
        ("op(int from, int lambda) -> int", True),
        ("op(int is) -> int", False),
        ("op(*) -> Tensor", True),
        ("op(Tensor x) -> Tensor, Tensor", False),
        ("op(SymBool x) -> NoneType", True),
        ("op(SymFloat x) -> ()", False),
    ],
)
def test_torch_agrees_on_what_is_a_schema(text, is_schema):
    torch = pytest.importorskip("torch")
    for parse, error in ((parse_schema, SchemaError), (torch._C.parse_schema, RuntimeError)):
        try:
            parse(text)
            assert is_schema, parse
        except error:
            assert not is_schema, parse


@pytest.mark.torch
def test_opaque_type_is_refused_as_torch_refuses_it():
    torch = pytest.importorskip("torch")
    text = "op(PyObject mesh, int d) -> PyObject"
    with pytest.raises(RuntimeError, match="unknown type specifier"):
        torch._C.parse_schema(text)
    with pytest.raises(SchemaError, match="`PyObject` is no type of a schema"):
        parse_schema(text)
