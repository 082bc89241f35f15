"""Confirmation in this process, for tests and notebooks: the same observation as that of `compile-lint confirm`."""

from __future__ import annotations

import copy
import functools
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from compile_lint.confirm.gate import break_place, counted_breaks, counted_recompiles, recompile_place
from compile_lint.confirm.join.model import Confirmation
from compile_lint.confirm.project import in_project, is_installation, is_installed, too_wide
from compile_lint.report.run import plural

_EXTRA = "pip install 'compile-lint[confirm]'"
_Call = tuple[tuple[Any, ...], dict[str, Any]]


def confirm(subject: Callable[..., Any], /, *args: Any, inputs: Iterable[Any] = (), **kwargs: Any) -> Confirmation:
    """Run a function or a module eagerly and under TorchDynamo, and say what happened.

    The subject and its arguments are copied for each run, so that neither is changed; what cannot be copied is used as
    it is. Settings of torch, random numbers and logging are put back; TorchDynamo's caches are emptied. The graphs are
    captured and run as they are, without a compiler behind them. Custom operators are checked in this process, where
    `compile-lint confirm` has one for that. The linter reads the files that ran, with the
    configuration that is nearest to the file of the subject.

    Args:
        subject: a function, a module or anything that can be called; what is compiled already is observed as it is.
        args: of the first call.
        inputs: of the further calls, which show recompilation: tuples of arguments, or (args, kwargs). Without `args`
            and `kwargs` the first of them is the first call.
        kwargs: of the first call.

    Returns:
        What was seen. `status` is `user-error` where the eager call raised; `traceback` says where.

    Raises:
        ImportError: torch is not installed.
        TypeError: the subject cannot be called, or an entry of `inputs` is no tuple.
    """
    return _confirmed(subject, _calls(args, kwargs, inputs), ())


def assert_compiles(
    subject: Callable[..., Any],
    /,
    *args: Any,
    max_breaks: int = 0,
    max_recompiles: int | None = None,
    within: str | Sequence[str] = (),
    inputs: Iterable[Any] = (),
    **kwargs: Any,
) -> Confirmation:
    """Assert that a function or a module compiles: no error, the same results as eager, and few enough breaks.

    Args:
        subject: as for `confirm`, and so are `args`, `inputs` and `kwargs`.
        args: of the first call.
        max_breaks: lines that may end a graph.
        max_recompiles: recompilations that are allowed, not counting those that only make a size dynamic; None for any.
        within: packages (`mypkg.models`) or paths: only what lies there in your own code counts. Breaks in a library
            count at the line of yours that led there.
        inputs: of the further calls.
        kwargs: of the first call.

    Returns:
        What was seen, where it holds.

    Raises:
        AssertionError: it does not; the text lists the lines.
    """
    __tracebackhide__ = True
    scope = (within,) if isinstance(within, str) else tuple(within)
    found = _confirmed(subject, _calls(args, kwargs, inputs), tuple(filter(None, map(_folder, scope))))
    problems = _problems(found, max_breaks, max_recompiles, scope)
    if problems:
        raise AssertionError("\n".join([f"{found.name} does not compile as asked", *problems]))
    return found


def _problems(found: Confirmation, max_breaks: int, max_recompiles: int | None, scope: Sequence[str]) -> list[str]:
    if found.status != "ok":
        return [f"  {found.status}: {found.message}", *(f"    {line}" for line in found.traceback.splitlines())]
    lines = []
    if found.error is not None:
        at = found.error.place
        where = f"{at.path}:{at.line}: " if at is not None else ""
        lines.append(f"  {where}raises only when compiled: {found.error.kind}: {found.error.message}")
    elif found.same_result is False:
        lines += ["  results differ from eager:", *(f"    {difference}" for difference in found.differences)]
    breaks = counted_breaks([found], scope)
    if len(breaks) > max_breaks:
        lines.append(f"  {plural(len(breaks), 'graph break')}, {max_breaks} allowed:")
        lines += [f"    {break_place(one)}: {one.reason}\n      {one.source}".rstrip() for one in breaks]
    again = counted_recompiles([found], scope)
    if max_recompiles is not None and len(again) > max_recompiles:
        lines.append(f"  {plural(len(again), 'recompilation')}, {max_recompiles} allowed:")
        lines += [f"    {recompile_place(one)}: {one.reason or one.guard}" for one in again]
    return lines


def _confirmed(subject: Callable[..., Any], calls: Sequence[_Call], project: tuple[str, ...]) -> Confirmation:
    if not callable(subject):
        raise TypeError(f"cannot be called: {subject!r:.80}; give a function or a module")
    if importlib.util.find_spec("torch") is None:
        raise ImportError(f"confirm runs the code, and torch is not installed: {_EXTRA}")
    from compile_lint.confirm.join import join
    from compile_lint.confirm.observe import Prepared, Subject, observe
    from compile_lint.confirm.target import Target

    files = _files(subject)
    name = _name(subject)

    def make() -> Prepared:
        return Prepared(*_copied(subject, calls))

    roots = dict.fromkeys([*map(_root, files), *project])
    whole, target = Subject(name, make, tuple(roots)), Target(name=name, target=name)
    seen = observe(whole, target)
    if seen.operators:
        from compile_lint.confirm.observe.opcheck import checked_here

        seen = checked_here(seen, whole, target)
    return join(seen, _linter(files[0] if files else "").predict(seen))


