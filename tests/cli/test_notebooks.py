import ast
import json
from pathlib import Path

import jsonschema
import pytest

from compile_lint._data import json_schema

BROKEN = Path(__file__).parents[2] / "fixtures" / "broken"
MODEL = """\
%matplotlib inline
import torch

@torch.compile
def fn(x: torch.Tensor):
    return helper(x)
"""
HELPER = "def helper(x):\n    y = x + 1\n    return y.item()\n"


@pytest.fixture
def notebook(tmp_path):
    """Write a notebook of code cells beside a first cell of text; gives its path."""

    def write(*cells, name="nb.ipynb"):
        made = [{"cell_type": "markdown", "metadata": {}, "source": ["# Model"]}]
        for text in cells:
            made.append(
                {
                    "cell_type": "code",
                    "execution_count": 1,
                    "metadata": {},
                    "outputs": [{"output_type": "stream", "name": "stdout", "text": ["import torch\n"]}],
                    "source": text.splitlines(True),
                }
            )
        path = tmp_path / name
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}, indent=1))
        return path

    return write


def test_a_finding_names_cell_and_line(notebook, command):
    path = notebook(HELPER, MODEL)
    before = path.read_bytes()
    result = command(".", "--target-torch", "2.13")
    assert result.code == 1
    assert result.err == ""
    assert result.out.startswith(
        "nb.ipynb:cell 2:3:12: CL201 tensor-item [break] "
        "`.item()` reads `y` on the host (comes from `x + 1`, cell 2, line 2)\n"
        "  |\n"
        "1 | def helper(x):\n"
        "2 |     y = x + 1\n"
        "3 |     return y.item()\n"
        "  |            ^^^^^^^^\n"
    )
    assert "in: `helper`, reached from `fn`" in result.out
    assert path.read_bytes() == before


def test_the_score_names_the_cell(notebook, command):
    notebook("import torch\n", "@torch.compile\ndef fn(x):\n    x = x * 2\n    print(x)\n    return x + 1\n")
    result = command("nb.ipynb", "--target-torch", "2.13")
    assert "fn  nb.ipynb:cell 3:2  2 operations in 2 graphs; CL501 cell 3 line 4 -50" in result.out


def test_concise(notebook, command):
    notebook(HELPER, MODEL)
    result = command("nb.ipynb", "--format", "concise", "-q")
    assert result.out == (
        "nb.ipynb:cell 2:3:12: CL201 `.item()` reads `y` on the host (comes from `x + 1`, cell 2, line 2)\n"
    )


def test_json(notebook, command, tmp_path):
    notebook(HELPER, MODEL)
    (tmp_path / "m.py").write_text("import torch\n@torch.compile\ndef fn(x):\n    print(x)\n    return x + 1\n")
    document = json.loads(command(".", "--format", "json").out)
    jsonschema.validate(document, json.loads(json_schema().read_text()))
    places = [(one["path"], one["cell"], one["line"], one["end_line"]) for one in document["findings"]]
    assert places == [("m.py", None, 4, 4), ("nb.ipynb", 2, 3, 3)]
    assert [(one["path"], one["cell"], one["line"]) for one in document["scores"]] == [
        ("m.py", None, 3),
        ("nb.ipynb", 3, 5),
    ]


def test_suppressions_in_cells(notebook, command):
    notebook(
        HELPER.replace("return y.item()", "# compile-lint: ignore[CL201] once\n    return y.item()"),
        MODEL,
        "z = 1  # compile-lint: ignore[CL201]\n",
    )
    result = command("nb.ipynb", "--format", "concise", "-q")
    assert result.out == "nb.ipynb:cell 4:1:8: CL901 the suppression of CL201 silences nothing\n"
    notebook("# compile-lint: file-ignore[CL201]\n", HELPER, MODEL)
    assert command("nb.ipynb", "-q").out == ""


def test_findings_are_sorted_by_cell(notebook, command):
    body = "@torch.compile\ndef f{0}(x):\n    print(x)\n    return x + 1\n"
    notebook("import torch\n\n\n\n\n" + body.format(1), *(body.format(number) for number in range(2, 12)))
    lines = command("nb.ipynb", "--format", "concise", "-q").out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "nb.ipynb:cell 2:8:5",
        *(f"nb.ipynb:cell {number}:3:5" for number in range(3, 13)),
    ]


def test_a_syntax_error(notebook, command):
    notebook("import torch\n", "x = 1\nif x:\ny = 2\n")
    result = command("nb.ipynb", "--format", "concise", "-q")
    assert result.out.startswith("nb.ipynb:cell 3:3:1: CL900 cannot be parsed: expected an indented block")
    assert result.out.endswith("'if' statement in cell 3, line 2\n")


def test_a_damaged_notebook_does_not_stop_the_others(notebook, command, tmp_path):
    notebook(HELPER, MODEL)
    (tmp_path / "bad.ipynb").write_text('{"cells": [\n')
    (tmp_path / "r.ipynb").write_text('{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}')
    result = command(".", "--format", "concise")
    assert result.code == 2
    assert result.err.splitlines() == [
        "error: bad.ipynb: line 2: is no notebook, for it is not valid JSON: Expecting value, column 1; "
        "restore it, or mend it in a text editor",
        "note: r.ipynb: is a notebook in R: skipped, for only Python is read",
    ]
    assert result.out.startswith("nb.ipynb:cell 2:3:12: CL201")


def test_standard_input(notebook, command):
    data = notebook(HELPER, MODEL).read_bytes()
    result = command("-", "--stdin-filename", "other.ipynb", "--format", "concise", "-q", stdin=data)
    assert result.out.startswith("other.ipynb:cell 2:3:12: CL201")


def test_a_notebook_is_never_imported(notebook, command, tmp_path):
    """A notebook called like a package must not stand for it."""
    notebook("import torch\n\n@torch.compile\ndef fn(x):\n    return torch.nonzero(x)\n", name="torch.ipynb")
    (tmp_path / "m.py").write_text("import torch\n\n@torch.compile\ndef fn(x):\n    return torch.nonzero(x)\n")
    lines = command(".", "--format", "concise", "-q").out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["m.py:5:12:", "torch.ipynb:cell"]


def test_per_file_ignores(notebook, command):
    notebook(HELPER, MODEL)
    assert command("nb.ipynb", "-q", "--per-file-ignores", "*.ipynb:CL2").out == ""


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.py")), ids=lambda path: path.stem)
def test_cells_are_linted_as_the_file_they_were(notebook, command, path):
    """A model that is cut into a cell for each statement has the findings that it had, each in its cell."""
    lines = path.read_text(encoding="utf-8").splitlines(True)
    starts = [min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
              for node in ast.parse("".join(lines)).body]  # fmt: skip
    starts[0] = 1
    cells = [
        "".join(lines[start - 1 : end - 1]) for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True)
    ]
    notebook(*(f"%time\n{cell}" for cell in cells))
    as_file = json.loads(command(path, "--format", "json").out)
    as_cells = json.loads(command("nb.ipynb", "--format", "json").out)

    def place(one):
        return starts[one["cell"] - 2] + one["line"] - 2

    assert [(one["code"], one["line"], one["column"], one["function"]) for one in as_file["findings"]] == [
        (one["code"], place(one), one["column"], one["function"]) for one in as_cells["findings"]
    ]
    assert [(one["entry"], one["line"], one["score"], one["graphs"]) for one in as_file["scores"]] == [
        (one["entry"], place(one), one["score"], one["graphs"]) for one in as_cells["scores"]
    ]
