"""Tensors of specifications, calls of `--inputs`, sizes of `--vary`, dtype and device."""

import pytest

torch = pytest.importorskip("torch")

from compile_lint.confirm.load.inputs import call_of, tensor  # noqa: E402
from compile_lint.confirm.targets.specs import DTYPES, TensorSpec  # noqa: E402

pytestmark = pytest.mark.torch
HERE = [name for name in DTYPES if hasattr(torch, name)]
FN = "def fn(x, y=None):\n    return x\n"


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("name", HERE)
def test_every_dtype_can_be_filled(name):
    made = tensor(TensorSpec(name, (2, 3)))
    assert (made.dtype, tuple(made.shape)) == (getattr(torch, name), (2, 3))


def test_the_range_of_values():
    made = tensor(TensorSpec("int64", (1000,), None, 3))
    assert sorted(set(made.tolist())) == [0, 1, 2]
    assert sorted(set(tensor(TensorSpec("uint8", (1000,))).tolist())) == list(range(10))
    made = tensor(TensorSpec("float32", (1000,), -2, -1))
    assert -2 <= made.min() < made.max() < -1
    assert set(tensor(TensorSpec("bool", (1000,))).tolist()) == {True, False}
    assert tensor(TensorSpec("float32", ())).dim() == 0


def test_nested_values():
    arguments, named = call_of(["[float32[2], {'a': int64[3]}]", "y=(1, bool[])"])
    assert (arguments[0][0].shape, arguments[0][1]["a"].dtype) == ((2,), torch.int64)
    assert named["y"][1].dtype == torch.bool


def test_too_much_memory(load, fails):
    from compile_lint.confirm.load.errors import LoadError

    with pytest.raises(LoadError) as caught:
        load("m.py:fn", FN, input=("x=float32[1000000,1000000,1000]",)).fresh()
    assert caught.value.status == "out-of-memory"
    assert caught.value.message.startswith("making --input 'x=float32[1000000,1000000,1000]': RuntimeError: [enforce")


INPUTS = """
import torch
def calls():
    return [(torch.ones(2),), ((torch.ones(3),), {"y": 1}), (torch.ones(4), 2)]
def lone():
    return [torch.ones(2)]
def none():
    return []
def one():
    return torch.ones(2)
def bad():
    raise ValueError("no")
def generated():
    yield (1,)
"""


def test_inputs_of_a_function(load, tmp_path):
    found = load("m.py:fn", {"m.py": FN, "i.py": INPUTS}, inputs=f"{tmp_path}/i.py:calls", vary=("x.0=5",))
    calls = found.fresh().calls
    assert [(len(args[0]), *args[1:], named) for args, named in calls] == [
        (2, {}),
        (3, {"y": 1}),
        (4, 2, {}),
        (5, {}),
    ]
    assert calls[0][0][0] is not found.fresh().calls[0][0][0], "each instance has inputs of its own"
    assert load("m.py:fn", inputs=f"{tmp_path}/i.py:generated").fresh().calls == [((1,), {})]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "lone",
            "--inputs {0}:lone: item 0: must be a tuple of arguments, or (args, kwargs), not a tensor; "
            "write (x,) for one argument",
        ),
        (
            "none",
            "--inputs {0}:none: must return a list of argument tuples, or of (args, kwargs), not an empty list",
        ),
        ("one", "--inputs {0}:one: must return a list of argument tuples, or of (args, kwargs), not a tensor"),
        ("bad", "calling {0}:bad: ValueError: no"),
        ("lnoe", "i.py defines no 'lnoe'; did you mean 'lone'?"),
    ],
)
def test_functions_that_return_no_inputs(load, fails, tmp_path, name, message):
    with fails("user-error", message.format(tmp_path / "i.py")):
        load("m.py:fn", {"m.py": FN, "i.py": INPUTS}, inputs=f"{tmp_path}/i.py:{name}").fresh()


@pytest.mark.parametrize(
    ("inputs", "vary", "sizes"),
    [
        (("x=float32[2,3]",), ("x.0=1,2,4",), [(1, 3), (4, 3)]),
        (("float32[2,3]",), ("x.-1=1", "0.0=5"), [(2, 1), (5, 3)]),
        (("x=int64[2]<4",), ("x.0=0,4",), [(0,), (4,)]),
        (("x=[float32[2], float32[3]]",), ("x.1.0=7",), [[(2,), (7,)]]),
        (("x={'a': float32[2]}",), ("x.a.0=7",), [{"a": (7,)}]),
        (("x=3",), ("x=3,4,-5",), [4, -5]),
        (("x=(float32[0], 1)",), ("x.0.0=2", "x.1=9"), [((2,), 1), ((0,), 9)]),
    ],
)
def test_vary(load, shapes_of, inputs, vary, sizes):
    calls = load("m.py:fn", FN, input=inputs, vary=vary).fresh().calls
    assert [shapes_of(named["x"] if "x" in named else args[0]) for args, named in calls[1:]] == sizes


def test_vary_two_sizes_together(load):
    calls = load("m.py:fn", FN, input=("float32[2,3]", "y=float32[2]"), vary=("x.0,y.0=4",)).fresh().calls
    assert [(args[0].shape[0], named["y"].shape[0]) for args, named in calls] == [(2, 2), (4, 4)]


