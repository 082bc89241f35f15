"""Graph breaks, and what is not in any graph. Line 1 of each source is `import torch`."""

import sys

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def lines(observation):
    return [(each.project.line, each.graph_break_id) for each in observation.breaks]


def test_what_compiles_has_one_graph_and_nothing_outside(observing):
    seen = observing("def fn(x):\n    y = x + 1\n    return y * 2 + x.shape[0]\n")
    assert (seen.status, seen.breaks, seen.graphs, seen.ops_outside_graphs) == ("ok", (), (3,), 0)
    assert (seen.compiled_graphs, seen.calls, seen.same_result) == (1, 1, True)
    assert (seen.entry.line, seen.entry.function) == (2, "fn")
    assert seen.guards > 0
    assert seen.explain.graph_count == 1
    assert seen.explain.ops_per_graph == (3,)


def test_a_value_read_in_python_splits_the_graph(observing):
    seen = observing("def fn(x):\n    y = x + 1\n    n = y.sum().item()\n    return y * n\n")
    (broken,) = seen.breaks
    assert (broken.at.line, broken.at.function, broken.project, broken.in_project) == (4, "fn", broken.at, True)
    assert (broken.graph_break_id, broken.frame_skipped, broken.times, broken.call) == ("GB0124", False, 1, 0)
    assert broken.url.endswith("/gb0124.html")
    assert "capture_scalar_outputs = True" in broken.hint
    assert broken.reason.startswith("Unsupported Tensor.item() call")
    assert seen.graphs == (2, 1)
    assert seen.ops_outside_graphs == 0
    assert seen.explain.graph_break_count == 1


def test_a_break_in_a_loop_gives_up_the_frame(observing):
    seen = observing("def fn(x):\n    for i in range(3):\n        x = x + i\n        print(end='')\n    return x\n")
    (broken,) = seen.breaks
    assert (broken.at.line, broken.frame_skipped, broken.skip_reason) == (5, True, "GB7000 graph break in loop")
    assert (seen.graphs, seen.ops_outside_graphs) == ((), 3)
    assert seen.explain.graph_count == 0  # explain has seen nothing
    assert seen.explain.graph_break_count == 0


def test_the_stack_is_the_users(observing):
    seen = observing(
        "class M(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return helper(x + 1) * 2\n"
        "def helper(x):\n"
        "    return x + len(x.tolist())\n"
        "def make():\n"
        "    return M()\n"
    )
    (broken,) = seen.breaks
    assert [(place.line, place.function) for place in broken.stack] == [(4, "M.forward"), (6, "helper")]
    assert (seen.entry.function, seen.entry.line) == ("M.forward", 3)


def test_one_line_is_one_break_however_often(observing):
    source = (
        "class Block(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return x * x.max().item()\n"
        "def make():\n"
        "    return torch.nn.Sequential(Block(), Block(), Block())\n"
    )
    (broken,) = observing(source).breaks
    assert broken.at.line == 4
    assert broken.times >= 2


def test_a_break_inside_a_library_is_charged_to_the_line_of_the_project(observing, tmp_path, monkeypatch):
    library = tmp_path / "venv" / "site-packages" / "some_library.py"
    library.parent.mkdir(parents=True)
    library.write_text("def scale(x):\n    return x * x.sum().item()\n")
    monkeypatch.syspath_prepend(str(library.parent))
    seen = observing(
        "import some_library\ndef fn(x):\n    y = x + 1\n    return some_library.scale(y)\n", project=(str(tmp_path),)
    )
    del sys.modules["some_library"]
    (broken,) = seen.breaks
    assert (broken.at.path, broken.at.line, broken.in_project) == (str(library), 2, False)
    assert (broken.project.line, broken.project.function) == (5, "fn")
    assert seen.covered[str(library)] == (2,)


def test_a_line_that_is_only_named_for_another_break_says_so(observing):
    seen = observing(
        "def fn(x):\n    y = x + 1\n    if any(t.sum() > 100 for t in [y, y * 2]):\n        return y\n"
        "    return y * 2\n"
    )
    cause, named = seen.breaks
    assert (cause.graph_break_id, named.graph_break_id) == ("GB0170", "GB8335")
    assert cause.frame_skipped
    assert named.consequence_of == f"{cause.at.path}:{cause.at.line}"
    assert (cause.project.line, named.at.line) == (4, 4)


