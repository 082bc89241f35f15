"""Operators that a project registers through functions of its own, whatever those are called."""

import json

import pytest

from compile_lint.cli.main import main

HELPERS = """
import torch
from torch.library import Library, infer_schema

own = Library("own", "FRAGMENT")


def enrol(name, function, mutated=None, fake=None, lib=None, key=None):
    if mutated is None:
        mutated = []
    if key is None:
        from elsewhere import platform
        key = platform.key
    text = infer_schema(function, mutates_args=mutated)
    target = lib or own
    target.define(name + text)
    target.impl(name, function, dispatch_key=key)
    if fake is not None:
        target._register_fake(name, fake)


def simple(name, schema, f):
    own.define(f"{name}{schema}")
    own.impl(name, f, "CPU")


def full(name, fn, fake):
    torch.library.custom_op(name, fn, mutates_args=())
    torch.library.register_fake(name, fake)


def chosen(name, schema, fn, lib=None):
    used = own if lib is None else lib
    used.define(name + schema)
    used.impl(name, fn, "CPU")
"""
USES = """
import torch
from pk import helpers
from pk.helpers import chosen, enrol, full


def add(x: torch.Tensor, n: int = 1) -> torch.Tensor:
    return x + n


def add_fake(x, n=1):
    return torch.empty_like(x)


def into(x: torch.Tensor, out: torch.Tensor) -> None:
    out.copy_(x)


other = torch.library.Library("other", "DEF")
enrol("add", add, fake=add_fake)
enrol(name="into", function=into, mutated=["out"], key="CPU", lib=other)
helpers.simple("s", "(Tensor x) -> Tensor", lambda x: x + 1)
full("own::full", add, add_fake)
chosen("a", "(Tensor x) -> Tensor", add)
chosen("a", "(Tensor x) -> Tensor", add, other)


@torch.compile
def f(x):
    return torch.ops.own.add(x, 2) + torch.ops.own.s(x)
"""


@pytest.fixture
def listed(tmp_path, monkeypatch, capsys):
    (tmp_path / "pk").mkdir()
    (tmp_path / "pk/__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)

    def run(helpers=HELPERS, uses=USES):
        (tmp_path / "pk/helpers.py").write_text(helpers)
        (tmp_path / "pk/use.py").write_text(uses)
        with pytest.raises(SystemExit) as left:
            main(["ops", "--isolated", "--format", "json", "."])
        assert left.value.code == 0
        found = json.loads(capsys.readouterr().out)
        assert found["errors"] == []
        return {one["name"]: one for one in found["operators"]}

    return run


def test_operators_are_listed_at_the_calls(listed):
    found = listed()
    at = {one.split("(")[0].removeprefix("helpers."): n for n, one in enumerate(USES.split("\n"), 1)}
    assert {name: one["schema"] for name, one in found.items()} == {
        "own::a": "own::a(Tensor x) -> Tensor",
        "own::add": "own::add(Tensor x, SymInt n=1) -> Tensor",
        "own::full": "own::full(Tensor x, SymInt n=1) -> Tensor",
        "own::s": "own::s(Tensor x) -> Tensor",
        "other::a": "other::a(Tensor x) -> Tensor",
        "other::into": "other::into(Tensor x, Tensor(a1!) out) -> ()",
    }
    assert {one["declared"]["path"] for one in found.values()} == {"pk/use.py"}
    assert found["own::s"]["declared"]["line"] == at["simple"]
    assert {name: one["fake"] for name, one in found.items() if one["fake"]} == {"own::add": True, "own::full": True}
    assert found["own::add"]["kernels"] == ["Meta"], "the key is made at run time"
    assert found["other::into"]["kernels"] == ["CPU"]
    assert found["other::into"]["mutates"] == ["out"]
    assert [one["line"] for one in found["own::add"]["uses"]] == [USES.split("\n").index("def f(x):") + 2]
    assert {name: one["verdict"] for name, one in found.items()} == {
        "own::a": "splits",
        "own::add": "ready",
        "own::full": "ready",
        "own::s": "splits",
        "other::a": "splits",
        "other::into": "ready",
    }


def test_in_one_file(listed):
    uses = USES.replace("from pk import helpers\nfrom pk.helpers import chosen, enrol, full", "").replace(
        "helpers.", ""
    )
    assert listed("", HELPERS + uses).keys() == listed().keys()


def test_a_function_that_is_not_in_sight_has_no_schema(listed):
    uses = "from elsewhere import kernel, fake\nfrom pk.helpers import enrol\nenrol('k', kernel, fake=fake)\n"
    found = listed(HELPERS[: HELPERS.index("def simple")], uses)
    assert found["own::k"]["schema"] == ""
    assert found["own::k"]["verdict"] == "ready"
    assert found["own::k"]["reason"] == "it has a fake kernel"


def test_a_function_that_nothing_calls_is_told_of(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helpers.py").write_text(HELPERS)
    with pytest.raises(SystemExit):
        main(["ops", "--isolated", "--format", "json", "."])
    errors = json.loads(capsys.readouterr().out)["errors"]
    lines = [n for n, line in enumerate(HELPERS.split("\n"), 1) if "own.define(" in line]
    words = "defines an operator whose name or schema is made at run time; it is not listed"
    assert [one["message"] for one in errors] == sorted(f"line {line}: {words}" for line in lines)


def test_without_kernels_or_a_function_in_sight(listed):
    helpers = HELPERS[: HELPERS.index("    target.impl")]
    uses = "from elsewhere import kernel\nfrom pk.helpers import enrol\nenrol('k', kernel)\n"
    found = listed(helpers, uses)
    assert found["own::k"]["verdict"] == "unknown"
    assert found["own::k"]["reason"] == "neither its schema nor a fake kernel is in sight"
