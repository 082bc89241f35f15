"""A remembered result holds for as long as nothing that it rests on has changed, and no longer."""

from textwrap import dedent

import pytest

from compile_lint.analysis import analyze
from compile_lint.cache import Folder
from compile_lint.effort import Effort
from compile_lint.findings import Source
from compile_lint.settings import Settings

NET = """
    import torch
    from helper import limit

    class Net(torch.nn.Module):
        def forward(self, x):
            return limit(x)
    """
BREAKS = """
    def limit(x):
        if x.sum() > 0:
            return x
        return -x
    """
CLEAN = """
    def limit(x):
        return x.abs()
    """
OTHER = """
    import torch

    class Other(torch.nn.Module):
        def forward(self, x):
            return x
    """


def found(report):
    return [(finding.path, finding.line, finding.code) for finding in report.findings]


def agrees(tree, **settings):
    """The report of a run with the cache, which is that of a run without."""
    report = tree.run(**settings)
    analysed = list(tree.analysed)
    assert report == tree.run(cached=False, **settings)
    tree.analysed[:] = analysed
    return report


def test_nothing_is_analysed_twice(tree):
    tree.write(net=NET, helper=BREAKS, other=OTHER)
    first = agrees(tree)
    assert found(first) == [("helper.py", 3, "CL101")]
    assert agrees(tree) == first
    assert tree.analysed == []


def test_an_edit_of_a_helper_changes_its_callers_and_no_other(tree):
    tree.write(net=NET, helper=BREAKS, other=OTHER)
    agrees(tree)
    tree.write(helper=CLEAN)
    assert found(agrees(tree)) == []
    assert tree.analysed == ["helper.py", "net.py"]
    tree.write(helper=BREAKS)
    assert found(agrees(tree)) == [("helper.py", 3, "CL101")]


def test_an_edit_of_the_file_itself(tree):
    tree.write(net=NET, helper=CLEAN, other=OTHER)
    agrees(tree)
    tree.write(other=OTHER.replace("return x", "return x.item()"))
    assert [code for _, _, code in found(agrees(tree))] == ["CL201"]
    assert tree.analysed == ["other.py"]


def test_a_file_that_was_looked_for_and_was_not_there(tree):
    tree.write(net=NET, other=OTHER)
    assert found(agrees(tree)) == []
    tree.write(helper=BREAKS)
    assert found(agrees(tree)) == [("helper.py", 3, "CL101")]
    assert tree.analysed == ["helper.py", "net.py"]


def test_a_file_that_is_gone(tree):
    tree.write(net=NET, helper=BREAKS)
    agrees(tree)
    (tree.root / "helper.py").unlink()
    assert found(agrees(tree)) == []
    assert tree.analysed == ["net.py"]


def test_a_submodule_that_appears_in_a_package_that_was_there(tree):
    tree.write(**{"pack/__init__": "", "net": NET.replace("from helper", "from pack.helper")})
    assert found(agrees(tree)) == []
    tree.write(**{"pack/helper": BREAKS})
    assert found(agrees(tree)) == [("pack/helper.py", 3, "CL101")]


def test_a_name_that_was_looked_for_in_a_package(tree):
    tree.write(**{"pack/__init__": "", "pack/deep": BREAKS, "net": NET.replace("from helper", "from pack")})
    assert found(agrees(tree)) == []
    tree.write(**{"pack/__init__": "from pack.deep import limit"})
    assert found(agrees(tree)) == [("pack/deep.py", 3, "CL101")]


def test_a_helper_that_could_not_be_parsed(tree):
    tree.write(net=NET, helper="def limit(x:")
    assert [code for _, _, code in found(agrees(tree))] == ["CL900"]
    tree.write(helper=BREAKS)
    assert found(agrees(tree)) == [("helper.py", 3, "CL101")]


def test_a_base_class_in_a_file_that_is_reached_by_two_steps(tree):
    base = "import torch\nclass Base(torch.nn.Module):\n    def forward(self, x):\n        return self.inner(x)\n"
    inner = "    def inner(self, x):\n        return x\n"
    tree.write(base=base + inner, middle="from base import Base")
    tree.write(net="from middle import Base\nimport torch\nclass Net(Base):\n    def other(self):\n        pass\n")
    assert found(agrees(tree)) == []
    tree.write(base=base + inner.replace("return x", "return x.item()"))
    assert {code for _, _, code in found(agrees(tree))} == {"CL201"}
    assert set(tree.analysed) == {"base.py", "net.py"}


OPERATOR = """
    import torch

    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.ops.mine.double(x)
    """
DECLARED = """
    import torch

    @torch.library.custom_op("mine::double", mutates_args=())
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @double.register_fake
    def _(x):
        return torch.empty_like(x)
    """


def test_an_operator_that_another_file_declares(tree):
    tree.write(net=OPERATOR, other=OTHER)
    first = agrees(tree)
    assert [path for path, _, _ in found(first)] == ["net.py"]
    tree.write(operators=DECLARED)
    agrees(tree)
    assert tree.analysed == ["net.py", "operators.py"]


def test_the_name_of_the_module(tree):
    def run(root):
        sources = [Source("lib/net.py", dedent(OTHER), "utf-8", root)]
        tree.analysed.clear()
        analyze(sources, Settings(target_torch="2.13"), tree.rules, None, Effort(Folder(tree.cache)))
        return list(tree.analysed)

    assert run("lib") == ["lib/net.py"]
    assert run("lib") == []
    assert run("") == ["lib/net.py"]  # it is called lib.net now


@pytest.mark.parametrize(
    "settings", [{"min_confidence": "possible"}, {"entry_points": ("limit",)}, {"torch_config": {"trace_numpy": False}}]
)
def test_settings_are_part_of_it(tree, settings):
    tree.write(net=NET, helper=BREAKS)
    agrees(tree)
    agrees(tree, **settings)
    assert tree.analysed == ["helper.py", "net.py"]
    agrees(tree)
    assert tree.analysed == []


def test_an_analysis_that_went_wrong_is_not_remembered(tree, monkeypatch):
    from compile_lint.inference.engine import Engine

    tree.write(net=NET, helper=CLEAN)
    with monkeypatch.context() as patched:
        patched.setattr(Engine, "analyse_entry", lambda *args: 1 / 0)
        assert [error.path for error in tree.run().errors] == ["net.py"]
    assert agrees(tree).errors == ()
    assert tree.analysed == ["net.py"]
