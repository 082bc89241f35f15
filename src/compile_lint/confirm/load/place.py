"""Where a target runs: its device, settings of torch that must exist, and what counts as its project."""

from __future__ import annotations

import os
from typing import Any

import torch

from compile_lint.config.nearest import hint
from compile_lint.confirm.exceptions import one_line
from compile_lint.confirm.load.errors import LoadError, user_error
from compile_lint.confirm.project import too_wide
from compile_lint.confirm.target import Target


def device(target: Target) -> torch.device:
    """The device of a target.

    Raises:
        LoadError: (unsupported) no such GPU, or none that can be used.
    """
    if target.device == "cpu":
        return torch.device("cpu")
    place = f"--device {target.device}"
    available = torch.cuda.is_available()
    if target.device == "auto":
        return torch.device("cuda", 0) if available and not _unusable(0) else torch.device("cpu")
    found = torch.device(target.device)
    built = bool(torch.version.cuda or getattr(torch.version, "hip", None))
    if not built:
        raise _unsupported(f"{place}: torch {torch.__version__} is built without CUDA; use --device cpu")
    if not available:
        if target.fake:
            return found if found.index is not None else torch.device("cuda", 0)
        raise _unsupported(f"{place}: there is no GPU that can be used; use --device cpu, or --fake")
    count = torch.cuda.device_count()
    index = found.index or 0
    if index >= count:
        there = "there is one GPU, cuda:0" if count == 1 else f"there are {count} GPUs, cuda:0 to cuda:{count - 1}"
        raise _unsupported(f"{place}: {there}")
    words = _unusable(index)
    if words:
        raise _unsupported(f"{place}: the GPU cannot be used: {words}")
    torch.cuda.set_device(index)
    return torch.device("cuda", index)


def _unusable(index: int) -> str:
    """Why nothing runs on that GPU (a build of torch without kernels for it, memory taken); empty if it does."""
    try:
        torch.zeros(1, device=f"cuda:{index}").add_(1).item()
    except RuntimeError as error:
        return one_line(error)
    return ""


def _unsupported(message: str) -> LoadError:
    return LoadError("unsupported", message)


def device_text(found: torch.device) -> str:
    """`cpu`, or `cuda:0 (name of the device)`."""
    if found.type == "cpu":
        return "cpu"
    name = torch.cuda.get_device_name(found) if torch.cuda.is_available() else "no GPU, fake tensors"
    return f"{found} ({name})"


def check_settings(target: Target) -> None:
    """See that the backend and the settings of TorchDynamo exist in this torch.

    Raises:
        LoadError: one does not; the nearest is suggested.
    """
    if target.torch_config:
        import torch._dynamo

        config: Any = torch._dynamo.config

        for name in target.torch_config:
            if not _has(config, name):
                near = hint(name, list(config.get_config_copy()))
                raise user_error(f"--torch-config: torch {torch.__version__} has no setting {name!r}{near}")
    if target.backend:
        import torch._dynamo as dynamo

        known = dynamo.list_backends(exclude_tags=())
        if target.backend not in known:
            raise user_error(f"--backend: torch has no backend {target.backend!r}{hint(target.backend, known)}")


def _has(config: Any, name: str) -> bool:
    try:
        for part in name.split("."):
            config = getattr(config, part)
    except AttributeError:
        return False
    return True


def project(target: Target, file: str, top: str) -> tuple[str, ...]:
    """What counts as the project: what the target says, the package or folder of its file, the folder it runs from.

    Args:
        target: the target.
        file: absolute path of the module that the target lies in; empty where it has none.
        top: folder of the outermost package that the file lies in; empty for a file in none.
    """
    found = list(target.project)
    if file:
        folder = os.path.dirname(file)
        found.append(top or (file if too_wide(folder) else folder))
        root = target.root
        if root and file.startswith(os.path.join(root, "")) and not too_wide(root):
            found.append(root)
    return tuple(dict.fromkeys(found))
