"""`--follow-imports` and `--force-exclude`: what a hook needs, which is told of files and not of the project."""

import itertools
import json
import random

import pytest

FILES = {
    "src/pkg/__init__.py": "",
    "src/pkg/helper.py": "def read(t):\n    return int(t)\n\n\ndef unused(t):\n    return t.tolist()\n",
    "src/pkg/base.py": """\
import torch

from .helper import read


class Base(torch.nn.Module):
    def total(self, x):
        return x.sum()

    def forward(self, x):
        return x * read(x.max())
""",
    "src/pkg/net.py": """\
import torch
from pkg.base import Base


class Net(Base):
    def forward(self, x):
        if self.total(x) > 0:
            x = x + 1
        return x
""",
    "src/pkg/quiet.py": """\
def shown(t):
    return t.item()  # compile-lint: ignore[CL201] once


def hidden(t):
    return t  # compile-lint: ignore[CL202] never of use
""",
    "train.py": """\
import torch

from pkg.net import Net
from pkg.quiet import shown


@torch.compile
def step(model: Net, x: torch.Tensor):
    return torch.ops.ours.twice(x) * shown(x)
""",
    "ops.py": """\
import torch

lib = torch.library.Library("ours", "DEF")
lib.define("twice(Tensor x) -> Tensor")


@torch.library.impl(lib, "twice", "CompositeExplicitAutograd")
def twice(x):
    return x * 2


@torch.library.register_fake("ours::twice")
def fake(x):
    return torch.empty_like(x)
""",
    "third_party/other.py": "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "compile-lint.toml").write_text('extend-exclude = ["third_party"]\n')
    return tmp_path


@pytest.fixture
def found(command):
    """Lint some paths; the places of the findings."""

    def call(*paths, options=("--follow-imports", "--force-exclude")):
        result = command(*paths, *options, "--format", "json")
        assert result.err == ""
        return {f"{one['path']}:{one['line']} {one['code']}" for one in json.loads(result.out)["findings"]}

    return call


WHOLE = {"src/pkg/helper.py:2 CL202", "src/pkg/net.py:7 CL101", "src/pkg/quiet.py:6 CL901"}


def test_the_whole_list_and_the_folder(project, found):
    assert found(".", options=()) == WHOLE
    assert found(*FILES) == WHOLE


def test_every_way_to_split_the_list_gives_the_same(project, found):
    """Whatever files come together, what all of them find is the same."""
    assert set().union(*(found(name) for name in FILES)) == WHOLE
    shuffled = random.Random(0)
    for _ in range(6):
        names = list(FILES)
        shuffled.shuffle(names)
        cut = shuffled.randrange(1, len(names))
        parts = [names[:cut], names[cut:]]
        assert set().union(*(found(*part) for part in parts)) == WHOLE


def test_a_file_alone_knows_what_it_imports(project, found):
    assert found("src/pkg/net.py", options=()) == set(), "what `total` gives is in another file"
    assert found("src/pkg/net.py") == {"src/pkg/net.py:7 CL101"}
    assert found("src/pkg/base.py") == {"src/pkg/helper.py:2 CL202"}, "reached from an entry of this file"
    assert found("src/pkg/helper.py") == set()


def test_entries_of_files_that_are_only_imported_are_not_judged(project, command):
    result = command("src/pkg/net.py", "--follow-imports", "--format", "json")
    document = json.loads(result.out)
    assert (document["files"], [one["entry"] for one in document["scores"]]) == (1, ["Net.forward"])


def test_operators_that_nothing_imports(project, found, tmp_path):
    assert found("train.py") == set()
    (tmp_path / "ops.py").write_text("")
    assert found("train.py") == {"train.py:9 CL407"}


def test_suppressions_in_imported_files_hold(project, found):
    assert found("train.py") == set()
    path = project / "src" / "pkg" / "quiet.py"
    path.write_text(path.read_text().replace("ignore[CL201]", "ignore[CL203]"))
    assert found("train.py") == {"src/pkg/quiet.py:2 CL201"}


def test_an_idle_suppression_is_told_of_where_its_file_is_named(project, found):
    """And only if nothing in the project needs it: the one in `shown` is of use to train.py."""
    assert found("src/pkg/quiet.py") == {"src/pkg/quiet.py:6 CL901"}
    assert found("src/pkg/quiet.py", options=()) == {"src/pkg/quiet.py:2 CL901", "src/pkg/quiet.py:6 CL901"}


@pytest.mark.parametrize("path", ["third_party/other.py", "./third_party/other.py", "third_party"])
def test_force_exclude(project, found, command, path):
    assert found(path, options=()) == {"third_party/other.py:6 CL201"}
    assert found(path, options=("--force-exclude",)) == set()
    assert command(path, "--force-exclude", "--show-files").out == ""
    assert command(path, "--force-exclude").code == 0


def test_force_exclude_in_the_configuration(project, command):
    (project / "compile-lint.toml").write_text('exclude = ["third_party/**"]\nforce-exclude = true\n')
    assert command("third_party/other.py").code == 0
    assert command("third_party/other.py", "train.py", "--show-files").out == "train.py\n"


def test_folders_above_the_working_directory_exclude_nothing(command, tmp_path, monkeypatch):
    folder = tmp_path / "build" / "project"
    (folder / "dist").mkdir(parents=True)
    for name in ("a.py", "dist/a.py"):
        (folder / name).write_text(FILES["third_party/other.py"])
    monkeypatch.chdir(folder)
    assert command("a.py", "dist/a.py", "--force-exclude", "--show-files").out == "a.py\n"
    monkeypatch.chdir(tmp_path)
    assert command("build/project/a.py", "--force-exclude", "--show-files").out == ""


def test_excluded_files_are_not_read_for_what_imports_them(project, found):
    (project / "train.py").write_text(
        "import torch\nfrom third_party.other import g\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return g(x)\n"
    )
    (project / "third_party" / "other.py").write_text("def g(x):\n    return x.item()\n")
    assert found("train.py") == set()
    (project / "compile-lint.toml").write_text("")
    assert found("train.py") == {"third_party/other.py:2 CL201"}


def test_imports_in_circles_and_of_what_is_not_there(command, tmp_path):
    for one, other in itertools.permutations("ab", 2):
        (tmp_path / f"{one}.py").write_text(f"import {other}\nimport missing.pkg\nfrom . import {other}, nothing\n")
    (tmp_path / "broken.py").write_text("import a\ndef f(:\n")
    (tmp_path / "c.py").write_text("import a, broken, os\nfrom .... import far\n")
    assert command("c.py", "--follow-imports").code == 0
    assert command("broken.py", "--follow-imports").code == 1


def test_with_standard_input(project, command):
    text = FILES["src/pkg/net.py"].encode()
    result = command("-", "--stdin-filename", "src/pkg/net.py", "--follow-imports", stdin=text)
    assert (result.code, result.err) == (1, "")
    assert "src/pkg/net.py:7:12: CL101" in result.out


def test_the_baseline_is_not_judged_from_a_part(project, command):
    assert command(".", "--baseline", "b.json", "--write-baseline").code == 0
    result = command("src/pkg/helper.py", "--baseline", "b.json", "--follow-imports")
    assert (result.code, result.err) == (0, "")
    for option in ("--prune-baseline", "--write-baseline"):
        result = command("src/pkg/helper.py", "--baseline", "b.json", "--follow-imports", option)
        assert (result.code, result.err.split(":")[1]) == (2, f" {option}")
