"""The commands and their options. What they do is imported when they run."""

from __future__ import annotations

from typing import Any

import click

from compile_lint import __version__
from compile_lint.cli.bench_options import bench_options
from compile_lint.cli.confirm_options import confirm_options, merge_options
from compile_lint.cli.decide_options import decide_options
from compile_lint.cli.declare import rule_codes, setting
from compile_lint.cli.group import Command, Group, Option
from compile_lint.cli.ops_options import ops_options
from compile_lint.cli.report_options import report_options

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
SHELLS = ("bash", "zsh", "fish")

_RULES = "Choosing rules"
_FILES = "Choosing files"
_PREDICTION = "What is predicted"
_CHANGES = "Showing what is new"
_REPORT = "Report"
_EXIT = "Exit code"
_CONFIG = "Configuration"
_SPEED = "Speed"

CHECK_SETTINGS = {
    "select": _RULES,
    "extend-select": _RULES,
    "ignore": _RULES,
    "extend-ignore": _RULES,
    "per-file-ignores": _RULES,
    "extend-rules": _RULES,
    "min-confidence": _RULES,
    "exclude": _FILES,
    "extend-exclude": _FILES,
    "respect-gitignore": _FILES,
    "force-exclude": _FILES,
    "follow-imports": _FILES,
    "target-torch": _PREDICTION,
    "entry-points": _PREDICTION,
    "diff-scope": _CHANGES,
    "baseline": _CHANGES,
    "format": _REPORT,
    "output-file": _REPORT,
    "output": _REPORT,
    "statistics": _REPORT,
    "color": _REPORT,
    "fail-on": _EXIT,
    "fail-under": _EXIT,
    "exit-zero": _EXIT,
    "cache": _SPEED,
    "cache-dir": _SPEED,
    "jobs": _SPEED,
}


@click.group(cls=Group, context_settings=CONTEXT, invoke_without_command=False)
@click.version_option(__version__, prog_name="compile-lint", message="%(prog)s %(version)s")
def cli() -> None:
    """Predict what will break under torch.compile, before anything runs.

    `compile-lint PATHS` is `compile-lint check PATHS`; `compile-lint check --help` shows the options. A path that is
    called like a command is reached as ./check or after --.
    """


def _new_options() -> list[Any]:
    """The options about findings that are new."""

    def option(*names: str, **kwargs: Any) -> Any:
        return click.option(*names, cls=Option, section=_CHANGES, **kwargs)

    return [
        option("--diff-base", metavar="REV", help="Show what has changed since a git revision brings in."),
        option("--diff", metavar="FILE", type=click.Path(allow_dash=True), help="Show what a unified diff brings in."),
        option("--write-baseline", is_flag=True, help="Write the findings to --baseline: from now on they are known."),
        option("--prune-baseline", is_flag=True, help="Take out of --baseline what is found no more."),
        option("--add-ignore", is_flag=True, help="Write a suppression into the code for each finding."),
        option("--reason", metavar="TEXT", help="What --add-ignore writes behind each suppression."),
    ]


def _check_options(function: Any) -> Any:
    """All options of `check`, in the order that the help shows them."""
    own = [
        click.option(
            "--stdin-filename",
            metavar="PATH",
            type=click.Path(),
            cls=Option,
            section=_FILES,
            help="Name of what `-` reads.",
        ),
        click.option(
            "--show-files",
            is_flag=True,
            cls=Option,
            section=_FILES,
            help="List the files that would be linted, and stop.",
        ),
        *_new_options(),
        click.option(
            "--config",
            metavar="FILE",
            type=click.Path(),
            cls=Option,
            section=_CONFIG,
            help="Configuration to use in place of the nearest.",
        ),
        click.option("--isolated", is_flag=True, cls=Option, section=_CONFIG, help="Use no configuration file."),
        click.option(
            "--show-settings", is_flag=True, cls=Option, section=_CONFIG, help="Print the settings in force, and stop."
        ),
        click.option(
            "-q", "--quiet", count=True, cls=Option, section=_REPORT, help="Findings only; twice: the exit code only."
        ),
        click.option(
            "-v",
            "--verbose",
            count=True,
            cls=Option,
            section=_REPORT,
            help="All entries and whole advice; twice: tracebacks too.",
        ),
    ]
    options = [*(setting(name, section) for name, section in CHECK_SETTINGS.items()), *own]
    for option in reversed(options):
        function = option(function)
    return function


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Lint files and folders. The default command.")
@click.argument("paths", nargs=-1, type=click.Path(allow_dash=True))
@_check_options
@click.pass_context
def check(ctx: click.Context, /, **params: Any) -> None:
    """Lint files and folders (default: the current folder); `-` reads standard input.

    Exit code 0: nothing found of a kind in --fail-on. 1: something found. 2: something could not be linted as asked.
    """
    from compile_lint.cli.check import check as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Run models under TorchDynamo and say what happened.")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@confirm_options
@click.pass_context
def confirm(ctx: click.Context, /, **params: Any) -> None:
    """Run each target under TorchDynamo, in a process of its own, and report its breaks, recompilations and score.

    A TARGET is path/file.py:name or package.module:name: a function that takes nothing and returns a callable or a
    module, alone or as (callable, args) or (callable, args, kwargs); or a module class, or a function, itself. Or it is
    a name from [[tool.compile-lint.target]]; without a target all of those run.

    Exit code 0: all targets were observed, and nothing fails. 1: something of a kind in --fail-on, more than a limit
    allows, or too low a score. 2: a target could not be observed. 130: interrupted; what was done is printed.
    """
    from compile_lint.cli.confirm import confirm as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Measure what torch.compile gains and costs.")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@bench_options
