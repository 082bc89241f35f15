"""The tables of facts: what public callables return, and what TorchDynamo does with a call of them.

The tables (`rules/facts/*.tsv`) are measured by `compile_lint.confirm.probe`; nothing here imports torch. Lines are
kept as text and parsed when asked for, so that loading thousands of them costs milliseconds.

A name is the dotted public name: `torch.nonzero`, `torch.Tensor.item` (methods and attributes), `torch.nn.Linear`
(construct), `torch.nn.Linear()` (call an instance), `builtins.print`, `str.format`. A suffix says how it was called:
`math.sqrt[tensor]` (a Python callable with tensors), `numpy.prod[py]` (a numpy function on numbers and sizes),
`torch.Tensor.__getitem__[mask]` (one kind of operand), `torch.no_grad.__enter__` (the value used in a `with`).

Kinds in `returns`: tensor, tensor:int, tensor:bool, ndarray (likewise), each with `/0` where the probed call gave 0
dimensions; ints (the sizes of a tensor), symint (an int that follows a size), int, float, bool, str, none, bytes,
complex, dict, set, dtype, device, module, object; tuple[...], with `...` for many alike; list[...]; ? where not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["ok", "break", "skip", "error", "unknown"]
Version = tuple[int, int]

CONDITIONS = "conditions.tsv"
MOST_NAMES = 20_000
"""How many of the names that were asked for are remembered; linted code can make up any number of them."""
ALIASES = (
    ("np.", "numpy."),
    ("posixpath.", "os.path."),
    ("_io.", "io."),
    ("pathlib.PosixPath.", "pathlib.Path."),
    ("torch.functional.", "torch."),
    ("torch._C._VariableFunctions.", "torch."),
    ("torch._C._nn.", "torch.nn.functional."),
    ("torch._C._linalg.linalg_", "torch.linalg."),
    ("torch._C._fft.fft_", "torch.fft."),
    ("torch._C._special.special_", "torch.special."),
    ("torch._C.TensorBase.", "torch.Tensor."),
    ("torch._tensor.Tensor.", "torch.Tensor."),
    ("torch.nn.Parameter.", "torch.Tensor."),
    ("torch.nn.Buffer.", "torch.Tensor."),
    ("torch.nn.parameter.", "torch.nn."),
    ("torch.autograd.grad_mode.", "torch."),
    ("torch.amp.autocast_mode.", "torch.amp."),
    ("torch.distributed.distributed_c10d.", "torch.distributed."),
    ("torch._dynamo.decorators.", "torch._dynamo."),
)
"""Prefixes of names that lead to the same object, and the prefix that the tables use."""
MODULE_FILES = re.compile(
    r"(torch\.nn)\.modules\.\w+\."
    r"|(torch\.distributions|torch\.optim|torch\.utils\.data)\.(?!lr_scheduler|swa_utils)[a-z_]+\.(?=[A-Z])"
)
"""Classes that are shown one level above the module that defines them."""
INHERITED = (
    ("torch.nn.", "torch.nn.Module."),
    ("torch.optim.lr_scheduler.", "torch.optim.lr_scheduler.LRScheduler."),
    ("torch.optim.", "torch.optim.Optimizer."),
    ("torch.distributions.", "torch.distributions.Distribution."),
)
"""Methods that the tables hold for the base class only."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one callable, called inside a compiled function behind a captured operation.

    `outcome` is ok, break (the graph splits), skip (the whole frame runs eagerly), error (raises only when compiled) or
    unknown; `loop` is the same in the body of a `for` loop. `ids` are graph-break ids, the one at the call first.
    `reads` holds the arguments, as `position:name`, for which a tensor in place of a Python number breaks; positions
    count without `self`.
    """

    name: str
    returns: str
    outcome: Outcome
    ids: tuple[str, ...]
    loop: Outcome
    reads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """One argument in a state: `absent`, `present` (whatever the value), `tensor`, or the source text of a value.

    `position` is None for keyword-only parameters.
    """

    position: int | None
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class Condition:
    """What a call gives and does when all terms hold, in place of the fact's `returns`, `outcome` and `ids`."""

    name: str
    terms: tuple[Term, ...]
    returns: str
    outcome: Outcome
    ids: tuple[str, ...]


