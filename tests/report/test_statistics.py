import json

from compile_lint.report import Run, render


def test_counts(finding):
    run = Run(
        (
            finding(),
            finding(code="CL401", name="no-fake", kind="error"),
            finding(),
            *[finding(code="CL900", name="z")] * 10,
        )
    )
    assert render(run, "text", lambda path: None, statistics=True) == (
        "10  CL900  break  z\n 2  CL101  break  tensor-branch\n 1  CL401  error  no-fake\n"
    )
    rows = json.loads(render(run, "json", lambda path: None, statistics=True))
    assert [(row["code"], row["count"]) for row in rows] == [("CL900", 10), ("CL101", 2), ("CL401", 1)]


def test_none():
    assert render(Run(), "text", lambda path: None, statistics=True) == ""
    assert render(Run(), "json", lambda path: None, statistics=True) == "[]\n"
