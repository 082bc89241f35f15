"""The fact tables as the inference needs them, loaded once a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from compile_lint.facts import Facts
from compile_lint.rulebook.lookup import Rulebook

_GENERIC = frozenset(
    [
        "data",
        "device",
        "dtype",
        "to",
        "type",
        "cpu",
        "cuda",
        "float",
        "half",
        "double",
        "bfloat16",
        "name",
        "names",
        "copy",
        "apply_",
        "map_",
        "train",
        "eval",
        "is_leaf",
        "register_hook",
        "requires_grad_",
        "share_memory_",
        "module_load",
        "size",
        "shape",
        "grad",
        "set_",
        "ipu",
        "xpu",
        "hpu",
        "mtia",
        "backward",
        "rename",
        "is_floating_point",
        "is_complex",
        "index",
        "resize",
    ]
)
"""Names that modules, configurations or numbers have as well: they do not tell a tensor."""
_CONTAINERS = frozenset(n for t in (str, list, dict, set, tuple, bytes, int, float) for n in dir(t))


@dataclass(frozen=True, slots=True)
class ContextFact:
    """What entering a context manager does, and what a break inside it does."""

    outcome: str
    inside: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything that was measured and that the inference asks for."""

    facts: Facts
    contexts: dict[str, ContextFact]
    tensor_methods: frozenset[str]
    tensor_first: frozenset[str]
    rules: Rulebook

    def declares(self, name: str) -> bool:
        """Whether a rule itself says that a call of this name breaks."""
        return self.rules.declared(name) is not None


def load(root: Path, target: str, rules: Rulebook) -> Tables:
    """Read the tables of a rules folder for a torch version such as "2.13"."""
    facts = Facts.load(root / "facts", target)
    names = [n.removeprefix("torch.Tensor.") for n in facts if n.startswith("torch.Tensor.")]
    methods = frozenset(n for n in names if "." not in n and "[" not in n and not n.startswith("__"))
    own = methods - _GENERIC - _CONTAINERS
    first = frozenset(f"torch.{n}" for n in methods if facts.get(f"torch.{n}") is not None)
    return Tables(facts, _contexts(root / "facts" / "contexts" / "entered.tsv"), own, first, rules)


def _contexts(path: Path) -> dict[str, ContextFact]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "name\t")) or not line.strip():
            continue
        name, outcome, inside, ids = (line.split("\t") + [""] * 3)[:4]
        found[name] = ContextFact(outcome, inside, tuple(i for i in ids.strip().split(",") if i))
    return found
