"""Which code runs while compiling, and what is known on the way: guards, constants, None, loops."""

import pytest

GUARDED = {
    "is-compiling": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            if not torch.compiler.is_compiling():
                print(y.sum().item())
            if torch.compiler.is_compiling():
                y = y + 1
            else:
                print(y.sum().item())
            return y
        """,
    "is-dynamo-compiling": """
        import torch
        from torch.compiler import is_dynamo_compiling

        @torch.compile
        def fn(x):
            y = x * 2
            if not is_dynamo_compiling() and y.sum() > 0:
                print(y.sum().item())
            return y
        """,
    "is-scripting-and-tracing": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            if torch.jit.is_scripting():
                print(y.sum().item())
            if torch.jit.is_tracing():
                print(y.sum().item())
            if not torch.jit.is_scripting() and y.dim() == 2:
                y = y + 1
            return y
        """,
    "type-checking": """
        from typing import TYPE_CHECKING
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            if TYPE_CHECKING:
                print(y.sum().item())
            return y
        """,
    "constants": """
        import torch

        DEBUG = False
        LEVEL = 2

        @torch.compile
        def fn(x):
            y = x * 2
            if DEBUG:
                print(y.sum().item())
            if 0:
                print(y)
            if False and y.sum() > 0:
                print(y)
            if LEVEL > 3:
                print(y)
            while False:
                print(y)
            return y if True else y.item()
        """,
    "early-return-while-compiling": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            if torch.compiler.is_compiling():
                return y
            print(y.sum().item())
            return y
        """,
    "flag-of-a-call": """
        import torch

        def helper(x, verbose=False):
            y = x * 2
            if verbose:
                print(y)
            return y

        @torch.compile
        def fn(x):
            return helper(x) + helper(x, verbose=False)
        """,
    "flag-of-a-call-that-is-set": """
        import torch

        def helper(x, verbose=False):
            y = x * 2
            if verbose:
                print("verbose")  # <- CL501
            return y

        @torch.compile
        def fn(x):
            return helper(x, verbose=True)
        """,
    "after-return": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            return y
            print(y.item())
        """,
}


@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED)
def test_code_that_does_not_run_is_silent(check, source):
    check(source)


