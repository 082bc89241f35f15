"""What else a remembered result rests on: where absolute imports lead, cells of notebooks, decorators of classes."""

import json
import os

from compile_lint import analysis
from compile_lint.cache import Folder
from compile_lint.discover import Sources, find
from compile_lint.effort import Effort
from compile_lint.settings import Settings

NET = """
    import torch
    from pkg.helper import limit

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


def found(report):
    return [(finding.path, finding.line, finding.code) for finding in report.findings]


def agrees(tree, **settings):
    report = tree.run(**settings)
    analysed = list(tree.analysed)
    assert report == tree.run(cached=False, **settings)
    tree.analysed[:] = analysed
    return report


def test_a_package_that_becomes_known_in_another_folder(tree):
    tree.write(net=NET)
    assert found(agrees(tree)) == []
    tree.write(**{"src/pkg/__init__": "", "src/pkg/helper": BREAKS})
    assert found(agrees(tree)) == [("src/pkg/helper.py", 3, "CL101")]
    assert "net.py" in tree.analysed
    assert found(agrees(tree)) == [("src/pkg/helper.py", 3, "CL101")]
    assert tree.analysed == []


def notebook(*cells):
    made = [{"cell_type": kind, "metadata": {}, "source": source, "outputs": []} for kind, source in cells]
    metadata = {"kernelspec": {"language": "python", "name": "python3", "display_name": "p"}}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def test_a_cell_of_text_moves_the_others(tree):
    code = "import torch\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"
    (tree.root / "nb.ipynb").write_text(notebook(("code", code)))
    (score,) = agrees(tree).scores
    assert score.cell == 1
    (tree.root / "nb.ipynb").write_text(notebook(("markdown", "# Title"), ("code", code)))
    (score,) = agrees(tree).scores
    assert score.cell == 2


def test_a_decorator_in_another_file(tree):
    model = """
        import torch
        from tools import dispatch

        @dispatch
        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return x.item()
        """
    tree.write(net=model, tools="def dispatch(cls):\n    return cls\n")
    assert [finding.confidence for finding in agrees(tree).findings] == ["certain"]
    tree.write(tools="def dispatch(cls):\n    cls.forward = len\n    return cls\n")
    assert [finding.confidence for finding in agrees(tree).findings] == ["likely"]


def test_files_that_are_only_read_have_results_of_their_own(tree):
    tree.write(net=NET, **{"pkg/__init__": "", "pkg/helper": BREAKS + "\n\n    def other(x):\n        return x\n"})

    def run(named):
        tree.analysed.clear()
        sources = Sources(find(["."], [".compile_lint_cache"], False, os.getcwd()).files)
        effort = Effort(Folder(tree.cache))
        settings = Settings(target_torch="2.13")
        return analysis.analyze(sources, settings, tree.rules, None, effort, named)

    assert found(run({"net.py"})) == [("pkg/helper.py", 3, "CL101")]
    assert tree.analysed == ["net.py"]
    assert found(run({"pkg/helper.py"})) == []
    assert tree.analysed == ["pkg/helper.py"]
    assert found(run(None)) == [("pkg/helper.py", 3, "CL101")]
    assert tree.analysed == ["pkg/__init__.py"]
