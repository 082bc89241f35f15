"""`compile_lint.confirm`, `assert_compiles` and the fixture, in process."""

import re
import subprocess
import sys

import pytest

pytest.importorskip("torch")

import torch

import compile_lint
from compile_lint.confirm.api import _files, _root

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.torch

HERE = __file__


def doubled(x):
    return x * 2 + 1


def printing(x):
    y = x * 2
    print("y")  # a break
    return y + 1


def scaled(x, n):
    return x * n


class Stateful(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        return self.linear(x).relu()


def line_of(text):
    with open(HERE, encoding="utf-8") as lines:
        return next(number for number, line in enumerate(lines, 1) if text in line)


def test_confirm_a_function(monkeypatch, tmp_path):
    found = compile_lint.confirm(doubled, torch.ones(2, 2))
    assert isinstance(found, compile_lint.Confirmation)
    assert (found.name, found.status, found.calls, found.graphs, found.score) == ("doubled", "ok", 1, (2,), 100.0)
    assert (found.same_result, found.breaks, found.deductions) == (True, (), ())
    assert found.entry.line == line_of("def doubled")
    assert found.predicted_score == 100.0


def test_confirm_a_break(capsys):
    found = compile_lint.confirm(printing, torch.ones(2, 2))
    (one,) = found.breaks
    assert (one.line, one.in_project, one.codes, one.source) == (
        line_of("# a break"),
        True,
        ("CL501",),
        'print("y")  # a break',
    )
    assert (found.graphs, found.score, found.fix_first.score) == ((1, 1), 50.0, 100.0)
    assert found.figures.missed == 0
    html = found._repr_html_()
    assert html.startswith("<div><strong>printing: 50 of 100</strong>")
    assert "print(&quot;y&quot;)" in html
    assert str(found).startswith("printing (printing ")


def test_a_module_and_its_arguments_stay_as_they_are():
    module, x = Stateful(), torch.ones(2, 4)
    state = torch.get_rng_state()
    found = compile_lint.confirm(module, x, inputs=[(torch.ones(3, 4),)])
    assert (found.name, found.calls, found.same_result) == ("Stateful", 2, True)
    assert module.seen.item() == 0
    assert torch.equal(torch.get_rng_state(), state)


def test_inputs():
    x = torch.ones(2)
    found = compile_lint.confirm(scaled, inputs=[(x, 2.0), ((x,), {"n": 3.0})])
    assert found.calls == 2
    with pytest.raises(TypeError, match=re.escape("inputs[0]: must be a tuple of arguments, or (args, kwargs)")):
        compile_lint.confirm(scaled, inputs=[x])
    with pytest.raises(TypeError, match="cannot be called: 3; give a function or a module"):
        compile_lint.confirm(3)


def test_what_eager_raises_is_the_users_error():
    found = compile_lint.confirm(scaled, torch.ones(2))
    assert (found.status, found.score) == ("user-error", None)
    assert "missing 1 required positional argument: 'n'" in found.message


def test_the_project_is_what_the_parts_are_of():
    assert _files(torch.nn.Sequential(Stateful())) == [HERE]
    (linear,) = _files(torch.nn.Linear(2, 2))
    assert _root(linear) == torch.__path__[0]
    assert _files(len) == []


def test_a_file_alone_among_installed_packages_is_all_of_the_project(tmp_path):
    folder = tmp_path / "site-packages"
    (folder / "pkg" / "sub").mkdir(parents=True)
    for path in ("alone.py", "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py"):
        (folder / path).write_text("")
    assert _root(str(folder / "alone.py")) == str(folder / "alone.py")
    assert _root(str(folder / "pkg" / "sub" / "a.py")) == str(folder / "pkg")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "m.py").write_text("")
    assert _root(str(tmp_path / "mine" / "m.py")) == str(tmp_path / "mine")


# assert_compiles


def test_assert_compiles():
    found = compile_lint.assert_compiles(doubled, torch.ones(2, 2))
    assert found.score == 100.0
    compile_lint.assert_compiles(printing, torch.ones(2), max_breaks=1)
    compile_lint.assert_compiles(printing, torch.ones(2), within="some.other.package")


