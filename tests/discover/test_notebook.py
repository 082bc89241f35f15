import json

import pytest

from compile_lint.cells import in_cell, line_in_words, locate
from compile_lint.discover import File, Sources, decode, find
from compile_lint.findings import Cell, FileError, Finding, Source


def _v4(*cells, **metadata):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}


def _code(source, **more):
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source, **more}


def _markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _read(document):
    return decode(json.dumps(document).encode(), "n.ipynb")


def _source(document):
    source = _read(document)
    assert isinstance(source, Source), source
    return source


def test_cells_are_one_module():
    source = _source(_v4(_markdown("# Title"), _code(["x = 1\n", "y = 2"]), _code("z = x\n"), _code("")))
    assert source.text == "\nx = 1\ny = 2\n\nz = x\n\n\n"
    assert source.cells == (Cell(2, 2, "x = 1\ny = 2"), Cell(3, 5, "z = x\n"), Cell(4, 7, ""))
    assert [cell.lines for cell in source.cells] == [2, 1, 1]


def test_lines_of_the_module_and_of_the_cells():
    cells = _source(_v4(_code("a\nb\nc\n"), _markdown("m"), _code("d\r\ne"), _code("f"))).cells
    places = {line: locate(cells, line) for line in range(1, 12)}
    assert {line: places[line] for line in (2, 3, 4)} == {2: (1, 1), 3: (1, 2), 4: (1, 3)}
    assert {line: places[line] for line in (6, 7)} == {6: (3, 1), 7: (3, 2)}
    assert places[9] == (4, 1)
    assert places[5] == (1, 3), "the line that parts cells belongs to the one before"
    assert places[1] == (1, 1)
    assert places[11] == (4, 1)
    assert locate((), 7) == (None, 7)
    assert line_in_words(cells, 7) == "cell 3, line 2"
    assert line_in_words((), 7) == "line 7"


def test_every_line_of_a_cell_is_found_where_it_stands():
    texts = ["a = 1\n\nb = 2", "", "%time\nc = 3\n", "    d = 4\n    e = 5", "%%bash\nrm\n", "f = 6"]
    source = _source(_v4(*map(_code, texts)))
    lines = source.text.split("\n")
    for cell in source.cells:
        own = cell.text.rstrip("\n").split("\n")
        for number, line in enumerate(own, 1):
            at = cell.first + number - 1
            assert locate(source.cells, at) == (cell.number, number)
            assert lines[at - 1] in (line, "pass", "")


def test_an_indented_cell_keeps_its_columns():
    source = _source(
        _v4(_code("# why\n\n    x = 1\n    y = 2"), _code("# only a comment"), _code("  # indented\nz = 1"))
    )
    assert source.text == "if True:\n# why\n\n    x = 1\n    y = 2\n\n# only a comment\n\n  # indented\nz = 1\n"


def test_version_3():
    cell = {"cell_type": "code", "language": "python", "input": ["import torch\n", "x"], "outputs": [], "metadata": {}}
    perl = {**cell, "language": "perl"}
    document = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}}
    document["worksheets"] = [{"cells": [_markdown("m"), cell]}, {"cells": [perl, cell]}]
    assert [cell.number for cell in _source(document).cells] == [2, 4]
    assert _source(document).text == "\nimport torch\nx\n\nimport torch\nx\n"


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"language": "R", "name": "ir"}},
        {"language_info": {"name": "R"}},
        {"kernelspec": {"language": "R"}, "language_info": {"name": "python"}},
    ],
)
def test_other_kernels_are_skipped(metadata):
    error = _read(_v4(_code("x <- 1"), **metadata))
    assert error == FileError("n.ipynb", "is a notebook in R: skipped, for only Python is read", fatal=False)


@pytest.mark.parametrize(
    "metadata",
    [{}, {"kernelspec": {"name": "python3"}}, {"language_info": {"name": "ipython"}}, {"kernelspec": None}],
)
def test_python_kernels(metadata):
    assert _source(_v4(_code("x"), **metadata)).text == "\nx\n"


