import sys

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import read
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets.resolve import resolve

TOML = """
torch-config = { capture_scalar_outputs = true, recompile_limit = 4 }
[[target]]
name = "detr"
target = "models/detr.py:make"
input = ["x=float32[2,3]"]
device = "cpu"
train = true
torch-config = { recompile_limit = 3 }
timeout = 20
[[target]]
target = "pkg.mod:Net"
inputs = "inputs.py:all"
init = { dim = 64 }
"""


@pytest.fixture
def resolved(tmp_path, monkeypatch):
    """Resolve in tmp_path/here, with a configuration in tmp_path/project."""
    (tmp_path / "here").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def call(arguments=(), given=None, toml=TOML):
        file = None
        if toml is not None:
            (tmp_path / "project" / "compile-lint.toml").write_text(toml)
            file = read(tmp_path / "project" / "compile-lint.toml")
        return resolve(arguments, given or {}, file, tmp_path / "here")

    return call


def test_all_of_the_configuration(resolved, tmp_path):
    project = tmp_path / "project"
    assert resolved() == [
        Target(
            name="detr",
            target=f"{project}/models/detr.py:make",
            input=("x=float32[2,3]",),
            device="cpu",
            train=True,
            torch_config={"capture_scalar_outputs": True, "recompile_limit": 3},
            timeout=20.0,
            root=str(project),
        ),
        Target(
            name="pkg.mod:Net",
            target="pkg.mod:Net",
            inputs=f"{project}/inputs.py:all",
            init=("dim=64",),
            torch_config={"capture_scalar_outputs": True, "recompile_limit": 4},
            root=str(project),
        ),
    ]


def test_options_over_the_configuration(resolved, tmp_path):
    given = {
        "inputs": "i.py:f",
        "device": "cuda:1",
        "dtype": "half",
        "train": False,
        "grad": "no-grad",
        "torch-config": ("recompile_limit=2", "a.b=x"),
        "timeout": "2m",
        "memory-limit": "1GiB",
        "seed": "5",
        "vary": ("x.0=1,2",),
        "init": (),
        "mode": None,
    }
    (target,) = resolved(["detr"], given)
    assert target == Target(
        name="detr",
        target=f"{tmp_path}/project/models/detr.py:make",
        inputs=f"{tmp_path}/here/i.py:f",
        vary=("x.0=1,2",),
        device="cuda:1",
        dtype="float16",
        train=False,
        grad="no-grad",
        torch_config={"capture_scalar_outputs": True, "recompile_limit": 2, "a.b": "x"},
        timeout=120.0,
        memory_limit=1 << 30,
        seed=5,
        root=f"{tmp_path}/project",
    )


def test_direct_targets(resolved, tmp_path):
    here = tmp_path / "here"
    assert resolved(["m.py:f", "pkg:g", "detr"], {"input": ("1",)}, TOML)[:2] == [
        Target("m.py:f", f"{here}/m.py:f", ("1",), torch_config={"capture_scalar_outputs": True, "recompile_limit": 4},
               root=str(here)),
        Target("pkg:g", "pkg:g", ("1",), torch_config={"capture_scalar_outputs": True, "recompile_limit": 4},
               root=str(here)),
    ]  # fmt: skip
    assert resolved(["m.py:f"], toml=None) == [Target("m.py:f", f"{here}/m.py:f", root=str(here))]


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        (["dert"], {}, "dert: no target of that name is configured; did you mean 'detr'?"),
        (["m.py"], {}, "TARGET: 'm.py' does not say what to confirm; write it as m.py:name"),
        (["m.py:f", "m.py:f"], {}, "m.py:f: is given twice"),
        (["detr", "detr"], {}, "detr: is given twice"),
        ([], {"input": ("x=1", "x=2")}, "--input: 'x=2': at 1: 'x' is given twice"),
        ([], {"input": ("x=float[",)}, "--input: 'x=float[': at 9: expected a size"),
        ([], {"input": ("1",), "inputs": "i.py:f"}, "--input: goes with no --inputs"),
        ([], {"inputs": "i.py"}, "--inputs: 'i.py' does not say what to confirm; write it as i.py:name"),
        ([], {"init": ("64",)}, "--init: '64': at 1: expected NAME=VALUE"),
        ([], {"vary": ("x",)}, "--vary: 'x': at 2: expected '='"),
        ([], {"device": "gpu"}, "--device: 'gpu' is not valid; "),
        ([], {"device": "cuda:one"}, "--device: 'cuda:one' is not valid; did you mean 'cuda:0'?"),
        ([], {"dtype": "flaot32"}, "--dtype: unknown dtype 'flaot32'; did you mean 'float32'?"),
        (
            [],
            {"dtype": "int64"},
            "--dtype: 'int64' is no floating-point dtype; parameters need one, such as 'bfloat16'",
        ),
        ([], {"grad": "nograd"}, "--grad: 'nograd' is not valid; did you mean 'no-grad'?"),
        ([], {"mode": "fast"}, "--mode: 'fast' is not valid; "),
        ([], {"timeout": "x"}, "--timeout: must be a number of seconds above 0, such as 300 or '5m', not 'x'"),
        ([], {"memory-limit": "x"}, "--memory-limit: must be a size such as '4GiB' or '512MiB', not 'x'"),
        ([], {"torch-config": ("a",)}, "--torch-config: 'a': at 1: expected KEY=VALUE"),
        ([], {"torch-config": ("a=1", "a=2")}, "--torch-config: a is 1 and 2; give it once"),
        (
            [],
            {"torch-config": ("capture_scalar_outputs=3",)},
            "--torch-config: capture_scalar_outputs: must be true or false, not 3",
        ),
        ([], {"devise": "cpu"}, "--devise: is no setting of a target; did you mean 'device'?"),
    ],
)
def test_mistakes(resolved, arguments, given, words):
    with pytest.raises(ConfigError) as caught:
        resolved(arguments, given)
    assert str(caught.value).startswith(words)


def test_mistakes_of_the_configuration_name_it(resolved):
    with pytest.raises(ConfigError) as caught:
        resolved(toml="[[target]]\nname='a'\ntarget='m.py:f'\ninput='x=float31[2]'")
    assert "compile-lint.toml: target 'a': input: 'x=float31[2]': at 3: unknown dtype" in str(caught.value)
    with pytest.raises(ConfigError) as caught:
        resolved(toml="[[target]]\nname='a'\ntarget='m.py'")
    assert "compile-lint.toml: target 'a': target: 'm.py' does not say what to confirm" in str(caught.value)


def test_no_target_at_all(resolved):
    for toml in (None, "select = ['CL1']"):
        with pytest.raises(ConfigError, match="no target: name one"):
            resolved(toml=toml)


def test_torch_is_not_imported():
    import subprocess

    code = "import sys, compile_lint.confirm.targets.resolve; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"
