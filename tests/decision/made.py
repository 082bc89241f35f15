"""Evidence and business figures made by hand."""

from compile_lint.bench.figures import Range
from compile_lint.bench.record import (
    BenchRecord,
    Latency,
    Machine,
    RemedyCost,
    Size,
    TargetBench,
    Traffic,
    WarmUp,
)
from compile_lint.confirm.join.model import Confirmation, JoinedBreak
from compile_lint.decision.model import Business, Evidence


def exactly(value):
    """A figure without spread."""
    return Range(value, value, value)


def evidence(**more):
    """5 s eager, 3.5 s compiled, a minute of warm-up."""
    values = {
        "eager_ms": exactly(5000.0),
        "compiled_ms": exactly(3500.0),
        "saving": exactly(0.3),
        "cold_s": exactly(60.0),
        "breaks": 0,
        "score": 100.0,
        "same_result": True,
        "repeats": 5,
        "source": "bench.json",
    }
    return Evidence("detr", **{**values, **more})


def business(**more):
    """The bill and the work of the guide."""
    values = {"gpu_cost_per_month": 10_000.0, "requests_per_day": 100_000.0, "engineering_cost": 18_000.0}
    return Business(**{**values, **more})


def broken(path="models/detr.py", line=7, **more):
    """A break as it is after joining."""
    values = {
        "function": "DETR.forward",
        "graph_break_id": "GB0170",
        "url": "",
        "reason": "Data-dependent branching\nmore",
        "hint": "",
        "frame_skipped": False,
        "times": 2,
        "in_project": True,
        "source": "if mask.any():",
    }
    return JoinedBreak(path=path, line=line, **{**values, **more})


def confirmation(**more):
    """What confirm said of the target."""
    values = {"graphs": (12, 30), "breaks": (broken(),), "score": 61.0, "predicted_score": 58.0, "same_result": True}
    return Confirmation("detr", **{**values, **more})


def traffic(cheapest="buckets", **more):
    """Requests of three sizes, and what three remedies make of them."""
    values = {
        "source": "sizes.csv",
        "dimensions": ("x.0",),
        "sizes": tuple(Size((size,), count) for size, count in ((3, 50), (4, 30), (40, 20))),
        "remedies": (
            RemedyCost("as-is", 9_000.0, 100_000.0, 3, 3),
            RemedyCost("dynamic", 8_000.0, 70_000.0, 1, 1),
            RemedyCost("mark-dynamic", 8_000.0, 70_000.0, 1, 1),
            RemedyCost("static", 8_000.0, 70_000.0, 3, 3),
            RemedyCost("buckets", 7_600.0, 65_000.0, 2, 2, 0.12),
        ),
        "cheapest": cheapest,
        "edges": ((4, 40),),
    }
    return Traffic(**{**values, **more})


def bench(**more):
    """10 ms eager, 7 ms compiled; a minute from cold, 9 s from a full cache."""
    values = {
        "grad": "inference-mode",
        "backend": "inductor",
        "inputs": ("x=float32[2,3]",),
        "eager": Latency(((9.0, 10.0, 11.0), (10.0, 12.0, 10.0), (10.5, 10.0, 11.0))),
        "compiled": Latency(((7.0, 7.0, 6.5), (7.0, 7.5, 7.0), (7.0, 8.0, 7.0))),
        "warm_ups": (WarmUp("cold", (60_000.0, 61_000.0)), WarmUp("warm", (9_000.0, 9_200.0))),
        "traffic": traffic(),
        "same_result": True,
        "confirmation": confirmation(),
    }
    return TargetBench("detr", **{**values, **more})


def record(*benches):
    """A run of bench."""
    return BenchRecord(tool="0.1.0", machine=Machine(device="cpu"), targets=benches or (bench(),))