def test_cells_of_another_language_in_an_editor():
    other = _code("select", metadata={"vscode": {"languageId": "sql"}})
    assert [cell.number for cell in _source(_v4(other, _code("x"))).cells] == [2]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is an empty file, no notebook; remove it"),
        (b" \n", "is an empty file"),
        (b'{"cells": [\n  {"a": 1},,\n]}', "line 2: is no notebook, for it is not valid JSON: "),
        (
            b"<<<<<<< HEAD\n{}",
            "line 1: is no notebook, for it is not valid JSON: Expecting value, column 1; restore it",
        ),
        (b"\xff\xfe\x00", "is no notebook, for it is not valid JSON"),
        (b"\x80", "is no notebook, for it is not valid JSON"),
        (b"[" * 200_000, "is no notebook, for it is not valid JSON"),
        (b"[]", "is JSON but no notebook: it is not an object"),
        (b"{}", "is JSON but no notebook: it has no `nbformat`"),
        (b'{"nbformat": "4"}', "it has no `nbformat`"),
        (b'{"nbformat": 2}', "is of nbformat 2, which is too old; `jupyter nbconvert --to notebook --inplace` renews"),
        (b'{"nbformat": 3}', "is damaged: it has no list `worksheets`"),
        (b'{"nbformat": 3, "worksheets": [1]}', "is damaged: it has no list `cells`"),
        (b'{"nbformat": 4}', "is damaged: it has no list `cells`"),
        (b'{"nbformat": 4, "cells": {}}', "is damaged: it has no list `cells`"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "is damaged: cell 1 has no text `source`"),
        (b'{"nbformat": 4, "cells": [1, {"cell_type": "code", "source": [1]}]}', "cell 2 has no text `source`"),
    ],
)
def test_damaged(data, words):
    error = decode(data, "n.ipynb")
    assert isinstance(error, FileError)
    assert words in error.message
    assert error.fatal


def test_a_byte_order_mark_is_allowed():
    data = b"\xef\xbb\xbf" + json.dumps(_v4(_code("x"))).encode()
    assert decode(data, "n.ipynb").text == "\nx\n"


def test_found_in_folders(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/.ipynb_checkpoints").mkdir()
    for name in ("a/n.ipynb", "a/.ipynb_checkpoints/n-checkpoint.ipynb", "a/m.py", "a/n.ipynb.bak"):
        (tmp_path / name).write_text(json.dumps(_v4(_code("x"))))
    found = find(["a"], [".ipynb_checkpoints"], False, str(tmp_path))
    assert [file.path for file in found.files] == ["a/m.py", "a/n.ipynb"]
    assert [file.path for file in find(["a/n.ipynb"], [], False, str(tmp_path)).files] == ["a/n.ipynb"]


def test_lines_of_one_cell(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps(_v4(_markdown("m"), _code("%time\nx = 1\n"), _code("y"))))
    sources = Sources([File("n.ipynb", str(path))])
    assert sources.lines("n.ipynb:cell 2") == ["%time", "x = 1", ""], "as it stands there"
    assert sources.lines("n.ipynb:cell 3") == ["y"]
    assert sources.lines("n.ipynb:cell 1") is None
    assert sources.lines("n.ipynb") == ["", "pass", "x = 1", "", "y", ""]


def _finding(line, end_line, code="CL101", message="m, line 3"):
    return Finding(code, "n", "break", "certain", "n.ipynb", line, 1, end_line, 2, message, "", "", "", "")


def test_a_finding_moves_to_its_cell():
    cells = _source(_v4(_code("a\nb"), _code("c\nd"))).cells
    moved = in_cell(_finding(5, 6), {"n.ipynb": cells})
    assert (moved.cell, moved.line, moved.end_line, moved.message) == (2, 1, 2, "m, line 3")
    assert moved.where == "n.ipynb:cell 2"
    assert moved.place == ("n.ipynb", 2, 1, 1, "CL101")
    assert in_cell(_finding(5, 6), {}) == _finding(5, 6)


def test_a_syntax_error_names_the_cell():
    cells = _source(_v4(_code("a\nb"), _code("c\nd"))).cells
    moved = in_cell(_finding(3, 6, "CL900", "expected a block after 'if' on line 3"), {"n.ipynb": cells})
    assert (moved.cell, moved.line, moved.end_line) == (1, 2, 2)
    assert moved.message == "expected a block after 'if' in cell 1, line 2"
