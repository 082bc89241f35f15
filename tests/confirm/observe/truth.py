"""Observes measured cases, each in a process of its own, and holds what is seen against what was measured.

    python tests/confirm/observe/truth.py FOLDER [--only PREFIX] [--jobs 2] [--list]

FOLDER holds the cases as `*.py` (in `cases/` or right there) and `truth.json`: {"torch", "cases": [{"id", "breaks":
[{"line", "gb", "frame_skipped"}], "error": {"type", "gb", "line"}, "recompiles": [{"call"}], "same_result_as_eager"}]}.
A case has `fn`, `make()` or a class `M`; `calls()` gives the arguments of each call (without it float32[4, 4] four
times), `around(i)` a context for call i, `COMPILE_KW` what torch.compile is given.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
import time
import types
from pathlib import Path

SECONDS = 120


def place_of(source: Path):
    return source / "cases" if (source / "cases").is_dir() else source


def load(path: Path):
    """The case as a module that pickling and `global` can find."""
    from compile_lint.confirm.observe.state import seed

    seed(0)
    module = types.ModuleType("measured_case")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def arguments(call):
    """Positional and named arguments."""
    if isinstance(call, tuple) and len(call) == 2 and isinstance(call[0], tuple) and isinstance(call[1], dict):
        return call
    return (tuple(call) if isinstance(call, (tuple, list)) else (call,)), {}


def between(function, calls, around):
    """Calls that are functions change the module before the next call."""
    before, kept = {}, []
    for call in calls:
        if callable(call):
            before.setdefault(len(kept), []).append(call)
        else:
            kept.append(arguments(call))
    if not before:
        return around, kept

    @contextlib.contextmanager
    def changed(number):
        for change in before.get(number, ()):
            change(function)
        yield

    return changed, kept


def subject(path: Path):
    """Each instance is the whole module executed anew, unless it registers operators, which works only once."""
    import torch

    from compile_lint.confirm.observe import Prepared, Subject

    first = load(path)
    once = "torch.library" in path.read_text(encoding="utf-8")
    modules = [first]

    def make():
        module = modules.pop() if modules else first if once else load(path)
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()
        given = None
        if hasattr(module, "make"):
            function = module.make()
            if isinstance(function, tuple):
                function, given = function
        elif hasattr(module, "fn"):
            function = module.fn
        else:
            function = module.M()
        torch.manual_seed(1)  # the seed that gives the sizes that were measured
        around = getattr(module, "around", None)
        if hasattr(module, "calls"):
            around, calls = between(function, module.calls(), around)
        elif given is not None:
            calls = [(tuple(given), {})] * 2
        else:
            calls = [((torch.randn(4, 4),), {}) for _ in range(4)]
        return Prepared(function, calls, around)

    keywords = getattr(first, "COMPILE_KW", getattr(first, "COMPILE", {}))
    return Subject(path.stem, make, (str(path),)), keywords


def observed(path: Path):
    """Observe one case in this process."""
    import torch

    from compile_lint.confirm.observe import observe
    from compile_lint.confirm.target import Target

    torch.set_num_threads(1)
    case, keywords = subject(path)
    return observe(case, Target(path.stem, str(path), **keywords))


def in_a_fork(path: Path, folder: str):
    """Start to observe one case in a child that works in a folder; gives its pid and the reading end of a pipe."""
    here, there = os.pipe()
    pid = os.fork()
    if pid:
        os.close(there)
        return pid, here
    import msgspec

    os.close(here)
    os.setsid()
    os.chdir(folder)
    signal.alarm(SECONDS)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        payload = msgspec.json.encode(observed(path))
    except BaseException:
        import traceback

        payload = b"!" + traceback.format_exc().encode()
    with os.fdopen(there, "wb") as pipe:
        pipe.write(payload)
    os._exit(0)


def observe_all(paths, jobs=2):
    """Observations (as dictionaries) or an error text, by path. What cases write goes to a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="compile-lint-") as folder:
        return observe_in(folder, [path.absolute() for path in paths], jobs)


def observe_in(folder, paths, jobs):
    import select

    import torch
    import torch._dynamo

    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))  # what is imported late, imported once
    torch._dynamo.reset()
    todo, running, found = list(reversed(paths)), {}, {}
    while todo or running:
        while todo and len(running) < jobs:
            path = todo.pop()
            pid, pipe = in_a_fork(path, folder)
            running[pipe] = (pid, path, [])
        for pipe in select.select(list(running), [], [])[0]:
            pid, path, parts = running[pipe]
            part = os.read(pipe, 1 << 16)
            if part:
                parts.append(part)
                continue
            os.close(pipe)
            del running[pipe]
            status = os.waitpid(pid, 0)[1]
            text = b"".join(parts)
            found[path] = (
                json.loads(text) if text.startswith(b"{") else f"status {status}: {text[1:].decode(errors='replace')}"
            )
    return found


