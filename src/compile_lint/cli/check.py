"""`compile-lint check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compile_lint.cli.clean import cache_of
from compile_lint.cli.commands import CHECK_SETTINGS, cli
from compile_lint.cli.declare import given as options_given
from compile_lint.cli.new import Wanted, narrowing, wanted
from compile_lint.cli.output import say, to_stdout
from compile_lint.cli.progress import Progress
from compile_lint.cli.setup import configuration, rules
from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.config.options import Options, merge
from compile_lint.discover import Found, Given, decode, find, module_root, shown
from compile_lint.findings import FileError, Finding, Source

STDIN = "-"


def check(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option or the configuration cannot be used.
    """
    verbosity = params["verbose"] - params["quiet"]
    paths = _paths(params)
    wish = wanted(params, paths)
    given = options_given(tuple(CHECK_SETTINGS), params)
    named = [params["stdin_filename"] or "." if path == STDIN else path for path in paths]
    file, broken = configuration(params["config"], params["isolated"], named)
    rulebook = rules(given, file, examples=False)
    options = merge(given, file, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd())
    if params["show_settings"]:
        from compile_lint.cli.show import settings_in_force

        to_stdout(settings_in_force(options))
        return 0
    if verbosity >= 0:
        for remark in options.remarks:
            say("note", remark)
    if "sarif" in (options.format, *(form for form, _ in options.outputs)):
        rulebook = rules(given, file)  # it holds the page of each rule
    found, sources = _inputs(paths, params["stdin_filename"], options, broken)
    if params["show_files"]:
        return _show_files(found, verbosity)
    return _lint(found, sources, options, rulebook, "entry-points" not in given, verbosity, wish)


def _paths(params: Mapping[str, Any]) -> list[str]:
    paths = list(params["paths"]) or ["."]
    if STDIN in paths and len(set(paths)) > 1:
        raise ConfigError("-: standard input goes with no other path")
    if params["stdin_filename"] and STDIN not in paths:
        raise ConfigError("--stdin-filename: goes with `-`, which reads standard input")
    if "" in paths:
        raise ConfigError("an empty path names nothing; the current folder is `.`")
    return list(dict.fromkeys(paths))


def _inputs(
    paths: Sequence[str], stdin_name: str | None, options: Options, broken: Sequence[FileError]
) -> tuple[Found, list[Source]]:
    """The files to lint, or what standard input holds."""
    cwd = os.getcwd()
    if paths != [STDIN]:
        found = find(paths, options.exclude, options.respect_gitignore, cwd, options.force_exclude)
        errors = [_with_hint(error) for error in found.errors]
        return Found(found.files, (*broken, *errors)), []
    real = os.path.abspath(stdin_name) if stdin_name else ""
    name = shown(real, cwd) if real else "<stdin>"
    source = decode(sys.stdin.buffer.read(), name, module_root(real) if real else cwd)
    if isinstance(source, FileError):
        return Found((), (*broken, source)), []
    return Found((), tuple(broken)), [source]


def _with_hint(error: FileError) -> FileError:
    """A first word that is nearly a command's name was meant as one."""
    if error.message != "no such file or folder" or os.sep in error.path:
        return error
    near = hint(error.path, list(cli.commands)) if error.path.isalpha() else ""
    return FileError(error.path, error.message + near, error.fatal) if "did you mean" in near else error


def _show_files(found: Found, verbosity: int) -> int:
    from compile_lint.report import safe

    to_stdout("".join(f"{safe(file.path)}\n" for file in found.files))
    return _tell(found.errors, verbosity)


def _lint(
    found: Found,
    given: Sequence[Source],
    options: Options,
    rulebook: Any,
    look_for_idle: bool,
    verbosity: int,
    wish: Wanted,
) -> int:
    from compile_lint.cli.lint import exit_code, lint
    from compile_lint.cli.reports import need_fingerprints, reports, write

    outputs = reports(options)

    def again(files: Found, texts: Sequence[Source], context: Given) -> Sequence[Finding]:
        return lint(files, texts, options, rulebook, look_for_idle, context=context)[0].findings

    narrow = narrowing(wish, options, found, again, verbosity)
    with Progress(verbosity >= 0) as progress:
        # what standard input holds is gone tomorrow
        cache = cache_of(options, verbosity) if not given else None
        named = need_fingerprints(outputs)
        run, sources = lint(found, given, options, rulebook, look_for_idle, progress, named, narrow, cache=cache)
    if wish.add_ignore:
        from compile_lint.cli.ignore import add_ignores

        run = add_ignores(run, found, wish.reason, rulebook, verbosity)
    failed = write(run, outputs, options.color, verbosity, sources.lines)
    _tell(run.errors, verbosity)
    for words in failed:
        say("error", words)
    return 2 if failed else exit_code(run, options)


def _tell(errors: Sequence[FileError], verbosity: int) -> int:
    """A line for each error, and 2 if one of them is fatal."""
    for error in errors:
        if error.fatal:
            say("error", f"{error.path}: {error.message}")
        elif verbosity >= 0:
            say("note", f"{error.path}: {error.message}")
    return 2 if any(error.fatal for error in errors) else 0
