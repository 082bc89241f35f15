"""The command line of the probe; see the package's docstring."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from compile_lint.confirm.probe import tables


def main() -> int:
    """Measure or merge. Returns the exit code."""
    options = _options()
    if options.merge:
        old, new = options.merge
        _merge(old, new, options.out)
        return 0
    from compile_lint.confirm.probe import again, catalogue

    if options.check:
        lines = again.differences(options.out, options.check, options.seed, options.only or [])
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return 1 if lines else 0
    chosen = options.only or list(catalogue.TABLES)
    unknown = [name for name in chosen if name not in catalogue.TABLES]
    if unknown:
        sys.stderr.write(f"no table {unknown[0]}; there are {', '.join(catalogue.TABLES)}\n")
        return 2
    for table in chosen:
        _measure(table, options.out.resolve(), options.jobs)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m compile_lint.confirm.probe", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--only", action="append", metavar="TABLE", help="measure this table (repeatable)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--merge", nargs=2, type=Path, metavar=("OLD", "NEW"), help="join the tables of two versions")
    parser.add_argument(
        "--check", type=int, metavar="N", help="measure N rows of the tables again; exit 1 where they differ"
    )
    parser.add_argument("--seed", type=int, default=0, help="which rows --check takes")
    return parser.parse_args()


def _measure(table: str, out: Path, jobs: int) -> None:
    import torch

    from compile_lint.confirm.probe import catalogue, pool

    started = time.monotonic()
    targets, dangerous = catalogue.split(table)
    shown = [0.0]

    def say(done: int) -> None:
        if time.monotonic() - shown[0] > 30:
            shown[0] = time.monotonic()
            sys.stderr.write(f"{table}: {done} of {len(targets)}\n")

    os.environ["PROBE_FOLDER"] = tempfile.mkdtemp(prefix="probe-")
    try:
        result = pool.measure_all(targets, jobs, say)
    finally:
        shutil.rmtree(os.environ["PROBE_FOLDER"], ignore_errors=True)
    rows = {row.name: row for row in result.rows}
    version = [torch.__version__.partition("+")[0]]
    tables.write(out / f"{table}.tsv", tables.COLUMNS, map(tables.fact_line, rows.values()), version)
    calls = out.parent / f"{out.name}-calls" / f"{table}.txt"
    calls.parent.mkdir(parents=True, exist_ok=True)
    calls.write_text(
        "".join(f"{row.name}\t{row.outcome}\t{row.error}\t{row.call!r}\t{row.seconds:.2f}\n" for row in rows.values())
    )
    _write_conditions(out, {(c.name, c.when): c for c in reversed(result.conditions)}, set(rows), version)
    unprobed = {name: why for name, why in result.unprobed.items() if name not in rows and "[" not in name}
    _write_unprobed(out, table, unprobed, dangerous)
    took = time.monotonic() - started
    sys.stdout.write(f"{table}: {len(rows)} rows, {len(unprobed)} not called, {len(dangerous)} not run, {took:.0f} s\n")


def _write_conditions(out: Path, found: dict[tuple[str, str], object], names: set[str], version: list[str]) -> None:
    """Keep the conditions of other tables, replace those of the names measured now."""
    from compile_lint.confirm.probe.measure import ConditionRow

    path = out / "conditions.tsv"
    old = [] if not path.exists() else [line for lines in tables.read(path)[1].values() for line in lines]
    lines = [line for line in old if line[0] not in names]
    lines += [tables.condition_line(row) for row in found.values() if isinstance(row, ConditionRow)]
    tables.write(path, tables.CONDITION_COLUMNS, lines, version, tables.CONDITIONS_HELP)


def _write_unprobed(out: Path, table: str, unprobed: dict[str, str], dangerous: list[str]) -> None:
    path = out / "unprobed.txt"
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = {line for line in old if not line.startswith(f"{table}\t")}
    lines |= {f"{table}\t{name}\t{' '.join(why.split())}" for name, why in unprobed.items()}
    lines |= {f"{table}\t{name}\tnot run: it could harm the process or the machine" for name in dangerous}
    path.write_text("\n".join([*sorted(lines), ""]), encoding="utf-8")


def _merge(old: Path, new: Path, out: Path) -> None:
    names = sorted({path.name for folder in (old, new) for path in folder.glob("*.tsv")} - {"hand.tsv"})
    for name in names:
        conditions = name == "conditions.tsv"
        columns = tables.CONDITION_COLUMNS if conditions else tables.COLUMNS
        if not (old / name).exists() or not (new / name).exists():
            only = (old if (old / name).exists() else new) / name
            versions, table = tables.read(only)
            lines = [line for group in table.values() for line in group]
        else:
            versions, lines = tables.merge(old / name, new / name)
        tables.write(out / name, columns, lines, versions, tables.CONDITIONS_HELP if conditions else "")
    unprobed = {line for folder in (old, new) for line in _lines(folder / "unprobed.txt")}
    (out / "unprobed.txt").write_text("\n".join([*sorted(unprobed), ""]), encoding="utf-8")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


if __name__ == "__main__":
    sys.exit(main())
