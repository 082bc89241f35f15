"""Where compile regions begin."""

import pytest

ENTRIES = {
    "decorator": """
        import torch

        @torch.compile
        def fn(x):
            return torch.nonzero(x)  # <- CL301

        def not_compiled(x):
            return torch.nonzero(x)
        """,
    "decorator-with-arguments": """
        import torch

        @torch.compile(mode="max-autotune", fullgraph=False)
        def fn(x):
            return torch.nonzero(x)  # <- CL301
        """,
    "decorator-through-partial": """
        import functools
        import torch

        @functools.partial(torch.compile, dynamic=True)
        def fn(x):
            return torch.nonzero(x)  # <- CL301
        """,
    "decorator-on-top-of-no-grad": """
        import torch

        @torch.compile
        @torch.no_grad()
        def fn(x):
            return torch.nonzero(x)  # <- CL301
        """,
    "no-grad-on-top-of-the-decorator": """
        import torch

        @torch.no_grad()
        @torch.compile
        def fn(x):
            return torch.nonzero(x)  # <- CL301
        """,
    "method-of-a-plain-class": """
        import torch

        class Trainer:
            @torch.compile
            def step(self, x):
                return torch.nonzero(x)  # <- CL301
        """,
    "method-of-a-module": """
        import torch
        from torch import nn

        class Net(nn.Module):
            @torch.compile
            def encode(self, x):
                return torch.nonzero(x)  # <- CL301

            def not_reached(self, x):
                return torch.nonzero(x)
        """,
    "argument-of-compile": """
        import torch

        def fn(x):
            return torch.nonzero(x)  # <- CL301

        def other(x):
            return torch.nonzero(x)

        compiled = torch.compile(fn)
        """,
    "lambda-argument": """
        import torch

        compiled = torch.compile(lambda x: torch.nonzero(x))  # <- CL301
        """,
    "nested-function": """
        import torch

        def outer(scale):
            def inner(x):
                return torch.nonzero(x * scale)  # <- CL301
            return torch.compile(inner)
        """,
    "nested-decorated-function": """
        import torch

        def outer(scale):
            @torch.compile
            def inner(x):
                return torch.nonzero(x * scale)  # <- CL301
            return inner
        """,
    "bound-method-of-an-object": """
        import torch

        class Model:
            def generate(self, x):
                return torch.nonzero(x)  # <- CL301

            def load(self, path):
                return torch.nonzero(torch.load(path))

        model = Model()
        model.generate = torch.compile(model.generate)
        """,
    "own-method-in-init": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.encode = torch.compile(self._encode)

            def _encode(self, x):
                return torch.nonzero(x)  # <- CL301
        """,
    "module-compile": """
        import torch
        from torch import nn

        class Inner:
            pass

        class Net(nn.Module):
            def forward(self, x):
                return torch.nonzero(x)  # <- CL301

        net = Net()
        net.compile()
        """,
    "call-of-the-module": """
        import torch

        class Net:
            def __call__(self, x):
                return torch.nonzero(x)  # <- CL301

        net = torch.compile(Net())
        """,
    "forward-of-every-module": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                return self.helper(x)

            def helper(self, x):
                return torch.nonzero(x)  # <- CL301

            def unused(self, x):
                return torch.nonzero(x)

            def extra_repr(self):
                print("repr")
                return ""
        """,
    "forward-of-a-subclass-of-an-unseen-base": """
        import torch
        from transformers import PreTrainedModel

        class Net(PreTrainedModel):
            def forward(self, x):
                return torch.nonzero(x)  # <- CL301
        """,
    "no-module": """
        import torch

        class Plain:
            def forward(self, x):
                return torch.nonzero(x)
        """,
    "disabled": """
        import torch
        from torch import nn

        class Net(nn.Module):
            @torch.compiler.disable
            def forward(self, x):
                return torch.nonzero(x)
        """,
    "scripted-helper-is-called": """
        import torch

        @torch.compiler.disable
        def helper(x):
            return torch.nonzero(x)

        @torch.compile
        def fn(x):
            return helper(x * 2)  # <- CL701
        """,
    "class-decorated-in-a-factory": """
        import torch
        from torch import nn

        def build():
            class Net(nn.Module):
                def forward(self, x):
                    return torch.nonzero(x)  # <- CL301
            return torch.compile(Net())
        """,
    "optimizer-step": """
        import torch

        def make(model):
            optimizer = torch.optim.AdamW(model.parameters())

            @torch.compile
            def step(x, y):
                loss = (model(x) - y).square().mean()
                loss.backward()  # <- CL511
                optimizer.step()  # <- CL513
                optimizer.zero_grad()  # <- CL513
                return loss
            return step
        """,
}


@pytest.mark.parametrize("source", ENTRIES.values(), ids=ENTRIES)
def test_default_entries(check, source):
    check(source)


MODEL = """
import torch
from torch import nn

def fn(x):
    return torch.nonzero(x)

class Net(nn.Module):
    def forward(self, x):
        return torch.nonzero(x)

    def encode(self, x):
        return torch.nonzero(x)

    def __repr__(self):
        return torch.nonzero(x)

class Plain:
    def encode(self, x):
        return torch.nonzero(x)
"""


@pytest.mark.parametrize(
    ("patterns", "lines"),
    [
        ((), {10}),
        (("fn",), {6}),
        (("*.forward",), {10}),
        (("fn", "*.forward"), {6, 10}),
        (("*.encode",), {13, 20}),
        (("Net.*",), {10, 13}),
        (("Plain.encode",), {20}),
        (("*",), {6, 10, 13, 20}),
        (("Net.__repr__",), {16}),
        (("encode",), set()),
        (("nothing",), set()),
    ],
)
def test_entry_patterns(lint, patterns, lines):
    linted = lint(MODEL, entry_points=patterns)
    assert {finding.line for finding in linted.findings} == lines
    assert all(finding.entry == finding.function for finding in linted.findings)


def test_each_entry_has_a_score(lint):
    linted = lint(MODEL, entry_points=("*",))
    assert [(score.entry, score.line) for score in linted.report.scores] == [
        ("fn", 5), ("Net.forward", 9), ("Net.encode", 12), ("Plain.encode", 19),
    ]  # fmt: skip


def test_an_entry_that_is_clean_scores_100(lint):
    (score,) = lint("import torch\n\n@torch.compile\ndef fn(x):\n    return torch.relu(x) + 1\n").report.scores
    assert (score.score, score.graphs, score.ops, score.deductions) == (100.0, 1, 2, ())


def test_deductions_add_up_to_what_is_lost(lint):
    linted = lint(
        """
        import torch

        @torch.compile
        def fn(x):
            y = torch.relu(x)
            print(y.shape)
            z = torch.exp(y)
            print(z.shape)
            return torch.log(z) + 1
        """
    )
    (score,) = linted.report.scores
    assert (score.graphs, score.ops) == (3, 4)
    assert score.score == pytest.approx(100 * (1 + 1 + 4) / 16, abs=0.1)
    assert {(one.code, one.line) for one in score.deductions} == {("CL501", 7), ("CL501", 9)}
    assert sum(one.points for one in score.deductions) == pytest.approx(100 - score.score, abs=0.2)
