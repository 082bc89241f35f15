"""Calls into the linted code: what goes in, what comes back, and what decorators and closures make of it."""

import pytest

FUNCTIONS = {
    "tuple-return": """
        import torch

        def stats(x):
            return x.mean(), x.shape[0], "name"

        @torch.compile
        def fn(x):
            mean, size, name = stats(x * 2)
            if size > 2 and name == "name":
                x = x + 1
            if mean > 0:  # <- CL101
                x = x - 1
            return x
        """,
    "tuple-index": """
        import torch

        def stats(x):
            return x.mean(), x.shape[0]

        @torch.compile
        def fn(x):
            found = stats(x * 2)
            if found[1] > 2:
                x = x + 1
            if found[0] > 0:  # <- CL101
                x = x - 1
            return x
        """,
    "starred-unpacking": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            first, *rest = y.mean(), y.shape[0], y.shape[1]
            if rest[0] > 2:
                x = x + 1
            return x if first > 0 else -x  # <- CL101
        """,
    "dict-return": """
        import torch

        def stats(x):
            return {"mean": x.mean(), "size": x.shape[0]}

        @torch.compile
        def fn(x):
            found = stats(x * 2)
            if found["size"] > 2:
                x = x + 1
            if found["mean"] > 0:  # <- CL101
                x = x - 1
            return x
        """,
    "dataclass": """
        from dataclasses import dataclass
        import torch

        @dataclass
        class Stats:
            mean: torch.Tensor
            size: int

        def stats(x):
            return Stats(x.mean(), x.shape[0])

        @torch.compile
        def fn(x):
            found = stats(x * 2)
            if found.size > 2:
                x = x + 1
            if found.mean > 0:  # <- CL101
                x = x - 1
            return x
        """,
    "dataclass-with-keywords-and-defaults": """
        from dataclasses import dataclass
        from typing import Optional
        import torch

        @dataclass
        class Output:
            loss: Optional[torch.Tensor] = None
            logits: torch.Tensor = None
            name: str = "out"

        @torch.compile
        def fn(x):
            out = Output(logits=x * 2)
            if out.loss is not None:
                x = x + out.loss
            if out.name == "out":
                x = x + 1
            return x if out.logits.max() > 0 else -x  # <- CL101
        """,
    "named-tuple": """
        from typing import NamedTuple
        import torch

        class Stats(NamedTuple):
            mean: torch.Tensor
            size: int

        @torch.compile
        def fn(x):
            found = Stats(x.mean(), x.shape[0])
            if found.size > 2:
                x = x + 1
            if found.mean > 0:  # <- CL101
                x = x - 1
            return x
        """,
    "plain-class": """
        import torch

        class State:
            def __init__(self, x):
                self.level = x.mean()
                self.size = x.shape[0]

            def high(self):
                return self.level > 0.5

        @torch.compile
        def fn(x):
            state = State(x * 2)
            if state.size > 2:
                x = x + 1
            if state.high():  # <- CL101
                x = x - 1
            return x
        """,
    "argument-decides": """
        import torch

        def scaled(x, factor):
            if factor > 1:  # <- CL101
                return x * factor
            return x

        @torch.compile
        def fn(x):
            return scaled(x, x.max())
        """,
    "argument-is-a-number": """
        import torch

        def scaled(x, factor=2):
            if factor > 1:
                return x * factor
            return x

        @torch.compile
        def fn(x):
            return scaled(x, 3) + scaled(x) + scaled(x, factor=0.5)
        """,
    "keyword-and-star-arguments": """
        import torch

        def scaled(x, *, factor, **rest):
            if factor > 1:  # <- CL101
                return x * factor
            return x

        def forwarded(*args, **kwargs):
            return scaled(*args, **kwargs)

        @torch.compile
        def fn(x):
            return forwarded(x, factor=x.max())
        """,
    "closure": """
        import torch

        @torch.compile
        def fn(x):
            level = x.mean()
            size = x.shape[0]

            def shift(y):
                if size > 2:
                    y = y + 1
                if level > 0:  # <- CL101
                    return y + level
                return y

            return shift(x)
        """,
    "lambda": """
        import torch

        @torch.compile
        def fn(x):
            level = lambda y: y.mean()
            if level(x) > 0:  # <- CL101
                return x
            return -x
        """,
    "function-as-argument": """
        import torch

        def mean(x):
            return x.mean()

        def apply(f, x):
            return f(x)

        @torch.compile
        def fn(x):
            if apply(mean, x) > 0:  # <- CL101
                return x
            return -x
        """,
    "decorator-that-wraps": """
        import functools
        import torch

        def checked(f):
            @functools.wraps(f)
            def wrapper(x, *args):
                if torch.isnan(x).any():  # <- CL101
                    raise ValueError
                return f(x, *args)
            return wrapper

        @checked
        def level(x):
            return x.mean()

        @torch.compile
        def fn(x):
            if level(x) > 0:  # <- CL101
                return x
            return -x
        """,
    "decorator-with-arguments": """
        import torch

        def scaled(factor):
            def decorate(f):
                def wrapper(x):
                    return f(x) * factor
                return wrapper
            return decorate

        @scaled(2)
        def level(x):
            print("level")  # <- CL501
            return x.mean()

        @torch.compile
        def fn(x):
            if level(x) > 0:  # <- CL101
                return x
            return -x
        """,
    "no-grad-helper": """
        import torch

        @torch.no_grad()
        def level(x):
            return x.mean()

        @torch.inference_mode()
        def other(x):
            return x.mean()

        @torch.compile
        def fn(x):
            if level(x) > 0:  # <- CL101
                return x
            return -x
        """,
    "unknown-decorator-keeps-the-function": """
        import torch
        from somewhere import traced

        @traced("level")
        def level(x):
            return torch.nonzero(x)  # <- CL301

        @torch.compile
        def fn(x):
            return level(x)
        """,
    "recursion": """
        import torch

        def halve(x, depth):
            if depth == 0:
                return x
            if x.max() > 1:  # <- CL101
                x = x / 2
            return halve(x, depth - 1)

        @torch.compile
        def fn(x):
            return halve(x, 3)
        """,
    "static-and-class-methods": """
        import torch
        from torch import nn

        class Net(nn.Module):
            limit = 3

            @staticmethod
            def level(x):
                return x.mean()

            @classmethod
            def scaled(cls, x):
                return cls.level(x) * cls.limit

            def forward(self, x):
                if self.level(x) > 0:  # <- CL101
                    x = x + 1
                if Net.scaled(x) > 0:  # <- CL101
                    x = x - 1
                if self.limit > 2:
                    x = x * 2
                return x
        """,
    "generator": """
        import torch

        def halves(x):
            for part in x.chunk(2):
                yield part.mean()

        @torch.compile
        def fn(x):
            for level in halves(x):
                if level > 0:  # <- CL101
                    x = x + 1
            return x
        """,
    "autograd-function": """
        import torch

        class Clip(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x.clamp(0, 1)

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return grad * (x > 0)

        @torch.compile
        def fn(x):
            y = Clip.apply(x * 2)
            if y.max() > 0.5:  # <- CL101
                return y
            return -y
        """,
    "autograd-function-that-breaks": """
        import torch

        class Clip(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                if x.max() > 1:  # <- CL101
                    return x.clamp(0, 1)
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                return grad

        @torch.compile
        def fn(x):
            return Clip.apply(x * 2)
        """,
    "higher-order-cond": """
        import torch

        def double(x):
            return x * 2

        @torch.compile
        def fn(x):
            y = torch.cond(x.sum() > 0, double, lambda x: x - 1, (x,))
            if y.max() > 0:  # <- CL101
                return y
            return -y
        """,
    "higher-order-checkpoint": """
        import torch
        from torch.utils.checkpoint import checkpoint

        def block(x):
            return x.relu()

        @torch.compile
        def fn(x):
            y = checkpoint(block, x, use_reentrant=False)
            if y.max() > 0:  # <- CL101
                return y
            return -y
        """,
    "hook-registered": """
        import torch
        from torch import nn

        def watch(module, args, output):
            if output.max() > 100:  # <- CL101
                return output.clamp(max=100)
            return output

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(4, 4)
                self.lin.register_forward_hook(watch)

            def forward(self, x):
                return self.lin(x)
        """,
}


@pytest.mark.parametrize("source", FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions(check, source):
    check(source)
