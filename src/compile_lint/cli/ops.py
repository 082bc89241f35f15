"""`compile-lint ops`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from compile_lint.cli.declare import given as options_given
from compile_lint.cli.ops_options import OPS_SETTINGS
from compile_lint.cli.output import check_target, say, to_file, to_stdout
from compile_lint.cli.setup import configuration, rules
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COLORS
from compile_lint.config.nearest import hint
from compile_lint.config.options import Options, merge
from compile_lint.discover import File, Found, Sources, find
from compile_lint.discover.walk import SUFFIXES
from compile_lint.findings import FileError
from compile_lint.ops.model import VERDICTS, Inventory, Verdict
from compile_lint.ops.native import NATIVE_SUFFIXES, native_side
from compile_lint.rulebook import Rulebook

_PYPROJECT = "pyproject.toml"


def ops(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option, a path or the configuration cannot be used.
    """
    if params["check"] is not None:
        from compile_lint.cli.ops_check import check

        return check(params)
    form, color, file, fail_on = _output(params)
    paths = list(dict.fromkeys(params["paths"])) or ["."]
    given = options_given(tuple(OPS_SETTINGS), params)
    config, broken = configuration(params["config"], params["isolated"], paths)
    rulebook = rules({}, config, examples=False)
    options = merge(given, config, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd())
    found = _found(paths, options)
    inventory = take(found, options, rulebook, broken)
    verbosity = params["verbose"] - params["quiet"]
    if params["stub"] is not None:
        _stub(inventory, params["stub"], _native(found), file)
        return _tell(inventory.errors, verbosity)
    shown = replace(inventory, rows=tuple(row for row in inventory.rows if _named(row.name, params["names"])))
    _write(shown, form, color, file, verbosity)
    code = _tell(shown.errors, verbosity)
    return code or int(any(row.verdict in fail_on for row in shown.rows))


def _found(paths: Sequence[str], options: Options) -> Found:
    suffixes = (*SUFFIXES, *NATIVE_SUFFIXES, _PYPROJECT)
    return find(paths, options.exclude, options.respect_gitignore, os.getcwd(), suffixes=suffixes)


def _native(found: Found) -> list[File]:
    return [file for file in found.files if file.path.endswith(NATIVE_SUFFIXES)]


def take(found: Found, options: Options, rulebook: Rulebook, broken: Sequence[FileError] = ()) -> Inventory:
    """The inventory of some files; `broken` is what went wrong before."""
    from compile_lint.ops.inventory import take_inventory

    projects = [file for file in found.files if os.path.basename(file.path) == _PYPROJECT]
    others = (*NATIVE_SUFFIXES, _PYPROJECT)
    sources = Sources([file for file in found.files if not file.path.endswith(others)])
    texts = ((file.path, text) for file in projects if (text := _text(file.real, {})) is not None)
    inventory = take_inventory(sources, native_side(_native(found)), options.settings, rulebook, texts)
    errors = {(one.path, one.message): one for one in (*broken, *found.errors, *sources.errors, *inventory.errors)}
    return replace(inventory, errors=tuple(sorted(errors.values(), key=lambda one: (one.path, one.message))))


def _output(params: Mapping[str, Any]) -> tuple[str, str, Path | None, frozenset[Verdict]]:
    """Form, colour and file of the report, and the verdicts that fail, checked."""
    from compile_lint.ops.report import FORMATS

    form = _choice(params["form"], FORMATS, "--format", "text")
    color = _choice(params["color"], COLORS, "--color", "auto")
    file = Path(params["output_file"]) if params["output_file"] else None
    if file is not None:
        check_target(file)
    if "" in params["paths"]:
        raise ConfigError("an empty path names nothing; the current folder is `.`")
    return form, color, file, _verdicts(params["fail_on"])


def _choice(value: str | None, choices: Sequence[str], place: str, default: str) -> str:
    if value is not None and value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return default if value is None else value


def _verdicts(values: Iterable[str]) -> frozenset[Verdict]:
    """The verdicts that a list with commas names; `any` is all but ready, `none`, alone, is none."""
    bad = [verdict for verdict in VERDICTS if verdict != "ready"]
    words = [word.strip() for value in values for word in value.split(",") if word.strip()]
    for word in words:
        if word not in (*bad, "any", "none"):
            raise ConfigError(f"--fail-on: {word!r} is no verdict that fails{hint(word, (*bad, 'any', 'none'))}")
    if "none" in words and len(set(words)) > 1:
        raise ConfigError("--fail-on: 'none' goes with no other verdict")
    return frozenset(verdict for verdict in bad if verdict in words or "any" in words)


def _named(name: str, globs: Sequence[str]) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs)


def _write(inventory: Inventory, form: str, color: str, file: Path | None, verbosity: int) -> None:
    from compile_lint.ops.report import render
    from compile_lint.report import wants_color

    environ = os.environ if file is None else {}
    colored = form == "text" and wants_color(color, file is None and sys.stdout.isatty(), environ)
    if file is not None:
        to_file(render(inventory, form, colored, verbosity), file)
    elif verbosity > -2:
        to_stdout(render(inventory, form, colored, verbosity))


def _tell(errors: Sequence[FileError], verbosity: int) -> int:
    """A line for each error, and 2 if one of them is fatal."""
    for error in errors:
        if error.fatal:
            say("error", f"{error.path}: {error.message}")
        elif verbosity >= 0:
            say("note", f"{error.path}: {error.message}")
    return 2 if any(error.fatal for error in errors) else 0


def _stub(inventory: Inventory, name: str, native: Sequence[File], file: Path | None) -> None:
    """Write what the operators of a name lack."""
    from compile_lint.ops.written import NoStubError, lacking

    rows = [row for row in inventory.rows if name in (row.name, row.full_name)]
    if not rows:
        raise ConfigError(f"--stub: no operator {name!r} here{hint(name, [row.name for row in inventory.rows])}")
    paths = {one.path: one for one in native}
    try:
        parts = [lacking(row, list(paths), lambda path: _text(path, paths)) for row in rows]
    except NoStubError as error:
        raise ConfigError(f"--stub: {error}") from error
    text = "\n\n".join(dict.fromkeys(part for part in parts if part))
    if not text:
        say("note", f"{name} lacks nothing")
    elif file is not None:
        to_file(text, file)
    else:
        to_stdout(text)


def _text(path: str, native: Mapping[str, File]) -> str | None:
    """A file's text, however it is encoded."""
    try:
        return Path(native[path].real if path in native else path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
