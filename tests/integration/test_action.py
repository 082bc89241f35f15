"""The steps of action.yml, run by bash as a runner runs them."""

import json
import os
import re
import shutil
import sys
from types import SimpleNamespace

import pytest

yaml = pytest.importorskip("yaml")
MODEL = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n"


@pytest.fixture(scope="module")
def action(checkout):
    """The action as it is read."""
    return yaml.safe_load((checkout / "action.yml").read_text())


@pytest.fixture(scope="module")
def runner(action, call, checkout, tmp_path_factory):
    """Runs a step with the values of inputs; gives its code, its output and what it sets."""
    temp = tmp_path_factory.mktemp("runner")
    known = {"steps.install.outputs.bin": ""}

    def run(step, cwd, **inputs):
        given = {f"inputs.{name}": value["default"] for name, value in action["inputs"].items()}
        given |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()} | known
        environ = {
            name: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: given[match[1]], value)
            for name, value in step["env"].items()
        }
        outputs = temp / "outputs"
        outputs.write_text("")
        done = call(
            *(shutil.which("bash"), "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]),
            cwd=cwd,
            **environ,
            RUNNER_TEMP=str(temp),
            GITHUB_ACTION_PATH=str(checkout),
            GITHUB_OUTPUT=str(outputs),
            GITHUB_STEP_SUMMARY=str(temp / "summary"),
            GITHUB_WORKSPACE=str(cwd),
        )
        found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        return SimpleNamespace(code=done.code, out=done.out, outputs=found, summary=temp / "summary")

    installed = run(action["runs"]["steps"][0], temp, python=sys.executable)
    assert installed.code == 0, installed.out
    known["steps.install.outputs.bin"] = installed.outputs["bin"]
    return run


@pytest.fixture
def lint(action, runner, tmp_path):
    """Run the step that lints."""

    def run(**inputs):
        return runner(action["runs"]["steps"][1], tmp_path, **inputs)

    return run


def test_what_it_says_of_itself(action):
    assert action["runs"]["using"] == "composite"
    assert {"paths", "target-torch", "fail-on", "baseline", "diff-base", "sarif", "upload-sarif"} <= set(
        action["inputs"]
    )
    assert all(value["description"] and "default" in value for value in action["inputs"].values())
    upload = action["runs"]["steps"][2]
    assert upload["if"].startswith("always() && inputs.upload-sarif == 'true'")
    assert upload["with"]["sarif_file"] == "${{ steps.lint.outputs.sarif }}"


def test_inputs_reach_bash_as_variables_only(action):
    """Put into the script itself, the text of an input would be run."""
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_findings(lint, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    result = lint()
    assert (result.code, result.outputs) == (1, {"exit-code": "1", "sarif": "compile-lint.sarif"})
    assert "::warning file=model.py,line=6," in result.out
    assert "model.py:6:12: CL201" in result.out
    (run,) = json.loads((tmp_path / "compile-lint.sarif").read_text())["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["CL201"]
    assert "CL201" in result.summary.read_text()


def test_inputs(lint, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "a folder").mkdir()
    assert lint(fail_on="error").code == 0
    assert "Readiness for torch 2.9" in lint(target_torch="2.9").out
    assert lint(paths="model.py\n'a").code == 2
    assert lint(args="--baseline known.json\n--write-baseline").code == 0
    assert lint(baseline="known.json").code == 0
    assert lint(baseline="none.json").outputs == {"exit-code": "2", "sarif": "compile-lint.sarif"}
    os.unlink(tmp_path / "compile-lint.sarif")
    assert lint(baseline="none.json").outputs == {"exit-code": "2"}
    assert lint(paths="$(touch injected) `touch injected`; touch injected").code == 2
    assert not (tmp_path / "injected").exists()


def test_changed_code_only(lint, git, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    git("add", ".")
    git("commit", "-qm", "first")
    assert lint(diff_base="HEAD").code == 0
    (tmp_path / "model.py").write_text(MODEL.replace("    return", "    print(1)\n    return"))
    result = lint(diff_base="HEAD")
    assert result.code == 1
    assert re.findall(r"^::\w+ file=model.py,line=(\d+)", result.out, re.MULTILINE) == ["6"]