class Facts:
    """Facts for one torch version, by name."""

    __slots__ = ("_conditions", "_found", "_held", "_lines", "_parsed")

    def __init__(self, lines: dict[str, str], conditions: dict[str, list[str]]) -> None:
        self._lines = lines
        self._conditions = conditions
        self._parsed: dict[str, Fact] = {}
        self._found: dict[str, Fact | None] = {}
        self._held: dict[str, tuple[Condition, ...]] = {}

    @classmethod
    def load(cls, root: Path, target: str) -> Facts:
        """Read the tables in the folder `root`, for torch `target`, such as "2.13".

        Versions older than those of the tables get the oldest rows. Raises OSError for files that cannot be read and
        ValueError for a target that is no version.
        """
        wanted = _version(target)
        lines: dict[str, str] = {}
        conditions: dict[str, list[str]] = {}
        for path in sorted(root.glob("*.tsv"), key=lambda path: (path.name in ("hand.tsv", "noted.tsv"), path.name)):
            text = path.read_text(encoding="utf-8").split("\n")
            holding = _holding(text, wanted)
            if path.name == CONDITIONS:
                for line in holding:
                    conditions.setdefault(line[: line.index("\t")], []).append(line)
            else:
                lines.update([(line[: line.index("\t")], line) for line in holding])
        return cls(lines, conditions)

    def get(self, name: str) -> Fact | None:
        """The fact of a dotted name or an alias of it."""
        try:
            return self._found[name]
        except KeyError:
            return self._remember(name)

    def _remember(self, name: str) -> Fact | None:
        key = self._key(name)
        found = self._parsed.get(key) if key is not None else None
        if key is not None and found is None:
            found = self._parsed[key] = _fact(self._lines[key])
        if len(self._found) < MOST_NAMES:
            self._found[name] = found
        return found

    def conditions(self, name: str) -> tuple[Condition, ...]:
        """The conditions of a dotted name; the first whose terms hold decides."""
        held = self._held.get(name)
        if held is None:
            key = self._key(name)
            held = tuple(_condition(line) for line in self._conditions.get(key or "", ()))
            if len(self._held) < MOST_NAMES:
                self._held[name] = held
        return held

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._key(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def _key(self, name: str) -> str | None:
        if name in self._lines:
            return name
        plain = canonical(name)
        if plain in self._lines:
            return plain
        for prefix, base in INHERITED:
            head, _, method = plain.rpartition(".")
            if head.startswith(prefix) and head[len(prefix) :][:1].isupper() and base + method in self._lines:
                return base + method
        return None


def canonical(name: str) -> str:
    """The name that the tables use. A name without dots is a builtin's."""
    if "." not in name:
        return f"builtins.{name}"
    for prefix, plain in ALIASES:
        if name.startswith(prefix):
            name = plain + name[len(prefix) :]
            break
    return MODULE_FILES.sub(lambda match: f"{match.group(1) or match.group(2)}.", name, count=1)


def _version(text: str) -> Version:
    match = re.match(r"(\d+)\.(\d+)", text)
    if match is None:
        raise ValueError(f"not a torch version: {text!r} (expected something like 2.13)")
    return int(match.group(1)), int(match.group(2))


def _holding(text: list[str], wanted: Version) -> list[str]:
    """The lines that hold for a version; the last two columns, since and until, are empty in most."""
    measured = [line for line in text[1:3] if line.startswith("# torch ")]
    wanted = max(wanted, min((_version(v) for line in measured for v in line[8:].split()), default=wanted))
    at = text[0].split("\t").index("since")
    unbounded = "\t\t" if text[0].endswith("\tuntil") else "\n"
    lines = [line for line in text[1:] if line and line[0] != "#"]
    return [line for line in lines if line.endswith(unbounded) or _holds(line.split("\t"), at, wanted)]


def _holds(columns: list[str], at: int, wanted: Version) -> bool:
    since, until = columns[at : at + 2]
    return (not since or _version(since) <= wanted) and (not until or wanted <= _version(until))


def _fact(line: str) -> Fact:
    name, returns, outcome, ids, loop, reads, *_ = line.split("\t")
    return Fact(name, returns, _outcome(outcome), _split(ids), _outcome(loop), _split(reads))


def _condition(line: str) -> Condition:
    name, when, returns, outcome, ids, *_ = line.split("\t")
    return Condition(name, tuple(_term(text) for text in when.split(" & ")), returns, _outcome(outcome), _split(ids))


def _term(text: str) -> Term:
    argument, _, state = text.partition("=")
    position, _, name = argument.partition(":")
    return Term(int(position) if position else None, name, state)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _outcome(text: str) -> Outcome:
    match text:
        case "ok" | "break" | "skip" | "error":
            return text
        case _:
            return "unknown"