KNOWN = {
    "none": """
        import torch
        from torch import Tensor

        @torch.compile
        def fn(x: Tensor, mask: Tensor | None = None, bias=None):
            if mask is not None:
                x = x * mask
            if bias is None:
                bias = x.new_zeros(4)
            if mask is None or bias is None:
                return x
            x = x + bias
            if mask.any():  # <- CL101
                x = x - 1
            return x
        """,
    "truth-of-an-optional-tensor": """
        import torch
        from typing import Optional

        @torch.compile
        def fn(x: torch.Tensor, mask: Optional[torch.Tensor] = None):
            if mask is not None and mask.all():  # <- CL101
                x = x + 1
            return x
        """,
    "isinstance": """
        import torch

        @torch.compile
        def fn(x, scale=1.0):
            if isinstance(scale, torch.Tensor):
                x = x * scale
                if scale > 1:  # <- CL101
                    x = x + 1
            elif scale > 1:
                x = x - 1
            return x
        """,
    "shapes-and-dtypes": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            batch, width = y.shape
            if batch > 2 and width % 2 == 0 and y.size(0) == batch:
                y = y + 1
            if y.dtype == torch.float16 or y.device.type == "cuda" or y.is_floating_point():
                y = y + 1
            if y.ndim == 2 and y.numel() > 0 and len(y) > 1 and y.requires_grad:
                y = y + 1
            if y.shape == x.shape and not y.is_cuda and y.is_contiguous():
                y = y + 1
            assert y.shape[0] == batch and y.dim() == 2, f"bad shape {y.shape}"
            return y.view(batch, -1)
        """,
    "operators-on-tensors-are-fine": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            both = (y > 0) & ~(y > 1) | (y == 3)
            chosen = torch.where(both, y, -y)
            chosen[both] = 0.0
            assert (y > -100).all()
            return chosen + both.float() + torch.maximum(y, x)
        """,
    "list-of-tensors": """
        import torch

        @torch.compile
        def fn(x):
            parts = []
            for part in x.chunk(2):
                parts.append(part * 2)
            if len(parts) > 1 and parts:
                x = torch.cat(parts)
            if parts[0].sum() > 0:  # <- CL101
                x = x + 1
            return x
        """,
    "dict-of-tensors": """
        import torch

        @torch.compile
        def fn(x):
            found = {}
            found["sum"] = x.sum()
            found["size"] = x.shape[0]
            if "sum" in found and found["size"] > 1:
                x = x + 1
            if found["sum"] > 0:  # <- CL101
                x = x - 1
            for key, value in found.items():
                x = x + value
            return x
        """,
    "name-bound-again": """
        import torch

        @torch.compile
        def fn(x):
            level = x.sum()
            level = 3
            if level > 2:
                x = x + 1
            level = x.sum()
            if level > 2:  # <- CL101
                x = x - 1
            return x
        """,
    "either-branch": """
        import torch

        @torch.compile
        def fn(x, flag: bool):
            if flag:
                level = x.sum()
            else:
                level = x.mean()
            if level > 2:  # <- CL101
                x = x - 1
            return x
        """,
    "loop-carried": """
        import torch

        @torch.compile
        def fn(x):
            error = 0
            for i in range(3):
                if error > 0.5:  # <- CL101
                    x = x - 1
                error = (x * i).abs().max()
            return x
        """,
    "a-branch-for-compiling": """
        import torch

        @torch.compile
        def fn(x, size):
            if torch.compiler.is_compiling() and size > 2:
                return x * 2
            return x * x.sum().item()
        """,
    "a-branch-for-eager": """
        import torch

        @torch.compile
        def fn(x, size):
            if not (torch.compiler.is_compiling() and size > 2):
                return x * 2
            return x * x.sum().item()  # <- CL201
        """,
    "walrus": """
        import torch

        @torch.compile
        def fn(x):
            if (level := x.sum()) > 0:  # <- CL101
                x = x + level
            return x
        """,
    "chained-comparison": """
        import torch

        @torch.compile
        def fn(x):
            level = (x * 2).sum()
            if 0 < level < 1:  # <- CL101
                x = x + 1
            if 0 < x.shape[0] < 9:
                x = x + 1
            return x
        """,
    "ternary-boolop-not": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            a = y.sum() or 1  # <- CL103
            b = not y.any()  # <- CL104
            return y if y.max() > 0 else -y  # <- CL101
        """,
    "elif": """
        import torch

        @torch.compile
        def fn(x, flag: bool):
            y = x * 2
            if flag:
                y = y + 1
            elif y.sum() > 0:  # <- CL101
                y = y - 1
            return y
        """,
    "unknown-is-silent": """
        import torch
        from somewhere import thing

        @torch.compile
        def fn(x, config, state):
            y = thing(x)
            if y:
                x = x + 1
            if config.flag and state["ready"] > 2 and thing.level < 3:
                x = x + 1
            for item in thing.items():
                if item.ready:
                    x = x + 1
            return x if state else thing(config)
        """,
}


@pytest.mark.parametrize("source", KNOWN.values(), ids=KNOWN)
def test_what_is_known_on_the_way(check, source):
    check(source)


SKIPPED = {
    "plain": (False, "y = x * 2\n    print(1)"),
    "if": (False, "y = x * 2\n    if x.shape[0]:\n        print(1)"),
    "for": (True, "y = x * 2\n    for i in range(2):\n        print(1)"),
    "for-else": (False, "y = x * 2\n    for i in range(2):\n        y = y + 1\n    else:\n        print(1)"),
    "while": (True, "y = x * 2\n    i = 0\n    while i < 2:\n        print(1)\n        i += 1"),
    "try": (True, "y = x * 2\n    try:\n        print(1)\n    except ValueError:\n        pass"),
    "finally": (False, "y = x * 2\n    try:\n        y = y + 1\n    finally:\n        print(1)"),
    "no-grad": (False, "y = x * 2\n    with torch.no_grad():\n        print(1)"),
    "suppress": (True, "y = x * 2\n    with contextlib.suppress(ValueError):\n        print(1)"),
    "own-manager": (True, "y = x * 2\n    with manager():\n        print(1)"),
    "generator-expression": (True, "y = x * 2\n    z = sum(p.sum().item() for p in (y, y))"),
    "after-the-loop": (False, "y = x * 2\n    for i in range(2):\n        y = y + 1\n    print(1)"),
}


def skipped_source(body):
    return (
        "import contextlib\nimport torch\n\n@contextlib.contextmanager\ndef manager():\n    yield\n\n"
        f"@torch.compile\ndef fn(x):\n    {body}\n    return y\n"
    )


@pytest.mark.parametrize(("skips", "body"), SKIPPED.values(), ids=SKIPPED)
def test_what_gives_up_the_whole_frame(lint, skips, body):
    (finding,) = lint(skipped_source(body)).findings
    assert finding.code in ("CL501", "CL201")
    assert finding.frame_skipped == skips


def test_a_generator_function_is_skipped(lint):
    linted = lint(
        """
        import torch

        def parts(x):
            y = x * 2
            print(1)
            yield y

        @torch.compile
        def fn(x):
            for part in parts(x):
                x = x + part
            return x
        """
    )
    assert linted.one("CL501").frame_skipped


def test_a_loop_in_the_caller_is_not_in_the_helper(lint):
    """The helper is a frame of its own: it splits there, and the caller's frame is skipped."""
    linted = lint(
        """
        import torch

        def helper(x):
            y = x * 2
            print(1)
            return y

        @torch.compile
        def fn(x):
            for i in range(3):
                x = helper(x)
            return x
        """
    )
    (finding,) = linted.findings
    assert (finding.function, finding.entry) == ("helper", "fn")
    assert finding.frame_skipped


def test_a_helper_that_asks_the_torch_at_hand_whether_it_compiles(check):
    check(
        """
        import torch

        asks = getattr(torch.compiler, "is_compiling", None)

        def compiling():
            return bool(asks()) if asks is not None else False

        @torch.compile
        def fn(x):
            if not compiling():
                print(x.sum().item())
            return x * 2
        """
    )
