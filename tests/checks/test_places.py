"""Where a finding is: lines and columns in characters, 1-based, whatever the file looks like."""

import pytest

TEXT = """\
import torch


@torch.compile
def fn(x: torch.Tensor):
    y = x * 2
    if y.sum() > 0:
        return y
    return y + (x[x > 0]).sum()
"""
SPANS = {("CL101", 7, "y.sum() > 0"), ("CL302", 9, "x[x > 0]")}


def spans(linted):
    return {(finding.code, finding.line, linted.text(finding)) for finding in linted.findings}


def test_spans(lint):
    linted = lint(TEXT)
    assert spans(linted) == SPANS
    finding = linted.one("CL101")
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (7, 8, 7, 19)


def test_crlf(lint):
    assert spans(lint(TEXT.replace("\n", "\r\n"))) == SPANS


def test_cr(lint):
    assert spans(lint(TEXT.replace("\n", "\r"))) == SPANS


def test_tabs(lint):
    """A tab is one column."""
    linted = lint(TEXT.replace("    ", "\t"))
    assert spans(linted) == SPANS
    assert linted.one("CL101").column == 5


def test_no_newline_at_the_end(lint):
    assert spans(lint(TEXT.rstrip("\n"))) == SPANS


def test_form_feed(lint):
    assert spans(lint(TEXT.replace("\n\n\n", "\n\x0c\n\n"))) == SPANS


@pytest.mark.parametrize("words", ["é", "中文", "🔥🔥", "e\u0301"])
def test_characters_that_take_more_than_a_byte(lint, words):
    """Before the span on its line, in names, in strings and in comments."""
    text = TEXT.replace("y + (x[x > 0])", f"y + len('{words}') + (x[x > 0])")
    text = text.replace("y = x * 2", f"y = x * 2  # {words}")
    text = text.replace("if y.sum() > 0", f"if '{words}' and y.sum() > 0")
    linted = lint(text)
    assert ("CL302", 9, "x[x > 0]") in spans(linted)
    assert {(code, line) for code, line, _ in spans(linted)} == {("CL101", 7), ("CL302", 9)}


def test_names_that_are_not_ascii(lint):
    linted = lint(TEXT.replace("y", "größe_"))
    assert ("CL101", 7, "größe_.sum() > 0") in spans(linted)
    assert "`größe_.sum() > 0`" in linted.one("CL101").message


def test_line_separators_inside_strings(lint):
    """Python ends no line at a form feed, a vertical tab or U+2028, though str.splitlines does."""
    text = TEXT.replace("y = x * 2\n", "y = x * 2; s = '\u2028 \x0b \x85 \x1c'\n")
    linted = lint(text.replace("if y", "if '中文' and y"))
    assert spans(linted) == SPANS


def test_a_span_of_several_lines(lint):
    linted = lint(
        "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    if (\n        x.sum()\n        > 0\n    ):\n"
        "        return x\n    return -x\n"
    )
    (finding,) = linted.findings
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (7, 9, 8, 12)


def test_continued_lines_and_several_statements(lint):
    linted = lint(
        "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    y = x * 2; z = y.sum(); w = z.item()\n"
        "    v = 1 + \\\n        z.item()\n    return v, w\n"
    )
    assert [(f.line, linted.text(f)) for f in linted.findings] == [(6, "z.item()"), (8, "z.item()")]


def test_decorated_methods_and_nested_classes(lint):
    linted = lint(
        """
        import torch
        from torch import nn

        if True:
            class Outer:
                class Net(nn.Module):
                    @torch.no_grad()
                    @torch.autocast(device_type="cpu")
                    def forward(
                        self,
                        x: torch.Tensor,
                    ):
                        try:
                            pass
                        finally:
                            y = x.sum().item()
                        return y
        """
    )
    (finding,) = linted.findings
    assert linted.text(finding) == "x.sum().item()"
    assert finding.line == 17


def test_a_function_defined_twice(lint):
    """The later definition counts; its place is not that of the first."""
    linted = lint(
        "import torch\n\n\ndef helper(x):\n    return x\n\n\ndef helper(x):\n    return torch.nonzero(x)\n\n\n"
        "@torch.compile\ndef fn(x):\n    return helper(x)\n"
    )
    assert [(f.line, linted.text(f)) for f in linted.findings] == [(9, "torch.nonzero(x)")]


SYNTAX = {
    "unclosed": ("import torch\n\ndef f(x:\n    return x\n", 3),
    "python-2": ("import torch\nprint 'a'\n", 2),
    "indentation": ("import torch\nif x:\n    a\n  b\n", 4),
    "nul": ("import torch\n\x00\n", 1),
    "second-line-after-crlf": ("import torch\r\nx = = 1\r\n", 2),
}


@pytest.mark.parametrize(("text", "line"), SYNTAX.values(), ids=SYNTAX)
def test_syntax_errors(lint, text, line):
    linted = lint({"bad.py": text, "good.py": TEXT})
    error = linted.one("CL900")
    assert (error.path, error.kind, error.line) == ("bad.py", "error", line)
    assert error.column >= 1
    assert error.message.startswith("cannot be parsed: ")
    assert {finding.code for finding in linted.findings if finding.path == "good.py"} == {"CL101", "CL302"}
