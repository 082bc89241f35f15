"""Snippets for a rollout: a probe that waits for warm-up, a cache that stays, a canary that can fall back."""

from __future__ import annotations

import math

PERIOD = 5
"""Seconds between two probes."""
_PATIENCE = 2.0
"""A start may take so many times what was measured before it is given up."""

_PROBE = """\
startupProbe:
  httpGet: {{path: /ready, port: 8080}}  # answers 200 only after warm_up() has returned
  periodSeconds: {period}
  failureThreshold: {failures}
readinessProbe:
  httpGet: {{path: /ready, port: 8080}}
  periodSeconds: {period}"""

CACHE = """\
export TORCHINDUCTOR_CACHE_DIR=/var/cache/torchinductor  # a volume that outlives the process
export TORCHINDUCTOR_FX_GRAPH_CACHE=1
export TORCHINDUCTOR_AUTOGRAD_CACHE=1"""

_CANARY = '''\
import logging
import random

import torch


def with_canary(model, share=0.05):
    """A callable that sends a share of the requests to the compiled model, and to eager what raises there."""
    compiled = torch.compile(model{options})

    def call(*args, **kwargs):
        if random.random() >= share:
            return model(*args, **kwargs)
        try:
            return compiled(*args, **kwargs)
        except Exception:
            logging.exception("compiled call failed; fell back to eager")  # count these
            return model(*args, **kwargs)

    return call'''


def probe(seconds: float) -> str:
    """Probes for Kubernetes that wait twice the seconds that a first call takes."""
    failures = max(math.ceil(seconds * _PATIENCE / PERIOD), 3)
    return _PROBE.format(period=PERIOD, failures=failures)


def canary(backend: str, mode: str, dynamic: bool | None) -> str:
    """A wrapper that compiles as it was measured."""
    options = [f"backend={backend!r}"] if backend not in ("", "inductor") else []
    options += [f"mode={mode!r}"] if mode else []
    options += [f"dynamic={dynamic}"] if dynamic is not None else []
    return _CANARY.format(options="".join(f", {option}" for option in options))
