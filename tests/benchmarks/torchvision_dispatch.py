"""Holds the inventory of torchvision's sources against what the dispatcher of the installed torchvision says.

    python tests/benchmarks/torchvision_dispatch.py FOLDER

FOLDER: torchvision's sources, C++ and Python, of the version that is installed beside torch. For each operator three
things are compared: its schema, whether a Meta kernel is registered (or a fake one), and whether an Autograd kernel is.
Prints each disagreement and the share that agrees, and exits with 1 if that is below 98 %, or if the inventory leaves
out an operator of a file that the folder has (the dispatcher tells the file of each registration).
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEAST = 0.98
NAMESPACES = ("torchvision", "image")
_REGISTERED = re.compile(r"^debug: registered at (\S+):\d+", re.MULTILINE)
_SCHEMA = re.compile(r"^schema: (.*)", re.MULTILINE)


def compared(row: dict[str, Any], name: str) -> Iterator[tuple[str, object, object]]:
    """What is compared of an operator, what the inventory says of it and what the dispatcher says."""
    import torch

    has = torch._C._dispatch_has_kernel_for_dispatch_key
    said = _SCHEMA.search(torch._C._dispatch_dump(name))
    yield "schema", row["schema"], said.group(1).strip() if said else ""
    yield "Meta", "Meta" in row["kernels"] or row["fake"], has(name, "Meta")
    yield "Autograd", row["autograd"], has(name, "Autograd")


def inventory(folder: str) -> list[dict[str, Any]]:
    """The rows of `compile-lint ops` in the namespaces of torchvision."""
    command = [sys.executable, "-m", "compile_lint", "ops", "--format", "json", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [row for row in json.loads(done.stdout)["operators"] if row["name"].partition("::")[0] in NAMESPACES]


def left_out(names: set[str], folder: Path) -> list[str]:
    """Operators that the dispatcher has of files in the folder, and the inventory has not."""
    import torch

    found = []
    for name in torch._C._dispatch_get_all_op_names():
        place = _REGISTERED.search(torch._C._dispatch_dump(name)) if name.partition("::")[0] in NAMESPACES else None
        if place and name not in names and any(folder.rglob("/".join(Path(place[1]).parts[-2:]))):
            found.append(f"{name}, of {place[1]}")
    return sorted(found)


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    import torch
    import torchvision

    rows = {f"{row['name']}.{row['overload']}".rstrip("."): row for row in inventory(str(folder))}
    known = set(torch._C._dispatch_get_all_op_names())
    agree = count = 0
    for name in sorted(rows):
        if name not in known:
            print(f"{name}: the dispatcher does not know it")
            count += 3
            continue
        for what, ours, theirs in compared(rows[name], name):
            count += 1
            agree += ours == theirs
            if ours != theirs:
                print(f"{name}: {what}: the inventory says {ours!r}, the dispatcher {theirs!r}")
    missing = left_out(set(rows), folder)
    for line in missing:
        print(f"left out: {line}")
    share = agree / count if count else 0.0
    versions = f"torch {torch.__version__}, torchvision {torchvision.__version__}"
    print(f"{versions}: {len(rows)} operators, {agree} of {count} agree ({share:.1%}), {len(missing)} left out")
    return 0 if share >= LEAST and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