@click.pass_context
def bench(ctx: click.Context, /, **params: Any) -> None:
    """Measure each target in eager mode and compiled: latency, memory, warm-up, and what its traffic's sizes cost.

    A TARGET is named as for `confirm`. Eager and compiled calls take turns in one process; each start is made in a
    fresh process, with a folder of its own for compile caches.

    Exit code 0: all was measured. 1: a compiled call raised, or gave another result than eager; or, with --compare and
    --fail-slower, something got worse. 2: a target could not be run. 130: interrupted; what was done is reported.
    """
    from compile_lint.cli.bench import bench as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Say whether torch.compile pays, and what must be true.")
@click.argument("files", nargs=-1, type=click.Path(), metavar="[BENCH.json]...")
@decide_options
@click.pass_context
def decide(ctx: click.Context, /, **params: Any) -> None:
    """Decide go, go with conditions or no-go for each target of the records, with reasons and a checklist.

    BENCH.json is a record of `compile-lint bench`. What was not measured may be assumed; the verdict marks it. Money
    and traffic come from the options or from [tool.compile-lint.business].

    Exit code 0: a decision was made, whatever it is. 1: a verdict of --fail-on. 2: a record or a figure cannot be used.
    """
    from compile_lint.cli.decide import decide as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Write the decision as a page to read and pass on.")
@click.argument("files", nargs=-1, type=click.Path(), metavar="[BENCH.json]...")
@report_options
@click.pass_context
def report(ctx: click.Context, /, **params: Any) -> None:
    """Write what `decide` decides, with charts and what was measured, as one HTML file or as Markdown.

    The HTML file needs nothing else: it opens from an e-mail, without a network, and prints. BENCH.json is a record of
    `compile-lint bench`; several targets get an overview that ranks them.

    Exit code 0: the page was written. 2: a record, a figure or an option cannot be used.
    """
    from compile_lint.cli.report import report as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="Join the JSON results of `confirm --shard`.")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@merge_options
@click.pass_context
def merge(ctx: click.Context, /, **params: Any) -> None:
    """Join reports of `confirm --format json`, such as those of --shard 1/4 to 4/4, into one in any form."""
    from compile_lint.cli.merge import merge as run

    ctx.exit(run(params))


@cli.command(cls=Command, context_settings=CONTEXT, short_help="List the custom operators, and what each lacks.")
@click.argument("paths", nargs=-1, type=click.Path())
@ops_options
@click.pass_context
def ops(ctx: click.Context, /, **params: Any) -> None:
    """List every custom operator that files and folders declare or call (default: the current folder).

    Python and C++, CUDA and HIP sources are read, and none of them is run: where an operator is declared, its schema,
    what is registered for it, where compile regions call it, and what torch.compile makes of it.

    With --check FILE:SAMPLES, operators are run on samples instead, each under torch.library.opcheck, in a process of
    its own.

    Exit code 0: the list is whole. 1: an operator has a verdict in --fail-on, or failed a check. 2: something could
    not be read, or checked.
    """
    from compile_lint.cli.ops import ops as run

    ctx.exit(run(params))


@cli.command(context_settings=CONTEXT)
@click.option("--format", "form", metavar="text|json", default="text", help="Form of the list.")
@click.option("--config", metavar="FILE", type=click.Path(), help="Configuration to use in place of the nearest.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
def rules(form: str, config: str | None, isolated: bool) -> None:
    """List the rules."""
    from compile_lint.cli.rules import list_rules

    list_rules(form, config, isolated)


def _complete_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [code for code in rule_codes() if code.startswith(incomplete.upper())]


@cli.command(context_settings=CONTEXT)
@click.argument("code", shell_complete=_complete_code)
@click.option("--config", metavar="FILE", type=click.Path(), help="Configuration to use in place of the nearest.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
def rule(code: str, config: str | None, isolated: bool) -> None:
    """Show the whole page of a rule, by code or name."""
    from compile_lint.cli.rules import show_rule

    show_rule(code, config, isolated)


@cli.command(context_settings=CONTEXT)
@click.option("--cache-dir", metavar="FOLDER", type=click.Path(), help="The cache to remove. Default: that of `check`.")
@click.option("--config", metavar="FILE", type=click.Path(), help="Configuration to use in place of the nearest.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
def clean(cache_dir: str | None, config: str | None, isolated: bool) -> None:
    """Remove the cache of results."""
    from compile_lint.cli.clean import remove_cache

    remove_cache(cache_dir, config, isolated)


@cli.command(context_settings=CONTEXT)
@click.argument("folder", default=".", type=click.Path())
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init(folder: str, force: bool) -> None:
    """Write a commented configuration, compile-lint.toml."""
    from compile_lint.cli.init import write_configuration

    write_configuration(folder, force)


@cli.command(context_settings=CONTEXT, short_help="Serve an editor over standard input and output.")
@click.option("--stdio", is_flag=True, help="Nothing else is possible; some editors say so.")
@click.pass_context
def server(ctx: click.Context, stdio: bool) -> None:
    """Speak the Language Server Protocol with an editor, which starts this and lists the findings while you type.

    Exit code 0: the editor shut it down. 1: the editor went without. 2: it cannot run.
    """
    from compile_lint.cli.server import server as run

    ctx.exit(run())


@cli.command(context_settings=CONTEXT)
def version() -> None:
    """Print the version."""
    click.echo(f"compile-lint {__version__}")


@cli.command(context_settings=CONTEXT, short_help="Print the script for completion in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that makes a shell complete commands, options and codes.

    \b
    bash: eval "$(compile-lint completion bash)"           in ~/.bashrc
    zsh:  eval "$(compile-lint completion zsh)"            in ~/.zshrc
    fish: compile-lint completion fish | source            in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these shells"
    click.echo(kind(cli, {}, "compile-lint", "_COMPILE_LINT_COMPLETE").source())
