import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.vary import Path, Vary, vary


@pytest.mark.parametrize(
    ("text", "paths", "values"),
    [
        ("x.0=1,2,4,8", (Path("x.0", "x", (0,)),), (1, 2, 4, 8)),
        ("0.1 = 3", (Path("0.1", 0, (1,)),), (3,)),
        ("n=1,-2", (Path("n", "n", ()),), (1, -2)),
        ("images.0.-1=32", (Path("images.0.-1", "images", (0, -1)),), (32,)),
        ("x.0, mask.0=1,2", (Path("x.0", "x", (0,)), Path("mask.0", "mask", (0,))), (1, 2)),
        ("batch.pixels.0=1", (Path("batch.pixels.0", "batch", ("pixels", 0)),), (1,)),
    ],
)
def test_vary(text, paths, values):
    assert vary(text, "--vary") == Vary(text, paths, values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x.0", "at 4: expected '=' and values, such as x.0=1,2,4,8"),
        ("x.=1", "at 1: expected an argument and a dimension, such as x.0 (or 0.0 by position), not 'x.'"),
        ("=1", "at 1: expected an argument and a dimension"),
        ("x.0,,y.0=1", "at 5: expected an argument and a dimension"),
        ("-1.0=1", "at 1: expected an argument and a dimension"),
        ("x.0=1,two", "at 7: expected a whole number, not 'two'; write it as x.0=1,2,4,8"),
        ("x.0=1, ", "at 8: expected a whole number, not ''"),
        ("x.0=1.5", "at 5: expected a whole number, not '1.5'"),
    ],
)
def test_mistakes(text, words):
    with pytest.raises(ConfigError) as caught:
        vary(text, "--vary")
    assert str(caught.value).startswith(f"--vary: {text!r}: {words}")
