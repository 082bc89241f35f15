"""Each kind of event, in the forms that people write: what is flagged, and the near misses."""

import pytest

HEAD = """\
import math
import numpy as np
import torch
from torch import nn


@torch.compile
def fn(x: torch.Tensor):
    y = x * 2
"""

FLAGGED = {
    "while": ("CL102", "while y.abs().max() > 1:\n        y = y / 2"),
    "assert-not": ("CL105", "assert not y.isnan().any()"),
    "assert-and": ("CL105", "assert (y > 0).all() and (y < 9).all()"),
    "comprehension-condition": ("CL106", "z = [p for p in y.unbind() if p.sum() > 0]"),
    "generator-condition": ("CL107", "z = sum(p for p in y.unbind() if p.sum() > 0)"),
    "range": ("CL108", "z = [i for i in range(y.argmax())]"),
    "any": ("CL109", "z = any(y.sum() > i for i in range(3))"),
    "all-of-a-tensor": ("CL109", "z = all(y > 0)"),
    "sorted": ("CL110", "z = sorted([y.sum(), y.mean()])"),
    "in": ("CL111", "z = 3 in y"),
    "match": ("CL112", "match y.sum():\n        case 0:\n            y = y + 1"),
    "item": ("CL201", "z = y.sum().item()"),
    "int": ("CL202", "z = int(y.sum())"),
    "float": ("CL202", "z = float(y.sum())"),
    "bool": ("CL202", "z = bool(y.sum())"),
    "complex": ("CL202", "z = complex(y.sum())"),
    "tolist": ("CL203", "z = y.tolist()"),
    "index-of-a-list": ("CL204", "z = [1, 2, 3, 4][y[0].argmax()]"),
    "index-of-a-tensor": ("CL204", "z = y[y[0].argmax()]"),
    "index-in-a-tuple": ("CL204", "z = y[y[0].argmax(), :2]"),
    "slice": ("CL205", "z = y[: y[0].argmax()]"),
    "str": ("CL206", "z = str(y)"),
    "repr": ("CL206", "z = f'{y!r}'"),
    "percent": ("CL206", "z = '%s' % y"),
    "math": ("CL208", "z = math.sqrt(y.sum())"),
    "nonzero": ("CL301", "z = torch.nonzero(y)"),
    "nonzero-method": ("CL301", "z = y.nonzero()"),
    "unique": ("CL301", "z = torch.unique(y, return_counts=True)"),
    "masked-select": ("CL301", "z = y.masked_select(y > 0)"),
    "bincount": ("CL301", "z = torch.bincount(y.flatten().long())"),
    "mask-index": ("CL302", "z = y[y > 0]"),
    "mask-index-with-more": ("CL302", "z = y[:, y[0] > 0]"),
    "one-hot": ("CL303", "z = nn.functional.one_hot(y.long())"),
    "repeat-interleave": ("CL304", "z = torch.repeat_interleave(y, y[0].long(), dim=0)"),
    "where": ("CL305", "z = torch.where(y > 0)"),
    "print": ("CL501", "print('here')"),
    "parameter-made-inside": ("CL514", "z = nn.Linear(4, 4)(y)"),
    "requires-grad": ("CL512", "y.requires_grad = True"),
    "backward": ("CL511", "y.sum().backward()"),
    "autograd-grad": ("CL511", "z = torch.autograd.grad(y.sum(), x)"),
    "graph-break": ("CL702", "torch._dynamo.graph_break()"),
    "sparse": ("CL704", "z = y.to_sparse()"),
    "data-ptr": ("CL211", "z = y.data_ptr() == x.data_ptr()"),
}


@pytest.mark.parametrize(("code", "body"), FLAGGED.values(), ids=FLAGGED)
def test_flagged(lint, code, body):
    findings = [finding for finding in lint(f"{HEAD}    {body}\n    return y\n").findings if finding.kind == "break"]
    assert {finding.code for finding in findings} == {code}
    assert findings[0].confidence == "certain"


