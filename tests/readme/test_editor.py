"""What README.md says of editors."""

import json
import re
import subprocess
import sys

import pytest

from compile_lint.cli.commands import cli
from compile_lint.server.linter import CONFIG, SETTINGS, Linter

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture
def text(readme):
    return re.search(r"^## Editor\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]


def block(text, language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return found


def settings_are_good(tmp_path, settings):
    return Linter(str(tmp_path)).settings(settings)[2] == []


def test_neovim(text, tmp_path):
    lua = block(text, "lua")
    assert 'cmd = { "compile-lint", "server" }' in lua
    assert "server" in cli.commands
    options = re.search(r"init_options = \{ (\w+) = (\d+) \}", lua)
    assert settings_are_good(tmp_path, {options[1]: int(options[2])})


def test_helix(text, tmp_path):
    table = tomllib.loads(block(text, "toml"))
    server = table["language-server"]["compile-lint"]
    assert [server["command"], *server["args"]] == ["compile-lint", "server"]
    assert settings_are_good(tmp_path, server["config"])
    assert "compile-lint" in table["language"][0]["language-servers"]


def test_other_editors(text, tmp_path):
    assert settings_are_good(tmp_path, json.loads(block(text, "json")))
    assert not settings_are_good(tmp_path, {"colour": "red"})


def test_named_settings(text):
    named = set(re.findall(r"`([a-z-]+)`", re.search(r"They have the keys(.*?)They are", text, re.DOTALL)[1]))
    assert named <= {*SETTINGS, CONFIG, "debounce"}
    assert {CONFIG, "debounce"} <= named


def test_the_delay_and_the_severities(text):
    pytest.importorskip("pygls")
    from lsprotocol.types import DiagnosticSeverity as Severity

    from compile_lint.server.present import SEVERITIES
    from compile_lint.server.roots import DEBOUNCE

    assert f"{DEBOUNCE} milliseconds after the last change" in text
    assert (
        "errors and wrong results are errors, breaks and hazards are warnings, recompilations are information" in text
    )
    assert {
        "error": Severity.Error,
        "wrong": Severity.Error,
        "break": Severity.Warning,
        "hazard": Severity.Warning,
        "recompile": Severity.Information,
    } == SEVERITIES


def test_the_command_does_not_hang_without_an_editor():
    done = subprocess.run([sys.executable, "-m", "compile_lint", "server"], input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
