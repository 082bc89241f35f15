"""The keys of a `[[tool.compile-lint.target]]` table: what `compile-lint confirm` runs when it is named.

The options of that command have the same names and shapes, so that both are checked by one function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TargetShape = Literal["string", "strings", "literals", "settings", "flag", "choice", "seconds", "bytes", "int"]

GRADS = ("grad", "no-grad", "inference-mode")
MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
"""Those of torch.compile."""


@dataclass(frozen=True, slots=True)
class TargetKey:
    """One key. `example` is what TOML would hold, for the file that `init` writes; None where the default says it."""

    name: str
    shape: TargetShape
    help: str
    default: object = None
    example: object = None
    choices: tuple[str, ...] = ()


TARGET_KEYS: tuple[TargetKey, ...] = (
    TargetKey(
        "name", "string", "What `compile-lint confirm NAME` calls it. Default: the text of `target`.", "", "detr"
    ),
    TargetKey(
        "target",
        "string",
        "What is compiled: path/file.py:name or package.module:name.",
        "",
        "models/detr.py:make",
    ),
    TargetKey(
        "input",
        "strings",
        "Inputs, an argument each: x=float32[2,3], int64[2,16]<1000, none, a literal.",
        [],
        ["x=float32[2,3,224,224]"],
    ),
    TargetKey(
        "inputs",
        "string",
        "file.py:function that returns a list of argument tuples, or of (args, kwargs): one a call.",
        "",
        "models/inputs.py:batches",
    ),
    TargetKey("init", "literals", "Arguments of a class, such as dim=64.", [], ["dim=64"]),
    TargetKey("vary", "strings", "Further calls that differ in one size: x.0=1,2,4,8.", [], ["x.0=1,2,4,8"]),
    TargetKey("device", "string", "auto (CUDA if usable), cpu, cuda or cuda:1.", "auto"),
    TargetKey(
        "dtype", "string", "Of parameters and floating-point inputs. Default: as the target makes them.", "", "float32"
    ),
    TargetKey("train", "flag", "Training mode or not. Default: as the target makes it, not for a class.", None, False),
    TargetKey("grad", "choice", "How gradients are recorded.", "grad", choices=GRADS),
    TargetKey(
        "dynamic", "flag", "`dynamic` of torch.compile. Default: sizes become dynamic when they change.", None, False
    ),
    TargetKey("mode", "choice", "`mode` of torch.compile.", "", "default", choices=MODES),
    TargetKey("backend", "string", "`backend` of torch.compile. Default: one that only captures.", "", "inductor"),
    TargetKey(
        "torch-config",
        "settings",
        "Settings of torch._dynamo.config.",
        {},
        {"capture_scalar_outputs": True},
    ),
    TargetKey("fake", "flag", "Build and trace on fake tensors: no memory for weights.", False),
    TargetKey("timeout", "seconds", "Seconds until the worker is stopped.", 300),
    TargetKey("memory-limit", "bytes", "Memory of the worker and all it starts. Default: no limit.", 0, "4GiB"),
    TargetKey("seed", "int", "Seed of every random stream.", 0),
)

TARGET_BY_NAME: dict[str, TargetKey] = {key.name: key for key in TARGET_KEYS}
