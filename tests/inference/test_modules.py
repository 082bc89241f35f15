"""What modules hold, and what calling them does."""

import pytest

MODULES = {
    "submodule": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                if x.sum() > 0:  # <- CL101
                    return x
                return -x

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x * 2)
        """,
    "module-list": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([Inner() for _ in range(3)])

            def forward(self, x):
                for layer in self.layers:
                    if layer(x) > 0:  # <- CL101
                        x = x + 1
                if self.layers[0](x) > 1:  # <- CL101
                    x = x - 1
                return x
        """,
    "module-list-appended": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self, depth=2):
                super().__init__()
                layers = []
                for i in range(depth):
                    layers.append(Inner())
                self.layers = nn.ModuleList(layers)

            def forward(self, x):
                if self.layers[-1](x) > 1:  # <- CL101
                    x = x - 1
                return x
        """,
    "module-dict": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.parts = nn.ModuleDict({"a": Inner(), "b": Inner()})

            def forward(self, x):
                y = self.parts["a"](x)
                if y > 0:  # <- CL101
                    x = x + 1
                return x
        """,
    "module-dict-items": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.parts = nn.ModuleDict({"a": Inner(), "b": Inner()})

            def forward(self, x):
                for name, part in self.parts.items():
                    if name == "a":
                        x = x + 1
                    if part(x) > 0:  # <- CL101
                        x = x - 1
                return x
        """,
    "sequential": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                if x.sum() > 0:  # <- CL101
                    return x
                return -x

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(4, 4), Inner(), nn.ReLU())

            def forward(self, x):
                y = self.layers(x)
                if y.dim() == 2:
                    y = y + 1
                if (y > 0).all():  # <- CL101
                    y = y * 2
                return y
        """,
    "sequential-subclass": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return torch.nonzero(x)  # <- CL301

        class Net(nn.Sequential):
            def __init__(self):
                super().__init__(nn.Linear(4, 4), Inner())
        """,
    "property": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("limit", torch.ones(()))

            @property
            def low(self):
                return self.limit / 2

            @property
            def width(self):
                return 4

            def forward(self, x):
                if self.width > 2:
                    x = x + 1
                if self.low > 0:  # <- CL101
                    x = x - 1
                return x
        """,
    "buffers-and-parameters": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(()))
                self.register_buffer("seen", torch.zeros(()))
                self.register_buffer("table", None)
                self.register_parameter("bias", None)
                self.flag = True

            def forward(self, x):
                if self.table is not None:
                    x = x + self.table
                if self.bias is not None:
                    x = x + self.bias
                if self.flag:
                    x = x + 1
                if self.seen:  # <- CL101
                    x = x - 1
                return x if self.scale > 0 else -x  # <- CL101
        """,
    "python-attributes-are-silent": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, config, depth: int, rate=0.1, name="net"):
                super().__init__()
                self.config = config
                self.depth = depth
                self.rate = rate
                self.name = name
                self.sizes = [1, 2, 3]
                self.lin = nn.Linear(4, 4, bias=False)

            def forward(self, x, use_cache: bool = False, scale=1.0):
                if self.config.use_bias and self.depth > 2 and self.training:
                    x = x + 1
                if self.rate > 0 and self.name == "net" and len(self.sizes) > 2:
                    x = x + 1
                if use_cache or scale != 1.0 or self.lin.bias is None:
                    x = x * scale
                for i in range(self.depth):
                    x = x + i
                assert x.shape[-1] == 4, f"got {x.shape}"
                return self.lin(x) if hasattr(self, "lin") else x
        """,
    "attribute-set-in-forward": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                self.last = x.mean()
                if self.last > 0:  # <- CL101
                    return x
                return -x
        """,
    "attribute-set-by-a-helper-of-init": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self._build()

            def _build(self):
                self.register_buffer("seen", torch.zeros(()))

            def forward(self, x):
                if self.seen > 0:  # <- CL101
                    return x
                return -x
        """,
    "module-passed-to-init": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Outer(nn.Module):
            def __init__(self, inner: Inner):
                super().__init__()
                self.inner = inner

            def forward(self, x):
                if self.inner(x) > 0:  # <- CL101
                    return x
                return -x

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.outer = Outer(Inner())

            def forward(self, x):
                return self.outer(x)
        """,
    "super-forward": """
        import torch
        from torch import nn

        class Base(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(Base):
            def forward(self, x):
                top = super().forward(x)
                if top > 0:  # <- CL101
                    return x
                return -x
        """,
    "super-with-arguments": """
        import torch
        from torch import nn

        class Base(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(Base):
            def forward(self, x):
                if super(Net, self).forward(x) > 0:  # <- CL101
                    return x
                return Base.forward(self, x)
        """,
    "lstm": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(4, 4)
                self.cell = nn.LSTMCell(4, 4)

            def forward(self, x):
                h, c = self.cell(x)
                y, (h, c) = self.rnn(x[None])  # <- CL703
                return y + h
        """,
    "torch-layers-return-tensors": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(4, 1)
                self.loss = nn.MSELoss()
                self.mha = nn.MultiheadAttention(4, 1)

            def forward(self, x):
                y = self.lin(x)
                if self.loss(y, y) > 0:  # <- CL101
                    y = y + 1
                mixed, weights = self.mha(x, x, x)
                if weights.max() > 0.9:  # <- CL101
                    mixed = mixed + 1
                return y, mixed
        """,
    "submodule-method": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def score(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                if self.inner.score(x) > 0:  # <- CL101
                    return x
                return -x
        """,
    "getattr-by-name": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def forward(self, x):
                return x.max()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                if getattr(self, "inner")(x) > 0:  # <- CL101
                    return x
                return -x
        """,
}


@pytest.mark.parametrize("source", MODULES.values(), ids=MODULES)
def test_modules(check, source):
    check(source)


def test_shared_block_is_reported_once_with_a_stable_entry(lint):
    linted = lint(
        """
        import torch
        from torch import nn

        class Block(nn.Module):
            def forward(self, x):
                return x[x > 0]

        class B(nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def forward(self, x):
                return self.block(x)

        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.blocks = nn.ModuleList(Block() for _ in range(4))

            def forward(self, x):
                for block in self.blocks:
                    x = block(x)
                return x
        """
    )
    (finding,) = linted.findings
    assert (finding.function, finding.entry) == ("Block.forward", "Block.forward")
    assert (finding.in_loop, finding.frame_skipped) == (False, True)  # through A, whose frame cannot resume in its loop
