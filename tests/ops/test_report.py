import json

import jsonschema
import pytest
from markdown_it import MarkdownIt

from compile_lint.findings import FileError
from compile_lint.ops.model import Inventory, Place, Row, Use
from compile_lint.ops.report import FORMATS, render
from compile_lint.ops.report.as_json import schema_path

ROWS = (
    Row(
        "ext::roll",
        "int",
        "ext::roll.int(Tensor(a!) x, int k) -> Tensor",
        Place("csrc/a|b.cpp", 3),
        ("CPU", "CUDA"),
        False,
        False,
        True,
        ("x",),
        (),
        tuple(Use("model.py", line, "Model.forward") for line in (4, 5, 6, 7)),
        "splits",
        "it has neither a `Meta` nor a fake kernel",
    ),
    Row("ext.fn", "", "", None, (), False, False, False, (), (), (), "raises", "why", "pybind"),
    Row(
        "a::ok",
        "",
        "a::ok(Tensor x) -> Tensor",
        Place("\udcff.py", 1),
        (),
        True,
        True,
        False,
        (),
        ("x",),
        (),
        "ready",
        "fine",
    ),
)
INVENTORY = Inventory(ROWS, (FileError("x.cpp", "line 3: is lost", False),))


def test_json_is_as_its_schema_says():
    schema = json.loads(schema_path().read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(render(INVENTORY, "json"))
    jsonschema.validate(document, schema)
    assert set(document) == {"operators", "errors"}
    first = document["operators"][0]
    assert list(first) == schema["$defs"]["operator"]["required"]
    assert first["declared"] == {"path": "csrc/a|b.cpp", "line": 3}
    assert first["uses"][0] == {"path": "model.py", "line": 4, "entry": "Model.forward"}
    assert document["operators"][1]["declared"] is None
    assert document["errors"] == [{"path": "x.cpp", "message": "line 3: is lost"}]


def test_the_text_tells_what_hurts_first():
    assert render(INVENTORY, "text") == (
        "ext.fn (pybind) [raises]\n"
        "  = called: in no compile region in sight\n"
        "  = why: why\n"
        "\n"
        "csrc/a|b.cpp:3: ext::roll.int [splits the graph]\n"
        "  = schema: ext::roll.int(Tensor(a!) x, int k) -> Tensor\n"
        "  = has: kernels CPU, CUDA; no fake kernel; no autograd formula; vmap rule; writes to x\n"
        "  = called: model.py:4 (Model.forward), model.py:5 (Model.forward), model.py:6 (Model.forward) and 1\n"
        "    more place; -v lists them\n"
        "  = why: it has neither a `Meta` nor a fake kernel\n"
        "\n"
        "\\udcff.py:1: a::ok [ready]\n"
        "  = schema: a::ok(Tensor x) -> Tensor\n"
        "  = has: no kernel in sight; fake kernel; autograd formula; returns memory of x\n"
        "  = called: in no compile region in sight\n"
        "  = why: fine\n"
        "\n"
        "3 operators: 1 raises, 1 splits the graph, 1 ready\n"
    )
    assert render(INVENTORY, "text", verbosity=-1) == "3 operators: 1 raises, 1 splits the graph, 1 ready\n"
    assert "model.py:7 (Model.forward)\n" in render(INVENTORY, "text", verbosity=1)
    assert "\x1b[" in render(INVENTORY, "text", color=True)


def test_markdown_is_one_table():
    html = MarkdownIt("commonmark").enable("table").render(render(INVENTORY, "markdown"))
    assert html.count("<tr>") == 4
    assert "<code>csrc/a|b.cpp:3</code>" in html
    assert "neither a <code>Meta</code>" in html
    assert "<li><code>x.cpp</code>: line 3: is lost</li>" in html


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_inventory_is_no_fault(form):
    text = render(Inventory(), form)
    assert json.loads(text) == {"operators": [], "errors": []} if form == "json" else "No custom operators." in text
