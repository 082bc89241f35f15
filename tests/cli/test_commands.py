"""rules, rule, init, version, completion."""

import json
import re

import pytest

from compile_lint import __version__
from compile_lint.cli.page import link
from compile_lint.config.business_keys import BUSINESS_KEYS
from compile_lint.config.file import read
from compile_lint.config.keys import KEYS
from compile_lint.config.options import merge
from compile_lint.config.target_keys import TARGET_KEYS
from compile_lint.config.template import template

RULE = """\
code = "XY123"
name = "our-pattern"
kind = "break"
confidence = "likely"
summary = "a pattern of our own"
message = "{subject} is ours"
why = "It breaks."
instead = "Do not."
graph-break-ids = ["GB0007"]
since = "2.7"
until = "2.13"
[[match]]
event = "call"
calls = ["ours.*"]
[[bad]]
title = "ours"
source = "fn()  # <- XY123"
[[good]]
title = "theirs"
source = "gn()"
"""


def test_version(run):
    assert run("version").out == f"compile-lint {__version__}\n"
    assert run("--version").out == f"compile-lint {__version__}\n"


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["check", "--help"], ["check", "-h"], ["rule", "--help"]])
def test_help(run, args):
    result = run(*args)
    assert (result.code, result.out.startswith("Usage: compile-lint")) == (0, True)


def test_help_shows_every_setting(run):
    out = run("check", "--help").out
    for key in KEYS:
        if key.name not in ("torch-config", "target", "business"):
            assert f"--{'entry' if key.name == 'entry-points' else key.name}" in out


def test_rules(run):
    lines = run("rules").out.splitlines()
    assert any(re.match(r"CL101  break +certain +tensor-branch: ", line) for line in lines)
    assert lines == sorted(lines)
    rules = json.loads(run("rules", "--format", "json").out)
    assert [rule["code"] for rule in rules] == [line.split()[0] for line in lines]
    assert {
        "code",
        "name",
        "kind",
        "confidence",
        "summary",
        "why",
        "instead",
        "graph_break_ids",
        "since",
        "until",
    } <= rules[0].keys()
    assert run("rules", "--format", "yaml").code == 2


@pytest.mark.parametrize("code", ["CL101", "cl101", "tensor-branch"])
def test_rule(run, code):
    out = run("rule", code).out
    assert out.startswith("CL101 tensor-branch\n")
    headings = [
        line
        for line in out.splitlines()
        if line in ("What", "Why", "Instead", "Examples", "Not flagged", "Graph breaks", "Versions")
    ]
    assert headings == ["What", "Why", "Instead", "Examples", "Not flagged", "Graph breaks", "Versions"]
    assert "GB0170  https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html" in out


def test_unknown_rule(run):
    result = run("rule", "CL1O1")
    assert (result.code, result.err) == (2, "error: rule: unknown rule 'CL1O1'; did you mean 'CL101'?\n")
    assert run("rule").code == 2


@pytest.mark.torch
def test_links_are_those_that_torch_makes():
    exc = pytest.importorskip("torch._dynamo.exc")
    registry = exc._load_gb_type_to_gb_id_map()
    kind, number = next((kind, number) for kind, number in sorted(registry.items()) if not number.startswith("GB00"))
    assert link(number) == exc.get_gbid_documentation_link(kind)


def test_own_rules(run, tmp_path):
    (tmp_path / "ours.toml").write_text(RULE)
    (tmp_path / "compile-lint.toml").write_text('extend-rules = ["ours.toml"]\nextend-select = ["XY"]\n')
    (tmp_path / "a.py").write_text("")
    assert "XY123  break" in run("rules").out
    assert "XY123" not in run("rules", "--isolated").out
    page = run("rule", "our-pattern").out
    assert "torch 2.7 to 2.13." in page
    assert run("a.py").code == 0
    assert run("a.py", "--isolated", "--extend-rules", "ours.toml", "--select", "our-pattern").code == 0
    missing = run("a.py", "--extend-rules", "no.toml")
    assert (missing.code, "--extend-rules: " in missing.err, "no.toml: no such file" in missing.err) == (2, True, True)
    (tmp_path / "ours.toml").write_text(RULE.replace("kind", "knd"))
    broken = run("a.py")
    assert (broken.code, "ours.toml: knd: unknown key; did you mean 'kind'?" in broken.err) == (2, True)


def test_init(run, tmp_path):
    assert run("init").out == "wrote compile-lint.toml\n"
    text = (tmp_path / "compile-lint.toml").read_text()
    assert text == template()
    result = run("init")
    assert (result.code, result.err) == (2, "error: compile-lint.toml: is there already; --force replaces it\n")
    (tmp_path / "compile-lint.toml").write_text("mine")
    assert run("init").code == 2
    assert (tmp_path / "compile-lint.toml").read_text() == "mine"
    assert run("init", "--force").code == 0
    assert (tmp_path / "compile-lint.toml").read_text() == text
    assert run("init", "nowhere").code == 2


def _one_of_both(text):
    """A target may not have both `input` and `inputs`, nor the work both a cost and weeks."""
    return re.sub(r"(?m)^# (inputs|engineering-weeks) = .*\n", "", text)


def test_what_init_writes_holds_every_key_and_is_valid(tmp_path):
    path = tmp_path / "compile-lint.toml"
    path.write_text(template())
    assert read(path).values == {"per-file-ignores": (), "torch-config": {}}
    path.write_text(re.sub(r"(?m)^# (?=[\w\"*/-]+ = |\[\[|\[business)", "", _one_of_both(template())))
    values = read(path).values
    assert set(values) == {key.name for key in KEYS}
    assert set(values["target"][0]) == {key.name for key in TARGET_KEYS} - {"inputs"}
    assert set(values["business"]) == {key.name for key in BUSINESS_KEYS} - {"engineering-weeks"}
    merge({}, read(path), {"CL101": "tensor-branch", "CL601": "counter-attribute"}, tmp_path)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    result = run("completion", shell)
    assert (result.code, "_COMPILE_LINT_COMPLETE" in result.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "word", "found"),
    [
        ("compile-lint ru", 1, {"plain,rule", "plain,rules"}),
        ("compile-lint --sel", 1, {"plain,--select"}),
        ("compile-lint check --format ", 3, {"plain,text", "plain,concise", "plain,json"}),
        ("compile-lint --format ", 2, {"plain,text", "plain,concise", "plain,json"}),
        ("compile-lint --fail-on error,wr", 2, {"plain,error,wrong"}),
        ("compile-lint --select CL101,CL102", 2, {"plain,CL101,CL102"}),
        ("compile-lint rule CL90", 2, {"plain,CL900", "plain,CL901"}),
        ("compile-lint src", 1, {"file,src"}),
    ],
)
def test_completion(process, words, word, found):
    import os

    env = {**os.environ, "COMP_WORDS": words, "COMP_CWORD": str(word), "_COMPILE_LINT_COMPLETE": "bash_complete"}
    assert found <= set(process(env=env, text=True).stdout.split("\n"))
