"""From an event to its rule."""

import pytest

from compile_lint._data import rules_root
from compile_lint.rulebook import Match, Rule, Rulebook, load
from compile_lint.rulebook.versions import holds, parse

BOOK = load(rules_root())


def rule(code, *matches, **more):
    values = {
        "code": code,
        "name": f"rule-{code.lower()}",
        "kind": "break",
        "confidence": "certain",
        "summary": "s",
        "message": "m",
        "why": "w",
        "instead": "i",
        "graph_break_ids": (),
        "matches": matches,
        "bad": (),
        "good": (),
    }
    return Rule(**(values | more))


def test_order_of_calls():
    book = Rulebook(
        [
            rule("XX900", Match("call")),
            rule("XX001", Match("call", ids=("GB0001",))),
            rule("XX002", Match("call", calls=("numpy.*",))),
            rule("XX003", Match("call", calls=("numpy.random.*",))),
            rule("XX004", Match("call", calls=("numpy.random.seed",))),
            rule("XX005", Match("call", calls=("numpy.where",), ids=("GB0036",))),
        ]
    )

    def code(callee, *ids):
        return book.for_event("call", callee, ids).code

    assert code("numpy.random.seed", "GB0001") == "XX004", "the exact name"
    assert code("numpy.random.rand") == "XX003", "the glob with most literal text"
    assert code("numpy.sum", "GB0001") == "XX002", "a glob before an id"
    assert code("numpy.where", "GB0036") == "XX005", "name and id"
    assert code("numpy.where", "GB0007") == "XX002", "the id does not agree"
    assert code("other", "GB0009", "GB0001") == "XX001", "any of the ids"
    assert code("other") == "XX900", "the rule for all the rest"


def test_first_of_equal_matches_in_code_order():
    book = Rulebook([rule("XX002", Match("branch")), rule("XX001", Match("branch"))])
    assert book.for_event("branch").code == "XX001"
    assert book.for_event("while") is None


def test_declared_calls():
    book = Rulebook([rule("XX001", Match("call", calls=("ours.*",), declares=True)), rule("XX002", Match("call"))])
    assert book.declared("ours.dump").code == "XX001"
    assert book.declared("theirs.dump") is None


@pytest.mark.parametrize(
    ("event", "callee", "ids", "code"),
    [
        ("branch", "", (), "CL101"),
        ("call", "torch.Tensor.nonzero", ("GB0036",), "CL301"),
        ("call", "torch.where", ("GB0036",), "CL305"),
        ("call", "torch.where", ("GB0007",), "CL530"),
        ("call", "numpy.random.rand", ("GB0033",), "CL505"),
        ("call", "numpy.random.seed", ("GB0007",), "CL521"),
        ("call", "numpy.foo", ("GB0007",), "CL210"),
        ("call", "os.path.exists", ("GB0007",), "CL506"),
        ("call", "os.uname", ("GB0007",), "CL507"),
        ("call", "sys._getframe", ("GB0007",), "CL516"),
        ("call", "sys.stdout.write", ("GB0156",), "CL501"),
        ("call", "torch.nn.Linear", ("GB0264",), "CL514"),
        ("call", "torch.nn.LSTM()", ("GB0014",), "CL703"),
        ("call", "nobody.knows", ("GB0007",), "CL530"),
        ("shuffle-frozen", "", (), "CL523"),
        ("nothing", "", (), None),
    ],
)
def test_shipped_rules(event, callee, ids, code):
    found = BOOK.for_event(event, callee, ids)
    assert (found.code if found else None) == code


def test_get():
    assert BOOK.get("CL101") is BOOK.get("tensor-branch") is BOOK.get("cl101")
    assert BOOK.get("CL999") is None


def test_versions():
    old, new = BOOK.valid_for("2.13.0+cpu"), BOOK.valid_for("2.14.1")
    assert old.get("CL523") is None
    assert new.get("CL523") is not None
    assert old.get("CL526") is not None
    assert new.get("CL526") is None
    assert new.for_event("shuffle-frozen").code == "CL523"
    assert old.for_event("shuffle-frozen") is None
    assert len(old.get("CL603").bad) == len(new.get("CL603").bad) + 1


@pytest.mark.parametrize(
    ("torch", "since", "until", "expected"),
    [
        ("2.13", "", "", True),
        ("2.13", "2.13", "", True),
        ("2.13.1", "2.13", "2.13", True),
        ("2.9", "2.13", "", False),
        ("2.14", "", "2.13", False),
        ("2.14.1", "2.14.2", "", False),
        ("2.14", "2.14.1", "", False),
        ("3.0", "2.13", "", True),
    ],
)
def test_holds(torch, since, until, expected):
    assert holds(torch, since, until) is expected


def test_parse():
    assert parse("2.13.0+cu130") == (2, 13, 0)
    with pytest.raises(ValueError, match="no torch version"):
        parse("newest")
