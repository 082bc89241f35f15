"""The checks of recorded operators: what torch.library.opcheck says, and what the comparison of outputs finds."""

import itertools

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

NAMESPACE = "compile_lint_opcheck"


@pytest.fixture(scope="module")
def library():
    lib = torch.library.Library(NAMESPACE, "DEF")
    yield lib
    lib._destroy()


@pytest.fixture
def check(library):
    """Define an operator by its schema, real and fake kernel, call it with the arguments, and check it."""
    from compile_lint.confirm.observe.called import Recorder
    from compile_lint.confirm.observe.metadata import copy
    from compile_lint.confirm.observe.opcheck import checked
    from compile_lint.confirm.observe.places import Places

    def call(schema, real, fake, *calls, key="CPU"):
        library.define(schema)
        name = schema.partition("(")[0]
        library.impl(name, real, key)
        if fake is not None:
            library.impl(name, fake, "Meta")
        recorder = Recorder(Places(()), copy)
        with recorder.recording():
            for args in calls:
                getattr(getattr(torch.ops, NAMESPACE), name)(*args)
        return checked(recorder.called[f"{NAMESPACE}::{name}.default"])

    return call


def results(seen):
    return {each.name: each.result for each in seen.checks if each.result != "passed"}


def test_a_sound_operator(check):
    seen = check("sound(Tensor x) -> Tensor", lambda x: x * 2, torch.empty_like, (torch.ones(3),), (torch.ones(2, 0),))
    assert (seen.status, results(seen), seen.differences, len(seen.samples)) == ("passed", {}, (), 2)
    assert [each.name for each in seen.checks] == [
        "schema", "autograd-registration", "fake-tensor", "aot-dispatch-dynamic", "metadata",
    ]  # fmt: skip


def test_no_fake_kernel(check):
    seen = check("bare(Tensor x) -> Tensor", lambda x: x * 2, None, (torch.ones(3),))
    assert seen.status == "failed"
    assert results(seen) == {"fake-tensor": "failed", "aot-dispatch-dynamic": "failed", "metadata": "skipped"}
    assert "no fake kernel is registered" in seen.checks[2].message


@pytest.mark.parametrize(
    ("name", "real", "fake", "difference"),
    [
        (
            "strides",
            lambda x: x.t().contiguous().t(),
            torch.empty_like,
            "strides of the output: [3, 1] by the fake kernel, [1, 2] by the real one",
        ),
        (
            "dtype",
            lambda x: x.double(),
            torch.empty_like,
            "dtype of the output: float32 by the fake kernel, float64 by the real one",
        ),
        (
            "shape",
            lambda x: x.sum(0),
            torch.empty_like,
            "shape of the output: [2, 3] by the fake kernel, [3] by the real one",
        ),
        (
            "mutates",
            lambda x: x.add_(1) * 2,
            torch.empty_like,
            "argument `x` is changed, and the schema does not say so",
        ),
        (
            "view",
            lambda x: x.view(-1),
            lambda x: x.new_empty(6),
            "the output has the memory of argument `x`, and the schema does not say so",
        ),
    ],
)
def test_a_kernel_that_does_not_do_what_is_promised(check, name, real, fake, difference):
    seen = check(f"{name}(Tensor x) -> Tensor", real, fake, (torch.ones(2, 3),))
    assert seen.status == "failed"
    assert seen.differences[0].startswith(difference)


def test_several_outputs(check):
    def real(xs):
        y = xs[0] * 2
        return [y, y[:1]]

    seen = check("pair(Tensor[] xs) -> Tensor[]", real, lambda xs: [torch.empty_like(xs[0])], ([torch.ones(2)],))
    assert "outputs 0 and 1 have the same memory" in seen.differences
    assert "the fake kernel returns 1 values, the real one 2" in seen.differences


def test_strides_that_tell_nothing_apart(check):
    def fake(x):
        return x.new_empty_strided((1, 3), (7, 1))

    seen = check("single(Tensor x) -> Tensor", lambda x: x * 2, fake, (torch.ones(1, 3),))
    assert seen.differences == ()


def test_a_mutation_that_is_declared(check):
    def fake(x):
        return None

    seen = check("declared(Tensor(a!) x) -> ()", lambda x: (x.add_(1), None)[1], fake, (torch.ones(3),))
    assert (seen.status, seen.differences) == ("passed", ())


def test_sizes_that_only_data_tells(check):
    def fake(x):
        return x.new_empty(torch.library.get_ctx().new_dynamic_size())

    op = torch.library.custom_op(
        f"{NAMESPACE}::positive", lambda x: x[x > 0], mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    op.register_fake(fake)
    from compile_lint.confirm.observation import OperatorSeen
    from compile_lint.confirm.observe.called import Called
    from compile_lint.confirm.observe.opcheck import checked

    called = Called(OperatorSeen("a::b", "default", "", 0), op._opoverload, [((torch.tensor([1.0, -1.0, 2.0]),), {})])
    assert (checked(called).status, checked(called).differences) == ("passed", ())


def test_a_composite_operator_may_return_what_it_was_given(check):
    seen = check(
        "through(Tensor x) -> Tensor", lambda x: x.view(-1), None, (torch.ones(2, 3),), key="CompositeImplicitAutograd"
    )
    assert (results(seen).get("metadata"), seen.differences) == (None, ())


def test_another_result_each_time_is_no_failure(check):
    numbers = itertools.count()
    seen = check("counts(Tensor x) -> Tensor", lambda x: x * 0 + next(numbers), torch.empty_like, (torch.ones(9),))
    assert (seen.status, results(seen)) == ("passed", {"aot-dispatch-dynamic": "skipped"})


def test_no_autograd_formula_of_a_custom_op_is_told():
    from compile_lint.confirm.observation import OperatorSeen
    from compile_lint.confirm.observe.called import Called
    from compile_lint.confirm.observe.opcheck import checked

    op = torch.library.custom_op(f"{NAMESPACE}::plain", lambda x: x * 2, mutates_args=(), schema="(Tensor x) -> Tensor")
    op.register_fake(torch.empty_like)
    sample = ((torch.ones(3, requires_grad=True),), {})
    seen = checked(Called(OperatorSeen("a::b", "default", "", 0), op._opoverload, [sample]))
    assert (seen.status, results(seen)) == ("passed", {"aot-dispatch-dynamic": "skipped"})
    assert "no autograd formula" in seen.checks[3].message


def test_copies_keep_strides():
    from compile_lint.confirm.observe.metadata import copy

    for tensor in (torch.ones(4, 6)[:, ::2], torch.ones(2, 3).t(), torch.ones(3).expand(2, 3), torch.ones(())):
        made = copy([tensor])[0]
        assert torch.equal(made, tensor)
        assert made.data_ptr() != tensor.data_ptr()
    assert copy(torch.ones(4, 6)[:, ::2]).stride() == (6, 2)
    assert copy(torch.ones(2, 3, requires_grad=True).t()).requires_grad
    assert copy(3) == 3
