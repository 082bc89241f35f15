"""What the checklist gives to paste runs, and does what it says."""

import importlib.util

import pytest

from compile_lint.bench.record import Size
from compile_lint.decision import rollout, size_code, warm_up

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]


def _run(code):
    names = {}
    exec(code, names)
    return names


def test_after_warm_up_no_request_compiles(made):
    import torch
    from torch._dynamo.testing import CompileCounter

    class Model(torch.nn.Module):
        def forward(self, x, ids, scale=2):
            return x * scale + ids.sum()

    sizes = made.traffic("static", sizes=(Size((1,), 5), Size((3,), 5), Size((8,), 1)), edges=())
    code = warm_up.snippet(("x=float32[2,3]", "ids=int64[4]"), "no-grad", "cpu", sizes)
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(Model(), backend=counter, dynamic=False)
    _run(code)["warm_up"](compiled)
    assert counter.frame_count == 3
    with torch.no_grad():
        for size in (1, 3, 8):
            compiled(torch.randn(size, 3), torch.zeros(4, dtype=torch.int64))
    assert counter.frame_count == 3


def test_padding_goes_to_the_next_edge(made):
    import torch

    padded = _run(size_code.padding(made.traffic(dimensions=("x.0", "x.1"), edges=((4, 40), (8,)))))["padded"]
    x = torch.ones(3, 5)
    assert padded(x, "x").shape == (4, 8)
    assert torch.equal(padded(x, "x")[:3, :5], x)
    assert padded(x, "x").sum() == 15
    assert padded(torch.ones(41, 8), "x").shape == (41, 8)


def test_marked_sizes_compile_once(made):
    import torch
    from torch._dynamo.testing import CompileCounter

    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x: x + 1, backend=counter)
    code = compile(size_code.dynamic(made.traffic()), "snippet", "exec")
    for size in (3, 4, 40):
        x = torch.ones(size, 3)
        exec(code, {"x": x})
        compiled(x)
    assert counter.frame_count == 1


def test_the_canary_falls_back(caplog):
    import torch

    calls = []

    def model(x):
        calls.append(torch.compiler.is_compiling())
        return x + 1

    serve = _run(rollout.canary("no_such_backend_at_all", "", None).replace("torch.compile(", "broken("))
    assert callable(serve["with_canary"])

    def broken(function, **options):
        def fails(*args):
            raise RuntimeError("compiled call")

        return fails

    serve["broken"] = broken
    call = serve["with_canary"](model, share=1.0)
    assert torch.equal(call(torch.ones(2)), torch.full((2,), 2.0))
    assert "compiled call failed; fell back to eager" in caplog.text
    never = _run(rollout.canary("eager", "", True))["with_canary"](model, share=0.0)
    assert torch.equal(never(torch.ones(2)), torch.full((2,), 2.0))
