import pytest

from compile_lint.config import target_values
from compile_lint.config.errors import ConfigError
from compile_lint.config.file import read


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The target tables of a configuration of either kind with that text."""
    monkeypatch.chdir(tmp_path)

    def call(text):
        path = tmp_path / "compile-lint.toml"
        path.write_text(text)
        found = read(path).values["target"]
        path = tmp_path / "pyproject.toml"
        path.write_text(text.replace("[[target]]", "[[tool.compile-lint.target]]"))
        assert read(path).values["target"] == found
        return found

    return call


def test_every_value(tables):
    text = """
[[target]]
name = "detr"
target = "models/detr.py:make"
input = "x=float32[2,3]"
init = { dim = 64, name = "a'b", flag = true }
vary = ["x.0=1,2"]
device = "cuda:1"
train = false
timeout = "5m"
memory-limit = "1.5GiB"
torch-config = { capture_scalar_outputs = true, recompile_limit = 3 }
seed = 7
[[target]]
target = "pkg.mod:Net"
init = ["dim=64"]
timeout = 1.5
memory-limit = 1000
"""
    assert tables(text) == (
        {
            "name": "detr",
            "target": "models/detr.py:make",
            "input": ("x=float32[2,3]",),
            "init": ("dim=64", 'name="a\'b"', "flag=True"),
            "vary": ("x.0=1,2",),
            "device": "cuda:1",
            "train": False,
            "timeout": 300.0,
            "memory-limit": 3 << 29,
            "torch-config": {"capture_scalar_outputs": True, "recompile_limit": 3},
            "seed": 7,
        },
        {"name": "pkg.mod:Net", "target": "pkg.mod:Net", "init": ("dim=64",), "timeout": 1.5, "memory-limit": 1000},
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("target = 'a.py:f'", "target: must be tables, each under [[target]]"),
        ("[[target]]\ntraget = 'a.py:f'", "target 1: traget: unknown key; did you mean 'target'?"),
        (
            "[[target]]\nname='m'\ntarget='a.py:f'\ndevise='cpu'",
            "target 'm': devise: unknown key; did you mean 'device'?",
        ),
        ("[[target]]\nname='m'", "target 'm': has no target; write target = \"path/file.py:name\""),
        (
            "[[target]]\ntarget='a:f'\ngrad='no_grad'",
            "target 1: grad: 'no_grad' is not valid; did you mean 'no-grad'?",
        ),
        ("[[target]]\ntarget='a:f'\ntrain='yes'", "target 1: train: must be true or false, not 'yes'"),
        ("[[target]]\ntarget='a:f'\nfake=1", "target 1: fake: must be true or false, not 1"),
        ("[[target]]\ntarget='a:f'\ninput=[1]", "target 1: input: must be a string or a list of strings, not [1]"),
        (
            "[[target]]\ntarget='a:f'\ntimeout='soon'",
            "target 1: timeout: must be a number of seconds above 0, such as 300 or '5m', not 'soon'",
        ),
        ("[[target]]\ntarget='a:f'\ntimeout=0", "target 1: timeout: must be a number of seconds above 0"),
        ("[[target]]\ntarget='a:f'\ntimeout=inf", "target 1: timeout: must be a number of seconds above 0"),
        (
            "[[target]]\ntarget='a:f'\nmemory-limit='4 gallons'",
            "target 1: memory-limit: must be a size such as '4GiB' or '512MiB', not '4 gallons'",
        ),
        ("[[target]]\ntarget='a:f'\nmemory-limit=-1", "target 1: memory-limit: must be a size"),
        ("[[target]]\ntarget='a:f'\nseed=-1", "target 1: seed: must be a whole number from 0 to 2**64-1, not -1"),
        ("[[target]]\ntarget='a:f'\nseed=true", "target 1: seed: must be a whole number from 0 to 2**64-1, not true"),
        (
            "[[target]]\ntarget='a:f'\ntorch-config={a=[1]}",
            "target 1: torch-config.a: must be true or false, a number or a string, not [1]",
        ),
        ("[[target]]\ntarget=3", "target 1: target: must be a string, not 3"),
        ("[[target]]\ntarget='a:f'\ninput='1'\ninputs='i.py:f'", "target 1: has input and inputs; one of them says"),
        (
            "[[target]]\ntarget='a:f'\n[[target]]\ntarget='b:f'\nname='a:f'",
            "target 2: name: 'a:f' is the name of target 1 too; give each a name of its own",
        ),
    ],
)
def test_mistakes(tables, text, words):
    with pytest.raises(ConfigError) as caught:
        tables(text)
    assert str(caught.value).startswith(f"compile-lint.toml: {words}")


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1", 1), ("12b", 12), ("1kB", 1000), ("1K", 1024), ("2 MiB", 2 << 20), ("0.5g", 1 << 29), (7, 7)],
)
def test_sizes(text, number):
    assert target_values.size(text, "--memory-limit") == number


@pytest.mark.parametrize(("text", "number"), [("90", 90.0), ("1.5s", 1.5), ("2m", 120.0), ("1h", 3600.0), (3, 3.0)])
def test_times(text, number):
    assert target_values.seconds(text, "--timeout") == number
