import json
from pathlib import Path

import pytest

from compile_lint.findings import Source
from compile_lint.server.linter import Cancelled, Linter

FIXTURES = Path(__file__).parents[2] / "fixtures"


def never():
    return False


@pytest.mark.parametrize("folder", ["broken", "clean"])
def test_the_same_as_the_command_line(command, folder):
    """With every file open, an editor shows what a run over the folder prints, but for idle suppressions."""
    root = FIXTURES / folder
    document = json.loads(command(root, "--format", "json", "--target-torch", "2.13").out)
    printed = {
        (
            str(Path(one["path"]).resolve()),
            one["line"],
            one["column"],
            one["end_line"],
            one["end_column"],
            one["message"],
        )
        for one in document["findings"]
        if one["code"] != "CL901"
    }
    broken = {str(Path(one["path"]).resolve()) for one in document["errors"]}
    opened = {
        str(path): Source(str(path), path.read_text(encoding="utf-8"))
        for path in sorted(root.rglob("*.py"))
        if str(path) not in broken
    }
    assert len(opened) > 5
    result = Linter(str(root)).lint(opened, {"target-torch": "2.13"}, never)
    shown = {
        (path, one.line, one.column, one.end_line, one.end_column, one.message)
        for path, found in result.findings.items()
        for one in found
    }
    assert shown == printed
    assert set(result.findings) == set(opened)


def test_cancelled_between_files(tmp_path):
    opened = {f"{tmp_path}/{name}.py": Source(f"{tmp_path}/{name}.py", "import torch\n") for name in "abc"}
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) == 2

    linter = Linter(str(tmp_path))
    with pytest.raises(Cancelled):
        linter.lint(opened, {}, is_cancelled)
    assert len(asked) == 2
    assert set(linter.lint(opened, {}, never).findings) == set(opened)


def test_only_what_is_open_is_told(tmp_path):
    (tmp_path / "helper.py").write_text("def helper(x):\n    print(x)\n    return x\n")
    path = str(tmp_path / "a.py")
    text = "import torch\nfrom helper import helper\n\n\n@torch.compile\ndef fn(x):\n    return helper(x) * 2\n"
    assert Linter(str(tmp_path)).lint({path: Source(path, text)}, {}, never).findings == {path: ()}


def test_the_folder_may_be_called_like_an_excluded_one(tmp_path):
    root = tmp_path / "build" / "dist"
    root.mkdir(parents=True)
    path = str(root / "a.py")
    text = "import torch\n\n\n@torch.compile\ndef fn(x):\n    print(x)\n    return x\n"
    assert len(Linter(str(root)).lint({path: Source(path, text)}, {}, never).findings[path]) == 1


def test_own_rules_of_the_folder(tmp_path):
    (tmp_path / "compile-lint.toml").write_text('extend-rules = ["lint/none.toml"]\n')
    *_, problems = Linter(str(tmp_path)).settings({})
    assert len(problems) == 1
    assert "none.toml" in problems[0]


def test_a_rule_that_does_not_exist(tmp_path):
    *_, problems = Linter(str(tmp_path)).settings({"ignore": ["CL999"]})
    assert len(problems) == 1
    assert "CL999" in problems[0]