SILENT = {
    "where-with-three": "z = torch.where(y > 0, y, -y)",
    "f-string": "z = f'{y} {y.sum():.3f}'",
    "format": "z = '{}'.format(y)",
    "assert": "assert (y > -99).all(), 'bad'",
    "max-of-two-tensors": "z = torch.max(y, x)",
    "builtin-max-of-two-tensors": "z = max(y.sum(), x.sum())",
    "mask-assignment-of-a-number": "y[y > 0] = 0.0",
    "index-by-1d": "z = y[y[0].argsort()]",
    "index-by-kept-dim": "z = y[y[0].argmax(keepdim=True)]",
    "max-of-a-list": "z = max([y.sum(), y.mean()])",
    "index-by-range": "z = [y[i] for i in range(3)]",
    "slice-by-size": "z = y[: y.shape[0] // 2]",
    "one-hot-with-classes": "z = nn.functional.one_hot(y.long().clamp(0, 3), 4)",
    "repeat-interleave-by-number": "z = torch.repeat_interleave(y, 2, dim=0)",
    "sorted-numbers": "z = sorted([3, 1, 2]) + [max(1, y.shape[0])]",
    "in-a-list": "z = y.shape[0] in (3, 4) or 'a' in 'abc'",
    "math-of-a-size": "z = math.sqrt(y.shape[-1])",
    "numpy": "z = np.sin(y.numpy())",
    "topk": "z = y.topk(2).indices",
    "cumsum-mask": "z = (y > 0).cumsum(0)",
    "hasattr-isinstance": "z = hasattr(y, 'shape') and isinstance(y, torch.Tensor)",
    "detach": "z = y.detach().clone()",
    "no-grad": "with torch.no_grad():\n        y = y + 1",
    "python-list": "z = [1, 2]\n    z.append(3)\n    z.sort()",
    "is-none": "z = y is None or y is x",
}


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_silent(lint, body):
    assert lint(f"{HEAD}    {body}\n    return y\n").findings == ()


COMPILE_CALLS = {
    "dropped": """
        import torch

        def build(model):
            torch.compile(model)  # <- CL801
            return model
        """,
    "self": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self = torch.compile(self)  # <- CL802
        """,
    "in-the-function-that-serves": """
        import torch

        class Server:
            def predict(self, x):
                compiled = torch.compile(self.model)  # <- CL803
                return compiled(x)
        """,
    "replaced": """
        import torch

        def load(make):
            model = torch.compile(make())
            model = make()  # <- CL804
            return model
        """,
    "replaced-at-module-level": """
        import torch
        from torch import nn

        model = torch.compile(nn.Linear(4, 4))
        model = nn.Linear(4, 4)  # <- CL804
        """,
    "good": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = torch.compile(nn.Linear(4, 4))

            def forward(self, x):
                return self.lin(x)

        def build(model):
            model = torch.compile(model)
            model = model.eval()
            return model

        def main():
            model = torch.compile(Net())
            for i in range(10):
                model(torch.ones(4))
        """,
}


@pytest.mark.parametrize("source", COMPILE_CALLS.values(), ids=COMPILE_CALLS)
def test_compile_calls(check, source):
    check(source)


RECOMPILES = {
    "counter": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                self.calls += 1  # <- CL601
                return x * self.calls
        """,
    "counter-as-a-buffer": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("calls", torch.zeros(()))

            def forward(self, x):
                self.calls += 1
                return x * self.calls
        """,
    "growing-list": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.seen = []

            def forward(self, x):
                self.seen.append(x)  # <- CL604
                return x * len(self.seen)
        """,
    "local-list": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                seen = []
                for part in x:
                    seen.append(part)
                return torch.stack(seen)
        """,
    "static-shapes": """
        import torch

        @torch.compile(dynamic=False)  # <- CL613
        def fn(x):
            return x * 2
        """,
}


@pytest.mark.parametrize("source", RECOMPILES.values(), ids=RECOMPILES)
def test_recompiles(check, source):
    check(source)


def test_a_recompile_skips_no_frame(lint):
    finding = lint(RECOMPILES["counter"]).one("CL601")
    assert (finding.kind, finding.frame_skipped) == ("recompile", False)