def by_line(pairs):
    found = {}
    for line, name in pairs:
        found.setdefault(line, set()).add(name)
    return found


def same_sites(breaks, observation):
    """The lines of the case with their ids, measured and seen, and whether they are the same.

    A line that is only named for a break elsewhere does not count. Some cases were measured with the id of why the
    frame was skipped, in place of the one of the break or besides it.
    """
    measured = by_line((each["line"], each["gb"]) for each in breaks)
    seen, why = {}, {}
    for each in observation["breaks"]:
        line = each["project"]["line"] if each["project"] else 0
        if each["consequence_of"] and line not in measured:
            continue
        seen.setdefault(line, set()).update((each["graph_break_id"], *each["also"]))
        why.setdefault(line, set()).update(re.findall(r"GB\d+", each["skip_reason"]))
    same = measured.keys() == seen.keys() and all(
        measured[line] - why[line] == seen[line] - why[line] or measured[line] <= why[line] for line in seen
    )
    return measured, seen, same


def error_of(measured):
    return (measured["error"]["type"], measured["error"]["line"] or 0) if measured["error"] else None


def seen_error(observation):
    error = observation["error"]
    return (error["kind"], error["place"]["line"] if error["place"] else 0) if error else None


def judge(measured, observation):
    """What differs: a list of (kind, measured, seen)."""
    if isinstance(observation, str):
        return [("run", "", observation)]
    said = []
    lines, seen_lines, same_lines = same_sites(measured["breaks"], observation)
    if not same_lines:
        said.append(("breaks", lines, seen_lines))
    if error_of(measured) != seen_error(observation):
        said.append(("error", error_of(measured), seen_error(observation)))
    calls = sorted(each["call"] for each in measured["recompiles"])
    seen = sorted(each["call"] for each in observation["recompiles"])
    if len(calls) != len(seen):
        said.append(("recompiles", calls, seen))
    same = measured.get("same_result_as_eager")
    if same is not None and observation["same_result"] is not None and "err" not in same:
        if all(same) != observation["same_result"]:
            said.append(("same", same, observation["differences"]))
    if observation["status"] != "ok":
        said.append(("status", "ok", f"{observation['status']}: {observation['message']}"))
    return said


def for_this_torch(measured, version):
    return {**measured, **measured.get(f"in_{version}", {})}


def lacks_a_package(observation):
    text = observation if isinstance(observation, str) else observation["message"]
    return "ModuleNotFoundError" in text


def compare(folder: Path, only="", jobs=2):
    """Counts by kind, how many cases ran, what differs by case, the observations, and what lacks a package here."""
    import torch

    version = torch.__version__.split("+")[0]
    cases = [each for each in json.loads((folder / "truth.json").read_text())["cases"] if each["id"].startswith(only)]
    paths = {each["id"]: place_of(folder).absolute() / f"{each['id']}.py" for each in cases}
    found = observe_all(list(paths.values()), jobs)
    left_out = [each["id"] for each in cases if lacks_a_package(found[paths[each["id"]]])]
    differing = {}
    for each in cases:
        if each["id"] in left_out:
            continue
        if said := judge(for_this_torch(each, version), found[paths[each["id"]]]):
            differing[each["id"]] = said
    counts = {}
    for said in differing.values():
        for kind, _, _ in said:
            counts[kind] = counts.get(kind, 0) + 1
    return counts, len(cases) - len(left_out), differing, found, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="list each difference")
    parser.add_argument("--json", help="write the observations here")
    options = parser.parse_args()
    begun = time.time()
    counts, total, differing, found, left_out = compare(options.folder, options.only, options.jobs)
    for name, said in sorted(differing.items()) if options.list else ():
        for kind, measured, seen in said:
            print(f"{name}: {kind}: measured {measured}; seen {str(seen)[-600:]}")
    for kind in ("run", "breaks", "error", "recompiles", "same", "status"):
        wrong = counts.get(kind, 0)
        print(f"{kind}: {total - wrong} of {total} as measured ({100 * (total - wrong) / max(1, total):.1f} %)")
    print(f"{time.time() - begun:.0f} s; {len(left_out)} lack a package: {', '.join(left_out)}")
    if options.json:
        Path(options.json).write_text(json.dumps({str(path): each for path, each in found.items()}))


if __name__ == "__main__":
    main()
