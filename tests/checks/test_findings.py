"""What a finding says: where, how sure, why, through which entry."""

import pytest

TENSOR = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    y = x.sum()\n"


def test_why_names_where_the_tensor_comes_from(lint):
    finding = lint(TENSOR + "    z = y\n    if z > 0:\n        return x\n    return y.item()\n").one("CL201")
    assert finding.message.endswith("(comes from `x.sum()`, line 6)")


def test_why_names_the_file_when_it_is_another(lint):
    linted = lint(
        {
            "stats.py": "import torch\n\n\ndef level(x):\n    return x.mean()\n",
            "model.py": "import torch\nfrom stats import level\n\n\n@torch.compile\ndef fn(x):\n    y = level(x)\n"
            "    return y.item()\n",
        }
    )
    assert linted.one("CL201").message.endswith("(comes from `x.mean()`, stats.py:5)")


@pytest.mark.parametrize(
    ("signature", "body", "reason"),
    [
        ("x: torch.Tensor", "x.item()", "(annotated as `torch.Tensor`, line 5)"),
        ("x", "x.tolist()", "(`x` is used as a tensor: `x.tolist`)"),
        ("x", "(x @ x).item()", ""),
    ],
)
def test_why_of_an_argument(lint, signature, body, reason):
    linted = lint(f"import torch\n\n\n@torch.compile\ndef fn({signature}):\n    return {body}\n")
    for finding in linted.findings:
        assert finding.message.endswith(reason)


