"""What the README says of pre-commit and CI is valid, and what it runs can be run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
MODEL = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n"


@pytest.fixture(scope="module")
def blocks(readme):
    """The YAML of the section, by a key that each has at its top."""
    text = re.search(r"^## In pre-commit and CI\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]
    found = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    return {next(iter(block)): block for block in found}


@pytest.fixture
def shell(tmp_path):
    """Run a line by bash in a folder with `models/`, with this checkout as `compile-lint`."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "compile-lint"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m compile_lint "$@"\n')
    command.chmod(0o755)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "model.py").write_text(MODEL)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("CI_", "GIT", "GITHUB_"))}
    environ |= {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}

    def run(line, **more):
        return subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env={**environ, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


def test_the_hooks_are_those_that_there_are(blocks):
    (repo,) = blocks["repos"]["repos"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in repo["hooks"]] == [hook["id"] for hook in hooks]
    assert all(hook["language"] == "python" and "additional_dependencies" not in hook for hook in hooks)


def test_the_inputs_of_the_action_are_those_that_there_are(blocks):
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    job = blocks["jobs"]["jobs"]["compile-lint"]
    step = job["steps"][-1]
    assert set(step["with"]) <= set(action["inputs"])
    assert job["permissions"]["security-events"] == "write", "for upload-sarif"
    assert job["steps"][0]["with"]["fetch-depth"] == 0, "for diff-base"


def test_the_job_for_gitlab(blocks, shell, tmp_path):
    job = blocks["compile-lint"]["compile-lint"]
    install, lint = job["script"]
    assert install == "pip install compile-lint"
    report = tmp_path / job["artifacts"]["reports"]["codequality"]
    assert shell(lint).returncode == 1
    assert [one["location"]["path"] for one in json.loads(report.read_text())] == ["models/model.py"]
    git = "git init -q; git add .; git -c user.name=n -c user.email=n@example.org commit -qm 1; git rev-parse HEAD"
    commit = shell(git).stdout.strip()
    done = shell(lint, CI_MERGE_REQUEST_DIFF_BASE_SHA=commit)
    assert (done.returncode, json.loads(report.read_text())) == (0, []), done.stderr


def test_the_line_for_reviewdog(readme, shell):
    (line,) = re.findall(r"^\$ (compile-lint .*) \| reviewdog ", readme, re.MULTILINE)
    done = shell(line)
    assert (done.returncode, done.stderr) == (0, "")
    assert [one["code"]["value"] for one in json.loads(done.stdout)["diagnostics"]] == ["CL201"]
