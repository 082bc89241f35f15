"""Exceptions, fake tensors, and the state that is left behind."""

import logging
import random
import sys

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def test_an_exception_of_the_user_is_a_result(observing):
    seen = observing(
        "def fn(x):\n    y = x * 2\n    return helper(y)\ndef helper(y):\n    raise KeyError('no such thing')\n"
    )
    assert seen.status == "user-error"
    path = seen.entry.path
    assert seen.message == f"KeyError: 'no such thing' ({path}:6), in eager mode, on call 0"
    assert f'File "{path}", line 6, in helper' in seen.traceback
    assert "compile_lint" not in seen.traceback
    assert "overrides.py" not in seen.traceback
    assert seen.error is None
    assert seen.same_result is None
    (covered,) = seen.covered.values()
    assert set(covered) == {3, 4, 6}


def test_an_operation_that_fails_is_told_at_its_line(observing):
    seen = observing("def fn(x):\n    y = x * 2\n    return y @ torch.ones(3)\n")
    assert seen.message.startswith("RuntimeError: ")
    assert f"({seen.entry.path}:4), in eager mode" in seen.message
    assert "operations.py" not in seen.traceback


def test_a_later_call_that_raises_keeps_what_was_seen(observing):
    seen = observing(
        "def fn(x, n):\n    print(end='')\n    return x.reshape(n)\n", "[(torch.ones(4), 4), (torch.ones(4), 3)]"
    )
    assert seen.status == "user-error"
    assert seen.message.endswith("in eager mode, on call 1")
    assert [each.at.line for each in seen.breaks] == [3]


def test_a_factory_that_raises_or_exits_is_a_result(observing):
    seen = observing("def make():\n    raise SystemExit(3)\n")
    assert (seen.status, seen.covered) == ("user-error", {})
    assert seen.message.startswith("SystemExit: 3 (")
    assert seen.message.endswith("while it was made")


def test_an_exception_only_of_the_compiled_call_is_told_apart(observing):
    source = (
        "@torch.library.custom_op('compile_lint_test::nofake', mutates_args=())\n"
        "def op(x: torch.Tensor) -> torch.Tensor:\n"
        "    return x * 2\n"
        "def fn(x):\n"
        "    return op(x + 1)\n"
    )
    seen = observing(source, "[(torch.ones(2),)] * 2")
    assert (seen.status, seen.same_result) == ("ok", False)
    assert (seen.error.kind, seen.error.call, seen.error.place.line) == ("TorchRuntimeError", 0, 6)
    assert seen.error.graph_break_id == "GB4315"
    assert "no fake impl registered" in seen.error.message
    assert "from user code" not in seen.error.message
    assert seen.explain is None  # it raises as well


def test_fake_tensors_are_traced_without_memory(observing):
    source = (
        "def make():\n"
        "    return torch.nn.Sequential(torch.nn.Linear(10**6, 10**6), torch.nn.ReLU())\n"
        "def calls():\n"
        "    return [(torch.ones(2, 10**6),)]\n"
    )
    seen = observing(source, fake=True)
    assert (seen.status, seen.graphs, seen.seen_until, seen.same_result) == ("ok", (2,), None, None)


def test_fake_tensors_are_seen_up_to_a_read_of_their_data(observing):
    seen = observing("def fn(x):\n    y = x + 1\n    if y.sum() > 0:\n        return y\n    return x\n", fake=True)
    assert (seen.status, seen.seen_until.line, seen.error) == ("ok", 4, None)
    assert [(each.at.line, each.graph_break_id) for each in seen.breaks] == [(4, "GB0170")]
    assert seen.recompiles == ()
    (covered,) = seen.covered.values()
    assert covered == (3, 4)


def test_phases_are_told_and_partial_results_reported(observing):
    phases, reports = [], []
    observing("def fn(x):\n    return x\n", "[(torch.ones(2),)] * 2", phase=phases.append, report=reports.append)
    assert phases == ["load", "eager", "load", "explain", "load", "compile", "later_calls"]
    assert reports[0].covered
    assert reports[0].explain is None
    assert reports[-1].same_result is True


def test_the_state_of_torch_is_as_before(observing):
    source = (
        "import random, logging\n"
        "def fn(x):\n"
        "    torch.set_grad_enabled(False)\n"
        "    torch.set_default_dtype(torch.float64)\n"
        "    torch._dynamo.config.recompile_limit = 2\n"
        "    logging.disable(logging.CRITICAL)\n"
        "    random.random()\n"
        "    torch.rand(1)\n"
        "    raise ValueError\n"
    )

    def state():
        loggers = [
            logging.getLogger(f"torch._dynamo.{name}") for name in ("symbolic_convert.__graph_breaks", "convert_frame")
        ]
        return (
            torch.is_grad_enabled(),
            torch.get_default_dtype(),
            torch._dynamo.config.recompile_limit,
            logging.root.manager.disable,
            random.getstate(),
            torch.get_rng_state().tolist(),
            torch._dynamo.eval_frame._stance.stance,
            sys.gettrace(),
            [(logger.level, list(logger.handlers), logger.propagate) for logger in loggers],
            torch._logging._internal.log_state.artifact_names.copy(),
            torch._TorchCompileWrapper.__call__,
        )

    import torch._dynamo

    before = state()
    assert observing(source, torch_config={"capture_scalar_outputs": True}).status == "user-error"
    assert state() == before
    assert torch._dynamo.config.capture_scalar_outputs is False


def test_breaks_are_heard_again_in_the_same_process(tmp_path):
    from compile_lint.confirm.observe import Prepared, Subject, observe
    from compile_lint.confirm.target import Target

    path = tmp_path / "again.py"
    path.write_text("def fn(x):\n    x = x + 1\n    print(end='')\n    return x\n")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    subject = Subject("again", lambda: Prepared(names["fn"], [((torch.ones(2),), {})]), (str(path),))
    first, second = (observe(subject, Target("again", "again")) for _ in range(2))
    assert first.breaks == second.breaks
    assert [each.line for each in second.breaks[0].stack] == [3]


def test_a_target_without_calls_is_told(observing):
    seen = observing("def fn(x):\n    return x\n", "[]")
    assert (seen.status, seen.calls) == ("unsupported", 0)
    assert "no input sets" in seen.message


def test_want_of_memory_is_told_apart(observing):
    seen = observing("def fn(x):\n    raise torch.OutOfMemoryError('CUDA out of memory')\n")
    assert (seen.status, seen.graphs) == ("out-of-memory", ())
    assert seen.message.startswith("OutOfMemoryError: CUDA out of memory (")


@pytest.mark.gpu
def test_the_device_is_named(observing):
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    seen = observing("def fn(x):\n    return x + 1 if x.is_cuda else x\n", "[(torch.ones(2, device='cuda'),)]")
    assert seen.device == f"cuda:0 ({torch.cuda.get_device_name(0)})"
    assert (seen.graphs, seen.same_result) == ((1,), True)