def _calls(args: tuple[Any, ...], kwargs: dict[str, Any], inputs: Iterable[Any]) -> list[_Call]:
    further = [_call(entry, number) for number, entry in enumerate(inputs)]
    first = [] if further and not args and not kwargs else [(args, kwargs)]
    return [*first, *further]


def _call(entry: Any, number: int) -> _Call:
    if not isinstance(entry, tuple):
        raise TypeError(
            f"inputs[{number}]: must be a tuple of arguments, or (args, kwargs); write (x,) for one argument"
        )
    if len(entry) == 2 and isinstance(entry[0], (tuple, list)) and isinstance(entry[1], dict):
        if all(isinstance(key, str) for key in entry[1]):
            return tuple(entry[0]), entry[1]
    return entry, {}


def _copied(subject: Callable[..., Any], calls: Sequence[_Call]) -> tuple[Callable[..., Any], list[_Call]]:
    """Both copied in one go, so that what they share they share still; each part that cannot be is used as it is."""
    try:
        return copy.deepcopy((subject, list(calls)))
    except Exception:
        return _copy(subject), [
            (tuple(map(_copy, args)), {k: _copy(v) for k, v in kwargs.items()}) for args, kwargs in calls
        ]


def _copy(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a tensor that is not a leaf, a file, a lock
        return value.detach().clone().requires_grad_(value.requires_grad) if _is_tensor(value) else value


def _is_tensor(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Tensor)


def _plain(subject: Any) -> Any:
    """What the user wrote: behind torch.compile, decorators, partial and bound methods."""
    while isinstance(subject, functools.partial):
        subject = subject.func
    subject = getattr(subject, "_orig_mod", subject)
    subject = getattr(subject, "_torchdynamo_orig_callable", subject)
    return inspect.unwrap(subject) if inspect.isroutine(subject) else subject


def _name(subject: Any) -> str:
    plain = _plain(subject)
    return str(getattr(plain, "__qualname__", "") or type(plain).__qualname__).replace(".<locals>", "")


def _files(subject: Any) -> list[str]:
    """The files of its source, of its own and, for a module, of the modules in it.

    Installed ones count only where there are no others: what a library made of your parts is about your parts. torch's
    own count only for what is torch's alone.
    """
    plain = _plain(subject)
    parts = [type(part) for part in plain.modules()] if _is_module(plain) else []
    found = [path for path in dict.fromkeys(map(_file, (plain, *parts))) if path]
    torch = os.path.dirname(os.path.abspath(sys.modules["torch"].__file__ or ""))
    foreign = [path for path in found if not in_project(path, [torch])]
    own = [path for path in foreign if not is_installed(path)]
    return own or foreign or found


def _is_module(value: Any) -> bool:
    import torch

    return isinstance(value, torch.nn.Module)


def _file(plain: Any) -> str:
    """The file of the source of a function, a class or an object; empty where there is none."""
    for value in (plain, type(plain)):
        try:
            path = inspect.getsourcefile(value)
        except (TypeError, OSError):
            continue
        if path and os.path.isfile(path):
            return os.path.abspath(path)
    return ""


def _root(file: str) -> str:
    """What counts as the project of a file: its outermost package, or else the folder that it lies in.

    A file that lies among installed packages, and in none of them, is alone; so is one in a home or in /tmp.
    """
    from compile_lint.discover import module_root

    above = module_root(file)
    inside = os.path.relpath(file, above).split(os.sep)
    if len(inside) > 1:
        return os.path.join(above, inside[0])
    return file if is_installation(above) or too_wide(above) else above


def _folder(within: str) -> str:
    """The folder or file of a package or a path; empty if there is none."""
    if os.path.exists(within):
        return os.path.abspath(within)
    try:
        spec = importlib.util.find_spec(within)
    except (ImportError, ValueError, AttributeError):
        return ""
    if spec is None:
        return ""
    folders = list(spec.submodule_search_locations or ())
    return folders[0] if folders else spec.origin or ""


@functools.cache
def _linter(file: str) -> Any:
    """The linter with the configuration that is nearest to a file."""
    from pathlib import Path

    from compile_lint.cli.setup import configuration, rules
    from compile_lint.config.options import merge
    from compile_lint.confirm.join import Linter

    found, _ = configuration(None, False, [file] if file else ())
    rulebook = rules({}, found)
    return Linter(merge({}, found, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd()), rulebook)
