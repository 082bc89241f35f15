"""Loading of fact tables and what names lead to."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from compile_lint._data import rules_root
from compile_lint.facts import Fact, Facts, Term, canonical

HEADER = "name\treturns\toutcome\tids\tloop\treads\tsince\tuntil\n# torch 2.13.0 2.14.1\n"
CONDITIONS = "name\twhen\treturns\toutcome\tids\tsince\tuntil\n# torch 2.13.0 2.14.1\n# help\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rows = (
        "torch.sum\ttensor/0\tok\t\tok\t\t\t\n"
        "torch.topk\ttuple[tensor,tensor:int]\tok\t\tok\t1:k,2:dim\t\t\n"
        "torch.nonzero\ttensor:int\tbreak\tGB0036\tskip\t\t\t\n"
        "random.random\tfloat\tbreak\tGB0007\tskip\t\t\t2.13\n"
        "random.random\tfloat\tok\t\tok\t\t2.14\t\n"
        "torch.new\ttensor\tok\t\tok\t\t2.14\t\n"
        "torch.nn.Module.eval\tmodule\tok\t\tok\t\t\t\n"
    )
    (tmp_path / "torch.tsv").write_text(HEADER + rows)
    conditions = (
        "torch.sum\t1:dim=present\ttensor\tok\t\t\t\n"
        "torch.sum\t:dtype=torch.int64 & 1:dim=present\ttensor:int\tok\t\t\t\n"
        "torch.nonzero\t:as_tuple=True\ttuple[tensor:int]\tbreak\tGB0036\t\t2.13\n"
    )
    (tmp_path / "conditions.tsv").write_text(CONDITIONS + conditions)
    return tmp_path


def test_a_row_becomes_a_fact(root: Path) -> None:
    facts = Facts.load(root, "2.13")
    assert facts.get("torch.topk") == Fact("torch.topk", "tuple[tensor,tensor:int]", "ok", (), "ok", ("1:k", "2:dim"))
    assert facts.get("torch.nonzero") == Fact("torch.nonzero", "tensor:int", "break", ("GB0036",), "skip", ())
    assert facts.get("torch.unheard_of") is None


@pytest.mark.parametrize(
    ("target", "outcome"), [("2.6", "break"), ("2.13", "break"), ("2.13.1", "break"), ("2.14", "ok"), ("2.99", "ok")]
)
def test_rows_hold_for_their_versions(root: Path, target: str, outcome: str) -> None:
    fact = Facts.load(root, target).get("random.random")
    assert fact is not None and fact.outcome == outcome


def test_a_name_of_a_later_version_is_not_known_before(root: Path) -> None:
    assert "torch.new" not in Facts.load(root, "2.13")
    assert "torch.new" in Facts.load(root, "2.14")


def test_a_target_that_is_no_version_is_refused(root: Path) -> None:
    with pytest.raises(ValueError, match="newest"):
        Facts.load(root, "newest")


def test_conditions_keep_their_order_and_terms(root: Path) -> None:
    first, second = Facts.load(root, "2.13").conditions("torch.sum")
    assert (first.terms, first.returns) == ((Term(1, "dim", "present"),), "tensor")
    assert second.terms == (Term(None, "dtype", "torch.int64"), Term(1, "dim", "present"))
    assert len(Facts.load(root, "2.13").conditions("torch.nonzero")) == 1
    assert Facts.load(root, "2.14").conditions("torch.nonzero") == ()


def test_hand_written_rows_win(root: Path) -> None:
    header = HEADER.replace("until\n", "until\tsource\n")
    (root / "hand.tsv").write_text(
        header + "torch.sum\ttensor/0\terror\t\terror\t\t\t\tran it\n" + "a.b\t?\tok\t\tok\t\t2.14\t\tran it\n"
    )
    facts = Facts.load(root, "2.13")
    fact = facts.get("torch.sum")
    assert fact is not None and fact.outcome == "error"
    assert "a.b" not in facts


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("print", "builtins.print"),
        ("np.sqrt", "numpy.sqrt"),
        ("posixpath.exists", "os.path.exists"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch._C._nn.gelu", "torch.nn.functional.gelu"),
        ("torch._C._linalg.linalg_svd", "torch.linalg.svd"),
        ("torch.nn.modules.linear.Linear", "torch.nn.Linear"),
        ("torch.nn.modules.linear.Linear()", "torch.nn.Linear()"),
        ("torch.distributions.normal.Normal.sample", "torch.distributions.Normal.sample"),
        ("torch.optim.adam.Adam.step", "torch.optim.Adam.step"),
        ("torch.optim.lr_scheduler.StepLR", "torch.optim.lr_scheduler.StepLR"),
        ("torch.nn.Parameter.item", "torch.Tensor.item"),
        ("torch.nn.functional.relu", "torch.nn.functional.relu"),
    ],
)
def test_canonical(name: str, plain: str) -> None:
    assert canonical(name) == plain


def test_methods_of_the_base_class_are_found(root: Path) -> None:
    facts = Facts.load(root, "2.13")
    fact = facts.get("torch.nn.Linear.eval")
    assert fact is not None and fact.name == "torch.nn.Module.eval"
    assert facts.get("torch.nn.init.eval") is None


def test_the_shipped_tables_load_in_milliseconds() -> None:
    root = rules_root() / "facts"
    if not root.is_dir():
        pytest.skip("no tables here")
    spent = []
    for _ in range(5):
        started = time.process_time()
        Facts.load(root, "2.13")
        spent.append(time.process_time() - started)
    assert min(spent) < 0.03
