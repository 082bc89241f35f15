from pathlib import Path

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import read
from compile_lint.config.keys import DEFAULT_EXCLUDE
from compile_lint.config.options import absolute, merge

RULES = {"CL101": "tensor-branch", "CL102": "tensor-while", "CL201": "tensor-item", "CL601": "counter-attribute"}


@pytest.fixture
def merged(tmp_path, monkeypatch):
    """Merge options with a configuration that lies in tmp_path/project, from tmp_path/elsewhere."""
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    def call(given=None, toml=None):
        file = None
        if toml is not None:
            path = project / "compile-lint.toml"
            path.write_text(toml)
            file = read(path)
        return merge(given or {}, file, RULES, Path.cwd())

    return call


def _enabled(options):
    return {code for code in RULES if options.settings.enabled(code)}


def test_defaults(merged):
    options = merged()
    assert _enabled(options) == set(RULES)
    assert options.exclude == DEFAULT_EXCLUDE
    assert options.settings.fail_on == ("error", "wrong", "break")
    assert options.settings.fail_under is None
    assert options.settings.min_confidence == "likely"
    assert options.settings.entry_points == ()


@pytest.mark.parametrize(
    ("toml", "given", "enabled"),
    [
        ("select = ['CL1']", {}, {"CL101", "CL102"}),
        ("select = ['CL1']", {"select": ("CL2",)}, {"CL201"}),
        ("select = ['CL1']", {"extend-select": ("CL2",)}, {"CL101", "CL102", "CL201"}),
        ("select = ['CL1']\nextend-select = ['CL6']", {"extend-select": ("CL2",)}, set(RULES)),
        ("ignore = ['CL1']", {}, {"CL201", "CL601"}),
        ("ignore = ['CL1']", {"ignore": ("CL2",)}, {"CL601"}),
        ("ignore = ['CL1']", {"extend-ignore": ("CL2",)}, {"CL601"}),
        ("ignore = ['CL1']\nextend-ignore = ['CL6']", {}, {"CL201"}),
        ("ignore = ['CL1']", {"select": ("CL1",)}, {"CL101", "CL102"}),
        ("ignore = ['CL1']", {"extend-select": ("CL101",)}, {"CL101", "CL201", "CL601"}),
        ("ignore = ['CL1']\nextend-select = ['CL101']", {}, {"CL101", "CL201", "CL601"}),
        ("select = ['CL101', 'CL2']", {"ignore": ("CL1",)}, {"CL201"}),
        ("select = []", {}, set()),
        ("ignore = ['ALL']", {}, set()),
        ("", {"ignore": ("ALL",)}, set()),
        ("", {"select": ("CL1",), "ignore": ("tensor-while",)}, {"CL101"}),
    ],
)
def test_choice_of_rules(merged, toml, given, enabled):
    assert _enabled(merged(given, toml)) == enabled


def test_unknown_rule_names_the_place(merged, tmp_path):
    with pytest.raises(ConfigError, match=r"compile-lint.toml: ignore: unknown rule 'CL666'; did you mean 'CL601'"):
        merged({}, "ignore = ['CL666']")
    with pytest.raises(ConfigError, match=r"per-file-ignores: 'a.py': unknown rule"):
        merged({}, "per-file-ignores = {'a.py' = ['no-such']}")


def test_globs_start_at_the_configuration_or_at_the_working_directory(merged, tmp_path):
    toml = "exclude = ['gen/*.py', 'third_party']\nextend-exclude = ['./old/']\n"
    toml += "per-file-ignores = {'tests/**' = ['CL1']}\n"
    options = merged({"extend-exclude": ("here/*",)}, toml)
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    assert options.exclude == (f"{project}/gen/*.py", "third_party", f"{elsewhere}/here/*", f"{project}/old")
    assert options.settings.per_file_ignores == ((f"{project}/tests/**", ("CL101", "CL102")),)
    assert merged({"exclude": ("x",)}, toml).exclude[0] == "x"
    assert f"{project}/gen/*.py" not in merged({"exclude": ("x",)}, toml).exclude


def test_paths_start_at_the_configuration(merged, tmp_path):
    options = merged({}, "extend-rules = ['r.toml']\noutput-file = 'out.json'\nformat = 'json'\n")
    assert options.settings.extend_rules == (str(tmp_path / "project" / "r.toml"),)
    assert options.output_file == tmp_path / "project" / "out.json"
    assert options.format == "json"


def test_target_torch(merged):
    assert merged({}, "target-torch = '2.13.0+cpu'").settings.target_torch == "2.13"
    assert merged({"target-torch": "2.14"}, "target-torch = '2.13'").settings.target_torch == "2.14"
    with pytest.raises(ConfigError, match=r"compile-lint.toml: target-torch: torch 2.1 is too old"):
        merged({}, "target-torch = '2.1'")


def test_entries_replace(merged):
    assert merged({"entry-points": ("fn",)}, "entry-points = ['*.forward']").settings.entry_points == ("fn",)


def test_signs_of_the_folder_are_no_glob(tmp_path):
    assert absolute("a/*", Path("/x[1]")) == "/x[[]1]/a/*"
    assert absolute("a", Path("/x[1]")) == "a"
    assert absolute("/abs/*", Path("/x")) == "/abs/*"
    assert absolute("./a/b/", Path("/x")) == "/x/a/b"
    assert absolute("./a/", Path("/x")) == "/x/a"
    assert absolute(".", Path("/x")) == "/x"
