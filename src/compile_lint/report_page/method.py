"""How it was measured: machine, versions, settings, seeds."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.bench.record import BenchRecord, TargetBench
from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.numbers import duration, memory
from compile_lint.report_page.view import Fact, Subject


def method(subject: Subject, catalogue: Catalogue) -> Iterator[Fact]:
    """Everything that is known of it."""
    given = [*_source(subject), *_business(subject.decision)]
    if subject.record is not None:
        given += _machine(subject.record)
    if subject.bench is not None:
        given += _target(subject.bench)
    for name, value in given:
        if value:
            yield Fact(catalogue.text(f"method.{name}"), value)


def _source(subject: Subject) -> Iterator[tuple[str, str]]:
    yield "file", subject.decision.evidence.source
    if subject.record is not None:
        yield "began", subject.record.began
        yield "tool", subject.record.tool
    yield "assumed", ", ".join(dict.fromkeys((*subject.decision.assumed, *subject.decision.evidence.assumed)))


def _business(decision: Decision) -> Iterator[tuple[str, str]]:
    business = decision.business
    for name in (
        "gpu_cost_per_month",
        "requests_per_day",
        "replicas",
        "restarts_per_day",
        "engineering_cost",
        "first_request_slo",
    ):
        value = getattr(business, name)
        if value is not None:
            unit = {"gpu_cost_per_month": f" {business.currency}", "engineering_cost": f" {business.currency}"}
            yield name, f"{value:,.12g}{unit.get(name, ' s' if name == 'first_request_slo' else '')}"


def _machine(record: BenchRecord) -> Iterator[tuple[str, str]]:
    machine = record.machine
    yield "torch", machine.torch
    yield "python", machine.python
    yield "device", machine.device
    yield "device_memory", memory(machine.device_memory) if machine.device_memory else ""
    yield "driver", machine.driver
    yield "cuda", machine.cuda
    yield "system", machine.system
    yield "cpu", machine.cpu
    yield "cores", f"{machine.cores:,}" if machine.cores else ""
    yield "memory", memory(machine.memory) if machine.memory else ""
    yield "threads", f"{machine.threads} / {machine.interop_threads}" if machine.threads else ""
    yield "compiler", machine.compiler


def _target(bench: TargetBench) -> Iterator[tuple[str, str]]:
    yield "target", bench.target
    yield "inputs", ", ".join(bench.inputs)
    yield "backend", " ".join(filter(None, (bench.backend, bench.mode)))
    yield "dynamic", "" if bench.dynamic is None else str(bench.dynamic).lower()
    yield "grad", bench.grad
    yield "seed", f"{bench.seed}"
    repeats = max(len(bench.eager.repeats), len(bench.compiled.repeats))
    yield "repeats", f"{repeats} x {bench.calls_a_repeat}" if repeats and bench.calls_a_repeat else ""
    yield "tolerance", bench.tolerance
    yield "spent", duration(bench.seconds["total"] * 1000) if "total" in bench.seconds else ""
