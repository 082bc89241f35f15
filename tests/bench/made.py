"""Records made by hand; no torch."""

from __future__ import annotations

import dataclasses

from compile_lint.bench.record import (
    BenchRecord,
    Latency,
    Machine,
    Phases,
    RemedyCost,
    Size,
    TargetBench,
    Traffic,
    WarmUp,
)

MACHINE = Machine(
    system="Linux-6.1", cpu="A processor", cores=4, memory=16 << 30, python="3.11.7", torch="2.13.0+cpu", device="cpu",
    threads=4, interop_threads=4, compiler="g++ (g++ 12.2.0)",
)  # fmt: skip


def target(name="model", **more):
    """A target that gains 40 %."""
    values = {
        "target": "models.py:model",
        "backend": "inductor",
        "grad": "no-grad",
        "inputs": ("x=float32[2,3]",),
        "eager": Latency(((10.0, 11.0, 10.0), (10.5, 10.0, 12.0))),
        "compiled": Latency(((6.0, 6.1, 6.0), (6.2, 6.0, 6.4))),
        "eager_first_call": (40.0,),
        "calls_a_repeat": 3,
        "eager_memory": 300 << 20,
        "compiled_memory": 400 << 20,
        "warm_ups": (
            WarmUp("cold", (9000.0, 9500.0), (Phases(100.0, 400.0, 8000.0),) * 2, ((9000.0, 6.0), (9500.0, 6.1)), 1),
            WarmUp("warm", (1500.0,), (Phases(100.0, 100.0, 900.0),), ((1500.0, 6.0, 6.1),), None),
        ),
        "same_result": True,
        "tolerance": "float32: rtol 1.3e-05, atol 0.0001",
        "seconds": {"total": 61.0, "measured": 41.0},
    }
    return TargetBench(name, **{**values, **more})


def traffic(**more):
    """Three sizes, two remedies."""
    values = {
        "source": "sizes.csv",
        "dimensions": ("x.0",),
        "sizes": (Size((8,), 500), Size((12,), 300), Size((30,), 3)),
        "remedies": (
            RemedyCost("as-is", 20_000.0, 9000.0, 2, 2, estimated=True),
            RemedyCost("static", 40_000.0, 27_000.0, 3, 3, limit_hit=True),
            RemedyCost("mark-dynamic", raised="ConstraintViolationError: x.size(0)"),
            RemedyCost("buckets", 15_000.0, 9000.0, 1, 1, padding_share=0.25),
        ),
        "cheapest": "buckets",
        "edges": ((12, 30),),
        "size_ms": (((8,), 10.0, 6.0),),
    }
    return Traffic(**{**values, **more})


def record(*targets, **more):
    """A record of these targets."""
    return BenchRecord(tool="0.1.0", began="2026-01-01T00:00:00+00:00", machine=MACHINE, targets=targets, **more)


replace = dataclasses.replace