def test_why_of_a_buffer(lint):
    linted = lint(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(()))

            def forward(self, x):
                if self.seen:
                    return x
                return -x
        """
    )
    assert linted.one("CL101").message == (
        "`if` needs the value of `self.seen`, a tensor (a registered buffer or parameter, line 8)"
    )


def test_every_text_is_filled(lint):
    linted = lint(
        TENSOR + "    print(y)\n    k = int(y)\n    return x[x > 0], torch.nonzero(x), k, not y, y.tolist()\n"
    )
    assert len(linted.findings) >= 6
    for finding in linted.findings:
        assert finding.message and finding.why and finding.instead
        assert "{" not in finding.message
        assert finding.name and finding.kind == "break"
        assert finding.graph_break_ids
        assert (finding.function, finding.entry, finding.path) == ("fn", "fn", "model.py")


def test_entry_of_a_helper(lint):
    linted = lint(
        """
        import torch
        from torch import nn

        def helper(x):
            return torch.nonzero(x)

        def deeper(x):
            return helper(x)

        class Net(nn.Module):
            def forward(self, x):
                return self.encode(x)

            def encode(self, x):
                print(1)
                return deeper(x)
        """
    )
    assert {(f.code, f.function, f.entry) for f in linted.findings} == {
        ("CL301", "helper", "Net.forward"),
        ("CL501", "Net.encode", "Net.forward"),
    }


def test_an_entry_that_is_the_function_itself_comes_first(lint):
    linted = lint(
        """
        import torch

        @torch.compile
        def a(x):
            return fn(x)

        @torch.compile
        def fn(x):
            return torch.nonzero(x)

        @torch.compile
        def z(x):
            return fn(x)
        """
    )
    assert linted.one("CL301").entry == "fn"


def test_in_loop(lint):
    linted = lint(TENSOR + "    for i in range(3):\n        print(i)\n    print(y)\n    return y\n")
    assert [(f.line, f.in_loop) for f in linted.findings] == [(8, True), (9, False)]


CONFIDENCE = {
    "annotated": ("certain", "x: torch.Tensor", "return x.item()"),
    "result-of-torch": ("certain", "x", "return torch.relu(x).item()"),
    "print": ("certain", "x", "print(x)"),
    "method-of-an-argument": ("likely", "x", "return x.tolist()"),
    "optional": ("likely", "x, mask=None", "if mask.any():\n        return x\n    return -x"),
}


@pytest.mark.parametrize(("confidence", "signature", "body"), CONFIDENCE.values(), ids=CONFIDENCE)
def test_confidence(lint, confidence, signature, body):
    linted = lint(f"import torch\n\n\n@torch.compile\ndef fn({signature}):\n    {body}\n", min_confidence="possible")
    (finding,) = [finding for finding in linted.findings if finding.kind == "break"]
    assert finding.confidence == confidence


def test_min_confidence(lint):
    text = "import torch\n\n\n@torch.compile\ndef fn(x):\n    y = x.tolist()\n    print(y)\n    return x\n"
    found = {least: lint(text, min_confidence=least).pairs for least in ("possible", "likely", "certain")}
    assert found["certain"] == {(7, "CL501")}
    assert found["certain"] < found["likely"] <= found["possible"]


def test_unknown_is_never_certain(lint):
    linted = lint(
        """
        import torch
        from somewhere import thing

        @torch.compile
        def fn(x, a, b):
            if thing(a):
                x = x + 1
            if a > b:
                x = x + 1
            while thing.ready:
                x = x + 1
            c = [i for i in a if i]
            d = int(b) + float(thing.level) + len(a)
            assert thing(b), "not ready"
            return x[a], x[a:b], {a: b}, c, d, f"{a}", not a, a and b
        """,
        min_confidence="possible",
    )
    assert {finding.confidence for finding in linted.findings if finding.kind == "break"} <= {"possible", "likely"}


def test_findings_are_sorted_and_unique(lint):
    linted = lint(dict.fromkeys(("b.py", "a.py"), TENSOR + "    print(y, y.item(), y.item())\n    return y\n"))
    assert [f.place for f in linted.findings] == sorted({f.place for f in linted.findings})
    assert [f.path for f in linted.findings] == ["a.py"] * 3 + ["b.py"] * 3


VERSIONS = {
    "random-shuffle": (
        {"2.13": "CL505", "2.14": "CL523"},
        "import random\nimport torch\n\n@torch.compile\ndef fn(x):\n    order = [0, 1, 2]\n    random.shuffle(order)\n"
        "    return x * order[0]\n",
    ),
    "random-random": (
        {"2.13": "CL505", "2.14": ""},
        "import random\nimport torch\n\n@torch.compile\ndef fn(x):\n    y = x * 2\n    return y * random.random()\n",
    ),
    "caught-operator-error": (
        {"2.13": "CL526", "2.14": ""},
        "import torch\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    try:\n        y = x.view(3, 7)\n"
        "    except RuntimeError:\n        y = x\n    return y\n",
    ),
    "nonzero": (
        {"2.6": "CL301", "2.13": "CL301", "2.14": "CL301", "2.99": "CL301"},
        "import torch\n\n@torch.compile\ndef fn(x):\n    return torch.nonzero(x)\n",
    ),
}


@pytest.mark.parametrize(("codes", "text"), VERSIONS.values(), ids=VERSIONS)
def test_target_torch(lint, codes, text):
    for version, code in codes.items():
        found = {finding.code for finding in lint(text, target_torch=version).findings}
        assert found == ({code} if code else set()), version


SETTINGS = {
    "item": ("capture_scalar_outputs", "return x.sum().item()"),
    "int": ("capture_scalar_outputs", "return x * int(x.sum())"),
    "float": ("capture_scalar_outputs", "return x * float(x.sum())"),
    "nonzero": ("capture_dynamic_output_shape_ops", "return torch.nonzero(x)"),
    "mask": ("capture_dynamic_output_shape_ops", "return x[x > 0]"),
    "unique": ("capture_dynamic_output_shape_ops", "return torch.unique(x)"),
    "masked-select": ("capture_dynamic_output_shape_ops", "return x.masked_select(x > 0)"),
}


@pytest.mark.parametrize(("key", "body"), SETTINGS.values(), ids=SETTINGS)
def test_torch_config_that_captures(lint, key, body):
    text = f"import torch\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    {body}\n"
    assert lint(text).findings
    assert lint(text, torch_config={key: True}).findings == ()
    assert lint(text, torch_config={key: False}).findings


@pytest.mark.parametrize(
    "body", ["if x.sum() > 0:\n        x = x + 1", "if bool(x.sum()):\n        x = x + 1", "print(x)"]
)
def test_torch_config_that_does_not_help(lint, body):
    text = f"import torch\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    {body}\n    return x\n"
    settings = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
    assert lint(text, torch_config=settings).findings


def test_allow_rnn(lint):
    text = """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.GRU(4, 4)

            def forward(self, x):
                return self.rnn(x)[0]
        """
    assert {finding.code for finding in lint(text).findings} == {"CL703"}
    assert lint(text, torch_config={"allow_rnn": True}).findings == ()
