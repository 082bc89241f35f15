import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.grammar import init_argument, input_argument
from compile_lint.confirm.targets.specs import Argument, TensorSpec

T = TensorSpec


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("x=float32[2,3,224,224]", "x", T("float32", (2, 3, 224, 224))),
        ("float32[2,3]", "", T("float32", (2, 3))),
        ("float[2]", "", T("float32", (2,))),
        ("torch.bfloat16[2,]", "", T("bfloat16", (2,))),
        ("half[0]", "", T("float16", (0,))),
        ("float32[]", "", T("float32", ())),
        ("ids = int64[2,16]<1000", "ids", T("int64", (2, 16), None, 1000)),
        ("long[2]<1000", "", T("int64", (2,), None, 1000)),
        ("0<=int64[2]<10", "", T("int64", (2,), 0, 10)),
        ("-1.5<=float32[2]<-1", "", T("float32", (2,), -1.5, -1)),
        ("x=bool[2, 2]", "x", T("bool", (2, 2))),
        ("none", "", None),
        ("mask=None", "mask", None),
        ("true", "", True),
        ("x=False", "x", False),
        ("3", "", 3),
        ("-3", "", -3),
        ("x=1e-3", "x", 0.001),
        ("x=1_000", "x", 1000),
        (".5", "", 0.5),
        ("-inf", "", float("-inf")),
        ("mode='bi=linear'", "mode", "bi=linear"),
        (r'"a\n"', "", "a\n"),
        ("(2, 3)", "", (2, 3)),
        ("(2,)", "", (2,)),
        ("(2)", "", 2),
        ("()", "", ()),
        ("[]", "", []),
        ("{}", "", {}),
        ("[1, [2, 'a'], none]", "", [1, [2, "a"], None]),
        (
            "images=[float32[3,64,64], float32[3,32,32]]",
            "images",
            [T("float32", (3, 64, 64)), T("float32", (3, 32, 32))],
        ),
        ("{'a': int64[2]<5, 'b': (1, 2)}", "", {"a": T("int64", (2,), None, 5), "b": (1, 2)}),
    ],
)
def test_inputs(text, name, value):
    assert input_argument(text, "--input") == Argument(name, value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x=float33[2]", "at 3: unknown dtype 'float33'; did you mean 'float32'?"),
        ("x=zzz[2]", "at 3: unknown dtype 'zzz'"),
        ("x=float32", "at 3: 'float32' needs a shape: float32[2,3], or float32[] for a scalar"),
        ("x=bilinear", "at 3: 'bilinear' is no value; a string needs quotes: 'bilinear'"),
        ("x=", "at 3: expected a value, such as x=float32[2,3], none, 3 or 'text', not the end"),
        ("", "at 1: expected a value"),
        ("x=float32[2,3", "at 14: expected ',' or ']', not the end"),
        ("x=float32[2 3]", "at 13: expected ',' or ']', not '3'"),
        ("x=float32[-1]", "at 11: expected a size, a whole number from 0, or ']', not '-'"),
        ("x=float32[2.5]", "at 11: expected a size, a whole number from 0, or ']', not '2.5'"),
        ("x=float32[n]", "at 11: expected a size, a whole number from 0, or ']', not 'n'"),
        ("x=float32[2]]", "at 13: expected the end, not ']'"),
        ("x=float32[2]<", "at 14: expected a number, not the end"),
        ("x=int64[2]<0", "at 11: the upper bound is exclusive and must be above 0, not 0"),
        ("x=5<=int64[2]", "at 14: a lower bound needs an upper one: 5<=int64[2]<10"),
        ("x=5<=int64[2]<5", "at 14: the upper bound is exclusive and must be above 5, not 5"),
        ("x=5<=3", "at 6: expected a tensor after '<=', such as 0<=int64[2]<10, not '3'"),
        ("x=int64[2]<1.5", "at 3: the bounds of int64 must be whole numbers"),
        ("x=bool[2]<1", "at 3: bool takes no bounds"),
        ("x='a", "at 3: a string that does not end"),
        ("x=@", "at 3: '@' has no meaning here"),
        ("x=1 2", "at 5: expected the end, not '2'"),
        ("[1, 2", "at 6: expected ',' or ']', not the end"),
        ("{1: 2, [3]: 4}", "at 8: a key must be a string or a number"),
        ("{1}", "at 3: expected ':', not '}'"),
        ("[" * 60, "at 51: more than 50 containers within each other"),
        ("x=12__3", "at 3: 12__3 is not a literal of Python"),
    ],
)
def test_mistakes_say_where_and_what(text, words):
    with pytest.raises(ConfigError) as caught:
        input_argument(text, "--input")
    assert str(caught.value).startswith(f"--input: {text!r}: {words}")


def test_init_takes_named_literals():
    assert init_argument("dim=64", "--init") == Argument("dim", 64)
    assert init_argument("sizes=(1, 2)", "--init") == Argument("sizes", (1, 2))
    for text, words in (
        ("64", "at 1: expected NAME=VALUE, such as dim=64"),
        ("dim=float32[2]", "at 5: a tensor cannot be given here, only literals"),
        ("dim=", "at 5: expected a value, such as 64, 0.5, none, true or 'text', not the end"),
        ("act=relu", "at 5: 'relu' is no value; a string needs quotes: 'relu'"),
    ):
        with pytest.raises(ConfigError) as caught:
            init_argument(text, "--init")
        assert str(caught.value) == f"--init: {text!r}: {words}"
