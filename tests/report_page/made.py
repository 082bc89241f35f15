"""Records and decisions made by hand; no torch."""

from compile_lint.bench.figures import Range
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
from compile_lint.confirm.join.model import Confirmation, Cost, FixFirst, JoinedBreak, JoinedRecompile
from compile_lint.confirm.observation import Place, Raised
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence as evidence_of
from compile_lint.decision.model import Business, Condition, Decision, Evidence, Reason
from compile_lint.report_page.view import Subject

URL = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{ 7*7 }}{% x %}`|\n\x1b[31m\x07\u202e\udc80]("
)
"""What a name or a line of source can hold at the worst."""


def machine(**more):
    """An ordinary machine."""
    values = {
        "system": "Linux 6.1",
        "cpu": "Xeon",
        "cores": 2,
        "memory": 8 << 30,
        "python": "3.11.9",
        "torch": "2.13.0+cpu",
        "device": "cpu",
        "threads": 2,
        "interop_threads": 1,
        "compiler": "g++ 12.2",
    }
    return Machine(**{**values, **more})


def broken(path="models/detr.py", line=7, **more):
    """A break as it is after joining."""
    values = {
        "function": "DETR.forward",
        "graph_break_id": "GB0170",
        "url": URL,
        "reason": "Data-dependent branching: Detected data-dependent branching",
        "hint": "Use `torch.cond`",
        "frame_skipped": False,
        "times": 2,
        "in_project": True,
        "predicted": True,
        "codes": ("CL101",),
        "source": "if mask.any():",
    }
    return JoinedBreak(path=path, line=line, **{**values, **more})


def again(path="models/detr.py", line=5, **more):
    """A recompilation as it is after joining."""
    values = {
        "function": "DETR.forward",
        "call": 1,
        "guard": "L['x'].size()[0] == 3",
        "reason": "x.size(0) was 3 and is 4",
        "input": "x.size(0)",
    }
    return JoinedRecompile(path=path, line=line, **{**values, **more})


def confirmation(name="detr", **more):
    """What confirm said of the target."""
    values = {
        "torch": "2.13.0+cpu",
        "device": "cpu",
        "entry": Place("models/detr.py", 4, "DETR.forward"),
        "calls": 1,
        "graphs": (12, 30, 4),
        "ops_outside_graphs": 2,
        "breaks": (broken(),),
        "recompiles": (again(),),
        "same_result": True,
        "tolerance": "float32: rtol 1.3e-06, atol 1e-05",
        "score": 61.0,
        "predicted_score": 58.5,
        "deductions": (Cost("break", "models/detr.py", 7, 39.0, "Data-dependent branching", ("CL101",), "GB0170"),),
        "fix_first": FixFirst("break", "models/detr.py", 7, "Data-dependent branching", 39.0, 100.0),
    }
    return Confirmation(name, **{**values, **more})


def traffic(**more):
    """Requests of five sizes and what each remedy makes of them."""
    values = {
        "source": "sizes.csv",
        "dimensions": ("x.0",),
        "sizes": tuple(Size((size,), count) for size, count in ((3, 500), (4, 300), (9, 120), (17, 60), (40, 20))),
        "remedies": (
            RemedyCost("as-is", 9_000.0, 4_000.0, 3, 2, compiled_at=(((3,), 2), ((4,), 1), ((40,), 0))),
            RemedyCost("dynamic", 8_000.0, 2_500.0, 1, 1),
            RemedyCost("static", None, None, 5, 5, raised="ValueError: five sizes are too many"),
            RemedyCost("buckets", 7_600.0, 3_000.0, 2, 2, 0.12, estimated=True, compiled_at=(((4,), 1), ((40,), 1))),
        ),
        "cheapest": "buckets",
        "edges": ((4, 40),),
        "size_ms": (((3,), 4.0, 3.0), ((40,), 9.0, 6.0)),
    }
    return Traffic(**{**values, **more})


def bench(name="detr", **more):
    """What was measured of one target: 10 ms eager, 7 ms compiled."""
    values = {
        "target": "models/detr.py:make",
        "backend": "inductor",
        "grad": "inference-mode",
        "seed": 0,
        "inputs": ("x=float32[2,3]",),
        "eager": Latency(((9.0, 10.0, 11.0, 10.0), (10.0, 10.5, 12.0, 10.0))),
        "compiled": Latency(((7.0, 7.0, 6.5, 9.0), (7.0, 7.5, 7.0, 8.0))),
        "calls_a_repeat": 4,
        "eager_memory": 300 << 20,
        "compiled_memory": 350 << 20,
        "warm_ups": (
            WarmUp("cold", (60_000.0, 61_000.0), (Phases(20_000.0, 10_000.0, 28_000.0),) * 2, ((60_000.0, 7.0),), 1),
            WarmUp("warm", (9_000.0,), (Phases(6_000.0, 1_000.0, 2_000.0),), ((9_000.0, 7.0),), 1),
        ),
        "traffic": traffic(),
        "same_result": True,
        "tolerance": "float32: rtol 1.3e-06, atol 1e-05",
        "confirmation": confirmation(name),
        "seconds": {"latency": 3.0, "total": 100.0},
        "notes": ("compiled with 2 threads",),
    }
    return TargetBench(name, **{**values, **more})


def record(*benches, **more):
    """A run of bench."""
    values = {"tool": "0.1.0", "began": "2026-11-30T10:00:00Z", "machine": machine(), "targets": benches or (bench(),)}
    return BenchRecord(**{**values, **more})


def business(**more):
    """The business figures of the guide."""
    values = {
        "gpu_cost_per_month": 10_000.0,
        "requests_per_day": 100_000.0,
        "replicas": 4.0,
        "restarts_per_day": 0.1,
        "engineering_cost": 18_000.0,
        "first_request_slo": 5.0,
    }
    return Business(**{**values, **more})


def evidence(name="detr", **more):
    """The figures of the target."""
    values = {
        "eager_ms": Range(10.0, 10.0, 10.25),
        "compiled_ms": Range(7.0, 7.0, 7.25),
        "saving": Range(0.3, 0.28, 0.32),
        "cold_s": Range(60.5, 60.0, 61.0),
        "warm_s": Range(9.0, 9.0, 9.0),
        "requests_that_compile": 0.002,
        "score": 61.0,
        "predicted_score": 58.5,
        "breaks": 1,
        "same_result": True,
        "source": "bench.json",
    }
    return Evidence(name, **{**values, **more})


def decision(name="detr", verdict="conditions", **more):
    """A decision as decide makes it."""
    values = {
        "saving_per_month": Range(3000.0, 2800.0, 3200.0),
        "saving_share": Range(0.3, 0.28, 0.32),
        "payback_months": 6.0,
        "break_even_requests": 20_167.0,
        "cold_requests_per_day": 0.4,
        "recompile_cost_per_month": 1.5,
        "reasons": (),
        "conditions": (),
        "assumed": (),
        "evidence": evidence(name),
        "business": business(),
    }
    return Decision(name, verdict, **{**values, **more})


def decided(name="detr", **more):
    """The same target with what decide itself makes of it."""
    one = bench(name, **more)
    return Subject(decide(evidence_of(one, "bench.json"), business(), one, "cpu"), one, record(one))


def subject(name="detr", verdict="conditions", **more):
    """A target with all that can be known of it."""
    one = bench(name)
    return Subject(decision(name, verdict, **more), one, record(one))


def hostile():
    """A target with the worst in every text that comes from outside."""
    at = Place(f"{HOSTILE}.py", 3, HOSTILE)
    breaks = (
        broken(at.path, 3, function=HOSTILE, reason=HOSTILE, hint=HOSTILE, source=HOSTILE, url=f"javascript:{HOSTILE}"),
        broken("a.py", 3, url='https://x/"><script>alert(1)</script>', graph_break_id=HOSTILE, codes=(HOSTILE,)),
    )
    seen = confirmation(
        HOSTILE,
        entry=at,
        breaks=breaks,
        recompiles=(again(HOSTILE, reason=HOSTILE, guard=HOSTILE, input=HOSTILE, function=HOSTILE),),
        error=Raised(HOSTILE, HOSTILE, at, traceback=HOSTILE),
        same_result=False,
        differences=(HOSTILE,),
        tolerance=HOSTILE,
        fix_first=FixFirst("break", at.path, 3, HOSTILE, 39.0, 100.0),
    )
    sizes = traffic(source=HOSTILE, dimensions=(HOSTILE,))
    one = bench(
        HOSTILE,
        target=HOSTILE,
        backend=HOSTILE,
        mode=HOSTILE,
        grad=HOSTILE,
        inputs=(HOSTILE,),
        traffic=sizes,
        confirmation=seen,
        same_result=False,
        differences=(HOSTILE,),
        tolerance=HOSTILE,
        notes=(HOSTILE,),
    )
    told = {"system": HOSTILE, "cpu": HOSTILE, "torch": HOSTILE, "device": HOSTILE, "compiler": HOSTILE}
    made = decision(
        HOSTILE,
        evidence=evidence(HOSTILE, error=HOSTILE, source=HOSTILE, assumed=("eager_ms",)),
        business=business(currency=HOSTILE),
        assumed=("eager_ms", HOSTILE),
        reasons=(Reason("blocks", "reason.error", {"error": HOSTILE}, HOSTILE),),
        conditions=(Condition("condition.break", {"place": HOSTILE, "reason": HOSTILE}, HOSTILE, HOSTILE),),
    )
    return Subject(made, one, record(one, tool=HOSTILE, began=HOSTILE, machine=machine(**told)))
