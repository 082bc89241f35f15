"""The machine that a worker runs on."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import subprocess
from typing import Any

import psutil
import torch

from compile_lint.bench.record import Machine

_SECONDS = 10
"""So long another program may take to say its version."""


def machine(device: str) -> Machine:
    """What is known of it. `device` is its name as the record gives it."""
    cuda = device.startswith("cuda")
    index = int(found[1]) if (found := re.match(r"cuda:(\d+)", device)) else 0
    return Machine(
        system=platform.platform(),
        cpu=_cpu(),
        cores=_cores(),
        memory=int(psutil.virtual_memory().total),
        python=platform.python_version(),
        torch=str(torch.__version__),
        device=device,
        device_memory=int(torch.cuda.get_device_properties(index).total_memory) if cuda else 0,
        driver=_driver() if cuda else "",
        cuda=str(torch.version.cuda or "") if cuda else "",
        threads=torch.get_num_threads(),
        interop_threads=torch.get_num_interop_threads(),
        compiler=compiler()[0],
    )


def compiler() -> tuple[str, str]:
    """The C++ compiler that inductor takes on the CPU with its version, and why there is none, in one line."""
    try:
        from torch._inductor.cpp_builder import get_cpp_compiler

        found = get_cpp_compiler()
    except Exception as error:
        return "", str(error).strip().partition("\n")[0] or type(error).__name__
    return _version(found), ""


def _version(found: str) -> str:
    lines = _printed(found, "--version").splitlines()
    return f"{found} ({lines[0].strip()})" if lines else found


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu() -> str:
    with contextlib.suppress(OSError):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.MULTILINE)
        if found:
            return found[1].strip()
    if platform.system() == "Darwin":
        return _printed("sysctl", "-n", "machdep.cpu.brand_string").strip()
    return platform.processor()


def _driver() -> str:
    lines = _printed("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").splitlines()
    return lines[0].strip() if lines else ""


def _printed(*command: str) -> str:
    """What a program prints; empty if it is not there."""
    path: Any = shutil.which(command[0])
    if path is None:
        return ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run([path, *command[1:]], capture_output=True, text=True, timeout=_SECONDS, check=False)
        return done.stdout if done.returncode == 0 else ""
    return ""
