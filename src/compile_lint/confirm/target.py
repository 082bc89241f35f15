"""What to confirm: one target with everything its worker needs, as plain values that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Target:
    """One target as named by the user, every setting resolved; the parts are checked where they are parsed."""

    name: str
    target: str
    """`path/file.py:name` or `package.module:name`; `name` may be dotted."""
    input: tuple[str, ...] = ()
    """One specification an argument, such as `x=float32[2,3]`, `int64[2,16]<1000`, `none` or a literal."""
    inputs: str = ""
    """`file.py:function` that returns the argument tuples of each call."""
    init: tuple[str, ...] = ()
    """`name=literal` arguments of a class."""
    vary: tuple[str, ...] = ()
    """`x.0=1,2,4,8`: one more call for each size."""
    device: str = "auto"
    dtype: str = ""
    """Of parameters and floating-point inputs; empty: as the target makes them."""
    train: bool | None = None
    """None: as the target makes it, `eval` for a class that is constructed here."""
    grad: str = "grad"
    """`grad`, `no-grad` or `inference-mode`."""
    dynamic: bool | None = None
    mode: str = ""
    backend: str = ""
    """Empty: one that only captures."""
    torch_config: dict[str, str | int | float | bool] = field(default_factory=dict)
    """Settings of torch._dynamo.config."""
    fake: bool = False
    seed: int = 0
    timeout: float = 300.0
    """Seconds for the whole worker."""
    memory_limit: int = 0
    """Bytes of resident memory of the worker and what it started; 0: no limit."""
    root: str = ""
    """Absolute folder that modules are imported from: the working directory, or that of the configuration."""
    project: tuple[str, ...] = ()
    """Absolute folders and files that count as the project, besides what the target's own place adds."""
