from compile_lint.report import Run, render


def _grouped(run, **kwargs):
    return render(run, "grouped", lambda path: None, **kwargs)


def test_the_findings_of_a_file_stand_together(finding):
    run = Run((finding(), finding(line=10, confidence="likely"), finding(path="b.py")), files=2)
    assert _grouped(run, verbosity=-1) == (
        "a.py:\n"
        "  2:8   CL101 tensor-branch [break] `if` needs the value of `x > 0`, a tensor\n"
        "  10:8  CL101 tensor-branch [break, likely] `if` needs the value of `x > 0`, a tensor\n"
        "\n"
        "b.py:\n"
        "  2:8  CL101 tensor-branch [break] `if` needs the value of `x > 0`, a tensor\n"
        "\n"
    )
    assert "Found 3 findings in 2 of 2 files: 3 break.\n" in _grouped(run)


def test_messages_take_one_line(awkward):
    lines = _grouped(awkward, verbosity=-1).splitlines()
    assert len(lines) == 3 * len(awkward.findings)
    assert "\\x1b" in "".join(lines)


def test_colours(finding):
    assert _grouped(Run((finding(),)), color=True).startswith("\x1b[1ma.py:\x1b[0m\n  2:8  \x1b[33mCL101")
