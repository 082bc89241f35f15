"""Whether something that is not linted may declare an operator: a compiled module, a library, another package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lint.project.modules import ModuleInfo
from compile_lint.project.project import STDLIB, Project, module_name

COMPILED = re.compile(
    r"(^|\.)(_C|_[A-Za-z0-9]*C|_[a-z0-9_]+_C|[A-Za-z0-9_]+_(cuda|ext|cpp|cuda_ext|kernels|cext))(\.|$)"
)
"""Names that projects give to their compiled extension modules."""
_LOADS = ("load_library", "cpp_extension", "load_inline", "import_module(", "__import__(", "dlopen", "CDLL")
_ENDINGS = ("_C", "_cuda", "_ext", "_cpp", "_kernels", "_cext")
_IMPORT = re.compile(r"^[ \t>]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]*)|import[ \t]+([^#\n]+))", re.M)
_QUIET = STDLIB | frozenset(
    [
        "torch",
        "numpy",
        "scipy",
        "pandas",
        "sklearn",
        "einops",
        "PIL",
        "cv2",
        "matplotlib",
        "tqdm",
        "yaml",
        "omegaconf",
        "hydra",
        "pytest",
        "packaging",
        "requests",
        "typing_extensions",
        "transformers",
        "diffusers",
        "accelerate",
        "peft",
        "timm",
        "safetensors",
        "huggingface_hub",
        "tokenizers",
        "datasets",
        "lightning",
        "pytorch_lightning",
        "torchmetrics",
        "wandb",
        "networkx",
        "sympy",
        "triton",
        "jaxtyping",
        "beartype",
        "attr",
        "attrs",
        "pydantic",
        "rich",
        "click",
    ]
)
"""Packages whose import registers no operators for others; any other may."""


def perhaps_registered(project: Project, module: ModuleInfo, namespace: str) -> bool:
    """Whether a file that is loaded with this one loads a library, or imports what may bring the namespace."""
    if COMPILED.search(namespace):
        return True
    words = (*_LOADS, *_ENDINGS, namespace)
    near = {one.path: one for one in _loaded(project, module)}
    top = _package(project, module.name)
    for source in project.holding(words):
        inside = bool(top) and f"{module_name(source)[0]}.".startswith(f"{top}.")
        if not inside and source.path not in near:
            continue
        if any(word in source.text for word in _LOADS):
            return True
        if any(COMPILED.search(name) or _akin(project, name, namespace) for name in _imported(source.text)):
            return True
    return any(_unseen(project, one) for one in near.values())


def unknown_imports(project: Project, module: ModuleInfo) -> bool:
    """Whether a file imports a package that is not known to register nothing."""
    tops = {name.partition(".")[0] for name in _imported(module.text)}
    return any(top and top not in _QUIET and not project.owns(top) and top not in module.home for top in tops)


def _loaded(project: Project, module: ModuleInfo) -> list[ModuleInfo]:
    """The linted modules that are loaded with one, itself first."""
    found = [module]
    for one in found:  # grows meanwhile
        for name in [*one.imports.values(), *one.stars]:
            other = _module_of(project, name)
            if other is not None and other not in found and len(found) < 40:
                found.append(other)
    return found


def _module_of(project: Project, name: str) -> ModuleInfo | None:
    if not project.owns(name):
        return None
    parts = name.split(".")
    held = (project.module_named(".".join(parts[:cut])) for cut in range(len(parts), 0, -1))
    return next((one for one in held if one is not None), None)


def _package(project: Project, name: str) -> str:
    """The outermost package that a module lies in; empty where it lies in none."""
    parts = name.split(".")
    heads = (".".join(parts[:cut]) for cut in range(1, len(parts)))
    return next((head for head in heads if project.has(head)), "")


def _unseen(project: Project, module: ModuleInfo) -> bool:
    """Whether a module imports, from a package of the linted tree, a module that is not there: a built one."""
    for name in module.imports.values():
        if "." not in name or not _package(project, name):
            continue
        if project.resolve(name) is None and project.has(name.rpartition(".")[0]) is False:
            return True
    return False


def _akin(project: Project, name: str, namespace: str) -> bool:
    """Whether a package outside is called like the namespace, as `pyg_lib` and `pyg`, or `fbgemm_gpu` and `fbgemm`."""
    if project.owns(name):
        return False
    wanted = _plain(namespace)
    parts = [_plain(part) for part in name.split(".") if part not in _QUIET]
    return any(part and (part.startswith(wanted) or wanted.startswith(part)) for part in parts)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _imported(text: str) -> Iterator[str]:
    """The dotted names that a file imports anywhere, as they are written."""
    for match in _IMPORT.finditer(text):
        if match[3]:
            yield from (one.split()[0] for one in match[3].split(",") if one.split())
            continue
        names = [one.split()[0] for one in match[2].strip("()").replace("\\", "").split(",") if one.split()]
        yield from (f"{match[1]}.{name}" for name in names or [""])