def test_assert_compiles_lists_the_lines():
    with pytest.raises(AssertionError) as caught:
        compile_lint.assert_compiles(printing, torch.ones(2))
    head, count, line, source = str(caught.value).splitlines()
    assert head == "printing does not compile as asked"
    assert count == "  1 graph break, 0 allowed:"
    number = line_of("# a break")
    assert re.fullmatch(rf"    \S*test_api\.py:{number} \(GB\d{{4}}\): .+", line)
    assert source == '      print("y")  # a break'


def test_assert_compiles_counts_recompilations():
    x = torch.ones(2)
    modes = [(x, "a"), (x, "b"), (x, "c")]

    def chosen(x, mode):
        return x + 1 if mode == "a" else x * 2

    compile_lint.assert_compiles(chosen, inputs=modes)
    with pytest.raises(AssertionError, match=r"2 recompilations, 0 allowed:\n.*test_api\.py:\d+ \("):
        compile_lint.assert_compiles(chosen, inputs=modes, max_recompiles=0)


def test_assert_compiles_tells_the_users_error():
    with pytest.raises(AssertionError, match=r"scaled does not compile as asked\n  user-error: .*'n'"):
        compile_lint.assert_compiles(scaled, torch.ones(2))


# how it is imported


@pytest.mark.parametrize(
    "lines",
    [
        "import compile_lint; import compile_lint.confirm.observation",
        "import compile_lint.confirm.observation; import compile_lint",
        "import compile_lint; f = compile_lint.confirm; import compile_lint.confirm.observation",
        "from compile_lint import confirm; import compile_lint; import compile_lint.confirm.observation",
    ],
)
def test_the_name_is_callable_in_any_order_of_imports(lines):
    code = f"import sys\n{lines}\nassert 'torch' not in sys.modules\ncompile_lint.confirm(3)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr.splitlines()[-1] == "TypeError: cannot be called: 3; give a function or a module"


def test_without_torch_the_extra_is_named():
    code = (
        "import sys; sys.modules['torch'] = None\nimport compile_lint\n"
        "try: compile_lint.confirm(len, [])\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "confirm runs the code, and torch is not installed: pip install 'compile-lint[confirm]'\n"


# the plug-in


@pytest.fixture
def plugin(pytester, pytestconfig):
    """Run pytest with the plug-in, whether it is installed or not."""
    given = [] if pytestconfig.pluginmanager.hasplugin("compile_lint") else ["-p", "compile_lint.pytest_plugin"]

    def call(source):
        pytester.makepyfile(source)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *given)

    return call


def test_the_fixture(plugin):
    result = plugin(
        """
        import torch

        def broken(x):
            y = x + 1
            print("y")
            return y * 2

        def test_good(assert_compiles):
            assert assert_compiles(lambda x: x + 1, torch.ones(2)).score == 100

        def test_bad(assert_compiles):
            assert_compiles(broken, torch.ones(2))

        def test_allowed(assert_compiles):
            assert_compiles(broken, torch.ones(2), max_breaks=1)
        """
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E*AssertionError: broken does not compile as asked",
            "E*1 graph break, 0 allowed:",
            "E*test_the_fixture.py:5 (GB*",
            'E*print("y")',
        ]
    )
    assert not any("confirm/api.py" in line for line in result.outlines)  # the user's frame is the last one


def test_unused_it_imports_nothing(plugin):
    plugin(
        """
        import sys

        def test_modules():
            assert "torch" not in sys.modules
            assert "compile_lint.confirm.api" not in sys.modules
        """
    ).assert_outcomes(passed=1)


def test_without_torch_it_skips(plugin):
    plugin(
        """
        import sys
        sys.modules["torch"] = None

        def test_skipped(assert_compiles):
            raise AssertionError
        """
    ).assert_outcomes(skipped=1)


def test_custom_operators_are_checked():
    op = torch.library.custom_op(
        "compile_lint_api::twice", lambda x: x.double(), mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    op.register_fake(torch.empty_like)
    found = compile_lint.confirm(lambda x: op(x), torch.ones(3))
    (seen,) = found.operators
    assert (seen.name, seen.times, seen.status) == ("compile_lint_api::twice", 1, "failed")
    assert seen.differences == ("dtype of the output: float32 by the fake kernel, float64 by the real one",)
    assert "compile_lint_api::twice  failed" in str(found)
