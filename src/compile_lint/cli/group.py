"""Commands with a default one: `compile-lint PATHS` is `compile-lint check PATHS`."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

DEFAULT = "check"
_GROUP_OPTIONS = ("-h", "--help", "--version")


class Option(click.Option):
    """An option that the help shows under a heading of its own."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Command(click.Command):
    """A command whose help groups its options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, in the order that the headings come."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):  # arguments are in the usage line
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
        for heading in sorted(sections, key="Options".__eq__):  # --help and what belongs nowhere else come last
            with formatter.section(heading):
                formatter.write_dl(sections[heading])


class Group(click.Group):
    """The first word is a command if it is a command's name; else all words belong to the default command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name where it is left out."""
        completing = ctx.resilient_parsing and not args
        first = args[0] if args else ""
        if not completing and first not in self.commands and first not in _GROUP_OPTIONS:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, and what the default command takes in their place."""
        found = super().shell_complete(ctx, incomplete)
        check = self.commands[DEFAULT]
        with click.Context(check, info_name=DEFAULT, parent=ctx, resilient_parsing=True) as below:
            known = {item.value for item in found}
            found.extend(item for item in check.shell_complete(below, incomplete) if item.value not in known)
            if not incomplete.startswith("-"):
                found.append(CompletionItem(incomplete, type="file"))
        return found