def test_a_disabled_function_runs_outside(observing):
    seen = observing("@torch.compiler.disable\ndef g(x):\n    return x * 2 + 1\ndef fn(x):\n    return g(x - 1) * 3\n")
    assert lines(seen) == [(6, "GB0098")]
    assert (seen.graphs, seen.ops_outside_graphs) == ((1, 1), 2)


def test_lines_that_ran_are_told(observing):
    seen = observing(
        "def fn(x):\n    if x.dim() == 3:\n        return x\n    return helper(x)\n"
        "def helper(x):\n    return [\n        x + 1]\n"
    )
    (covered,) = seen.covered.values()
    assert set(covered) >= {3, 5, 7}
    assert 4 not in covered


def test_a_target_that_compiles_itself_is_observed_as_it_is(observing):
    source = (
        "@torch.compile\n"
        "def step(x):\n"
        "    print(end='')\n"
        "    return x + 1\n"
        "def fn(x):\n"
        "    x = step(x)\n"
        "    print(end='')\n"
        "    return step(x)\n"
    )
    seen = observing(source)
    assert lines(seen) == [(4, "GB0059")]  # fn itself is not compiled
    assert seen.explain is None
    assert seen.graphs == (1, 1)
    assert "torch._inductor.compile_fx" not in sys.modules or seen.compiled_graphs == 1


def test_a_module_that_is_compiled_already_is_observed_as_it_is(observing):
    seen = observing("def make():\n    return torch.compile(torch.nn.Linear(4, 4), backend='aot_eager')\n")
    assert (seen.explain, seen.graphs, seen.entry.function) == (None, (1,), "Linear.forward")


def test_a_named_backend_compiles_the_graphs_that_are_counted(observing):
    seen = observing("def fn(x):\n    print(end='')\n    return (x + 1).relu()\n", backend="aot_eager")
    assert (seen.graphs, seen.same_result, lines(seen)) == ((2,), True, [(3, "GB0059")])


def test_settings_of_torch_are_applied(observing):
    source = "def fn(x):\n    return x * x.sum().item()\n"
    assert observing(source, torch_config={"capture_scalar_outputs": True}).breaks == ()
    seen = observing(source, torch_config={"capture_scalar_output": True})
    assert (seen.status, seen.message) == ("unsupported", "torch._dynamo.config has no setting capture_scalar_output")


def test_an_unknown_backend_is_told(observing):
    seen = observing("def fn(x):\n    return x\n", backend="egaer")
    assert seen.status == "unsupported"
    assert seen.message.startswith("torch has no backend egaer; it has ")


def test_a_comprehension_in_a_skipped_frame_is_named_for_that_only(observing):
    source = (
        "def fn(x):\n"
        "    parts = [p + 1 for p in [x, x]]\n"
        "    for p in parts:\n"
        "        print(end='')\n"
        "    return parts[0]\n"
    )
    seen = observing(source)
    assert {each.at.line for each in seen.breaks if not each.consequence_of} == {5}
    assert {each.consequence_of for each in seen.breaks if each.at.line == 3} <= {f"{seen.entry.path}:5"}


def test_a_module_compiled_in_place_is_observed_as_it_is(observing):
    source = (
        "class M(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return x + 1\n"
        "def make():\n"
        "    module = M()\n"
        "    module.compile(backend='eager')\n"
        "    return module\n"
    )
    seen = observing(source)
    assert (seen.explain, seen.graphs) == (None, (1,))


def test_an_unbroken_graph_is_asked_for(observing):
    source = "@torch.compile(fullgraph=True, backend='eager')\ndef fn(x):\n    print(x)\n    return x + 1\n"
    seen = observing(source)
    assert (seen.error.place.line, seen.error.graph_break_id, seen.breaks) == (4, "GB0059", ())


@pytest.mark.parametrize(("grad", "expected"), [("grad", "True"), ("no-grad", "False"), ("inference-mode", "False")])
def test_grad_mode_is_applied(observing, grad, expected):
    source = "def fn(x):\n    if torch.is_grad_enabled():\n        return x + 1\n    return x + 2\n"
    seen = observing(source, grad=grad)
    (covered,) = seen.covered.values()
    assert (4 in covered) == (expected == "True")
    assert (seen.same_result, seen.breaks) == (True, ())