def test_varied_tensors_keep_their_range_and_share_nothing(load):
    calls = load("m.py:fn", FN, input=("x=5<=int64[2]<7", "y=float32[1]"), vary=("x.0=9",)).fresh().calls
    assert set(calls[1][1]["x"].tolist()) <= {5, 6}
    assert calls[0][1]["y"].data_ptr() != calls[1][1]["y"].data_ptr()


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("z.0=1", "the call has no argument 'z'; valid are 'x', 'y'"),
        ("3.0=1", "there is no argument 3; the call has 2"),
        ("x=1", "x: a tensor needs one dimension after its name, such as x.0"),
        ("x.0.0=1", "x.0.0: a tensor needs one dimension after its name, such as x.0"),
        ("x.2=1", "x.2: the tensor has 2 dimensions, from 0 to 1"),
        ("x.0=-1", "a size cannot be -1"),
        ("y=1", "y is 'a'; only sizes of tensors and ints can be varied"),
        ("y.0=1", "y.0: nothing is at 0 of 'a'"),
    ],
)
def test_vary_what_is_not_there(load, fails, vary, message):
    with fails("user-error", f"--vary {vary!r}: {message}"):
        load("m.py:fn", FN, input=("x=float32[2,3]", "y='a'"), vary=(vary,)).fresh()


def test_dtype(load):
    text = "import torch\ndef make():\n    return torch.nn.Linear(2, 2), (torch.ones(1, 2), torch.ones(1).long())[:1]\n"
    prepared = load(files=text, dtype="float64").fresh()
    assert (prepared.callable.weight.dtype, prepared.calls[0][0][0].dtype) == (torch.float64, torch.float64)
    prepared = load("m.py:fn", FN, dtype="float64", input=("x=[int64[2], float32[2]]",)).fresh()
    assert [each.dtype for each in prepared.calls[0][1]["x"]] == [torch.int64, torch.float64]


def test_settings_that_torch_does_not_have(load, fails):
    version = torch.__version__
    with fails(
        "user-error",
        f"--torch-config: torch {version} has no setting 'capture_scaler_outputs'; "
        "did you mean 'capture_scalar_outputs'?",
    ):
        load("m.py:fn", FN, torch_config={"capture_scaler_outputs": True})
    with fails("user-error", "--backend: torch has no backend 'inductr'; did you mean 'inductor'?"):
        load("m.py:fn", FN, backend="inductr")
    load("m.py:fn", FN, backend="eager", torch_config={"recompile_limit": 3})


def test_fake(load):
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

    text = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.big = torch.nn.Parameter(torch.empty(1 << 20, 1 << 20))
        self.register_buffer("seen", torch.zeros(1))
    def forward(self, x):
        return x @ self.big
real = torch.nn.Linear(2, 2)
tied = torch.nn.Sequential(real, real)
"""
    with FakeTensorMode() as mode:
        pass
    prepared = load("m.py:Net", text, fake=True, input=("x=float32[2,1048576]",), vary=("x.0=3",)).fresh(mode)
    with mode:
        assert isinstance(prepared.callable.big, FakeTensor)
        assert [prepared.callable(*args, **named).shape for args, named in prepared.calls] == [
            (2, 1 << 20),
            (3, 1 << 20),
        ]
    for name in ("real", "tied"):
        prepared = load(f"m.py:{name}", fake=True, input=("float32[2,2]",)).fresh(mode)
        assert all(isinstance(each, FakeTensor) for each in prepared.callable.parameters())
        assert all(isinstance(each, torch.nn.Parameter) for each in prepared.callable.parameters())
        assert len(list(prepared.callable.parameters())) == 2, "what is shared stays shared"
    before = torch.nn.Module._apply
    moves = """
import torch
class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = torch.nn.Linear(2, 2), torch.nn.LSTM(2, 2)
        self.one.weight.requires_grad_(False)
        self.three = self.one
    def forward(self, x):
        return self.two(self.three(x))[0]
def make():
    return Tied().to(torch.bfloat16).double(), (torch.ones(1, 2).double(),)
"""
    prepared = load("moves.py:make", {"moves.py": moves}, fake=True, dtype="float16").fresh(mode)
    assert torch.nn.Module._apply is before
    tied = prepared.callable
    assert {each.dtype for each in (*tied.parameters(), *prepared.calls[0][0])} == {torch.float16}
    assert tied.three is tied.one and tied.three.weight is tied.one.weight
    assert [each.requires_grad for each in tied.one.parameters()] == [False, True]
    with mode:
        assert tied(*prepared.calls[0][0]).dtype == torch.float16
    assert not isinstance(load("m.py:real", input=("float32[2,2]",)).fresh().callable.weight, FakeTensor)


def test_cuda_where_there_is_none(load, fails):
    if torch.version.cuda or torch.cuda.is_available():
        pytest.skip("this torch has CUDA")
    for name in ("cuda", "cuda:1"):
        with fails(
            "unsupported",
            f"--device {name}: torch {torch.__version__} is built without CUDA; use --device cpu",
        ):
            load("m.py:fn", FN, device=name)
    assert load("m.py:fn", FN, device="auto").device == "cpu"


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_cuda(load, fails):
    found = load("m.py:Net", {"m.py": FN + "import torch\nNet = torch.nn.Linear\n"}, device="cuda",
                 init=("in_features=2", "out_features=2"), input=("float32[1,2]",))  # fmt: skip
    assert found.device == f"cuda:0 ({torch.cuda.get_device_name(0)})"
    prepared = found.fresh()
    assert prepared.callable.weight.device == prepared.calls[0][0][0].device == torch.device("cuda", 0)
    count = torch.cuda.device_count()
    if count == 1:
        with fails("unsupported", "--device cuda:1: there is one GPU, cuda:0"):
            load("m.py:fn", device="cuda:1")
    with fails("unsupported", f"--device cuda:{count}: there {'is' if count == 1 else 'are'} "
               + ("one GPU, cuda:0" if count == 1 else f"{count} GPUs, cuda:0 to cuda:{count - 1}")):  # fmt: skip
        load("m.py:fn", device=f"cuda:{count}")
