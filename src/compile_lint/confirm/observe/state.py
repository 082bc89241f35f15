"""Keeps the process as it was: what a target or an observation changes in torch is put back."""

from __future__ import annotations

import contextlib
import logging
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
import torch._dynamo
import torch._dynamo.config
import torch._dynamo.eval_frame


def seed(number: int) -> None:
    """The same random numbers from torch, Python and numpy (where it is loaded) from here on."""
    torch.manual_seed(number)
    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number % 2**32)


@contextlib.contextmanager
def preserved() -> Iterator[None]:
    """Put back, whatever happens: settings of TorchDynamo, random numbers, grad mode, defaults, stance, caches."""
    with contextlib.ExitStack() as undo:
        for restore in _restorers():
            undo.callback(_quietly, restore)
        yield


def configure(settings: Mapping[str, object]) -> None:
    """Set settings of torch._dynamo.config. Raises LookupError for a name that it does not have."""
    for name, value in settings.items():
        if not hasattr(torch._dynamo.config, name):
            raise LookupError(f"torch._dynamo.config has no setting {name}")
        setattr(torch._dynamo.config, name, value)


def _quietly(restore: Callable[[], Any]) -> None:
    """One thing that cannot be put back must not keep the others from it."""
    with contextlib.suppress(Exception):
        restore()


def _restorers() -> Iterator[Callable[[], Any]]:
    """In the order in which they are made; they run in the reverse one."""
    yield from _random_numbers()
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    yield lambda: torch.set_default_dtype(dtype)
    yield lambda: _default_device(device)
    grad, deterministic = torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    yield lambda: torch.set_grad_enabled(grad)
    yield lambda: torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)
    threads = torch.get_num_threads()
    yield lambda: threads == torch.get_num_threads() or torch.set_num_threads(threads)
    yield _settings()
    disabled = logging.root.manager.disable
    yield lambda: logging.disable(disabled)
    stance = getattr(torch._dynamo.eval_frame, "_stance", None)
    if stance is not None:
        yield lambda: torch._dynamo.eval_frame._set_stance(stance)
    yield torch._dynamo.reset


def _random_numbers() -> Iterator[Callable[[], Any]]:
    here, plain = torch.get_rng_state(), random.getstate()
    yield lambda: torch.set_rng_state(here)
    yield lambda: random.setstate(plain)
    if "numpy" in sys.modules:
        numpy = sys.modules["numpy"].random
        arrays = numpy.get_state()
        yield lambda: numpy.set_state(arrays)
    if torch.cuda.is_initialized():
        devices = torch.cuda.get_rng_state_all()
        yield lambda: torch.cuda.set_rng_state_all(devices)


def _default_device(device: torch.device) -> None:
    if torch.get_default_device() != device:
        torch.set_default_device(None if device.type == "cpu" else device)


def _settings() -> Callable[[], None]:
    config: Any = torch._dynamo.config
    read: Callable[[], dict[str, Any]] = getattr(config, "get_config_copy", None) or config.to_dict
    before = read()

    def restore() -> None:
        for name, value in read().items():
            if name in before and before[name] != value:
                setattr(config, name, before[name])

    return restore
