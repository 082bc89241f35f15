"""The names of Python's builtins and standard library that are measured."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

from compile_lint.confirm.probe.target import Target

MODULES = [
    "abc", "array", "argparse", "ast", "asyncio", "atexit", "base64", "binascii", "bisect", "bz2", "calendar",
    "cmath", "codecs", "collections", "collections.abc", "concurrent.futures", "configparser", "contextlib",
    "contextvars", "copy", "copyreg", "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "enum",
    "errno", "fnmatch", "fractions", "functools", "gc", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac", "html",
    "importlib", "importlib.util", "importlib.metadata", "inspect", "io", "itertools", "json", "keyword", "linecache",
    "locale", "logging", "marshal", "math", "mimetypes", "multiprocessing", "numbers", "operator", "os", "os.path",
    "pathlib", "pickle", "pkgutil", "platform", "pprint", "queue", "random", "re", "secrets", "shlex", "shutil",
    "signal", "socket", "stat", "statistics", "string", "struct", "subprocess", "sys", "tempfile", "textwrap",
    "threading", "time", "timeit", "traceback", "tracemalloc", "types", "typing", "unicodedata", "urllib.parse",
    "uuid", "warnings", "weakref", "zipfile", "zlib",
]  # fmt: skip
TENSOR_MODULES = [
    "operator", "math", "cmath", "copy", "functools", "itertools", "collections", "statistics", "random", "fractions",
    "decimal", "heapq", "bisect", "json", "struct", "time", "warnings",
]  # fmt: skip
"""Modules whose functions are also measured with tensors, as rows named `math.sqrt[tensor]`."""
LITERALS = {
    "str": "'a b'",
    "bytes": "b'a b'",
    "bytearray": "bytearray(b'a b')",
    "list": "[3, 1, 2]",
    "tuple": "(3, 1, 2)",
    "dict": "{'a': 1, 'b': 2}",
    "set": "{1, 2}",
    "frozenset": "frozenset((1, 2))",
    "int": "(5)",
    "float": "(2.5)",
    "complex": "(2j)",
    "bool": "True",
    "range": "range(4)",
    "slice": "slice(0, 2)",
    "object": "object()",
    "property": "property(double)",
    "memoryview": "memoryview(b'ab')",
}
METHODS_WITHOUT = (
    "typing", "ctypes", "ast", "asyncio", "argparse", "configparser", "zipfile", "types", "mimetypes", "timeit",
    "tracemalloc", "pkgutil", "numbers", "codecs", "difflib", "bz2", "gzip", "importlib.metadata", "importlib.util",
    "importlib",
)  # fmt: skip
"""Modules whose classes are constructed and no more."""
MODULE_STATE = (
    "os.environ",
    "sys.stdout",
    "sys.stderr",
    "sys.path",
    "sys.modules",
    "sys.argv",
    "os.environb",
    "sys.stdin",
)
PRIVATE = {"sys": ("_getframe", "_current_frames"), "os": ("_exit",), "threading": (), "random": ()}


def targets(table: str) -> Iterator[Target]:
    """The table `builtins` or `stdlib`."""
    if table == "builtins":
        yield from _builtins()
        return
    for name in MODULES:
        module = _module(name)
        if module is not None:
            yield from _of_module(name, module)
    for holder in MODULE_STATE:
        yield from _of_holder(holder)


def _builtins() -> Iterator[Target]:
    for name, value in sorted(vars(builtins).items()):
        if name.startswith("_") and name not in ("__import__", "__build_class__"):
            continue
        if callable(value):
            yield Target("builtins", f"builtins.{name}", name, "python", value)
            if not (isinstance(value, type) and issubclass(value, BaseException)):
                yield Target("builtins", f"builtins.{name}[tensor]", name, "tensor", value)
    for name, literal in LITERALS.items():
        cls = getattr(builtins, name)
        for method in sorted(n for n in dir(cls) if not n.startswith("_")):
            value = getattr(cls, method)
            form = "call" if callable(value) else "attribute"
            yield Target("builtins", f"{name}.{method}", f"{literal}.{method}", "python", value, form, method=True)


def _module(name: str) -> Any:
    with contextlib.suppress(Exception):
        return importlib.import_module(name)
    return None


def _of_module(name: str, module: Any) -> Iterator[Target]:
    public = [n for n in dir(module) if not n.startswith("_")] + list(PRIVATE.get(name, ()))
    for attribute in public:
        value = getattr(module, attribute, None)
        if isinstance(value, types.ModuleType) or not callable(value) or _imported(name, attribute, value, module):
            continue
        if inspect.isabstract(value) or attribute.startswith("Windows") or (name == "ast" and isinstance(value, type)):
            continue
        full = f"{name}.{attribute}"
        made = Target("stdlib", full, full, "python", value, imports=f"import {name}")
        yield made
        if name in TENSOR_MODULES:
            yield Target("stdlib", f"{full}[tensor]", full, "tensor", value, imports=f"import {name}")
        if isinstance(value, type) and name not in METHODS_WITHOUT:
            yield from _of_class(made, value)


def _imported(name: str, attribute: str, value: Any, module: Any) -> bool:
    """What a module only imported from another one."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return attribute not in listed
    home = getattr(value, "__module__", None)
    return inspect.isfunction(value) and isinstance(home, str) and home.strip("_") != name and not home.endswith("path")


def _of_class(made: Target, cls: type) -> Iterator[Target]:
    if issubclass(cls, BaseException | type):
        return
    skipped = {
        n for base in (int, str, dict, list, tuple, set, frozenset, float) if issubclass(cls, base) for n in dir(base)
    }
    for method in sorted(n for n in dir(cls) if not n.startswith("_") and n not in skipped):
        value = inspect.getattr_static(cls, method)
        if isinstance(value, type | cls):
            continue
        plain = getattr(cls, method, None)
        form = "call" if callable(plain) else "attribute"
        static = isinstance(value, staticmethod | classmethod)
        head = f"{made.head}.{method}" if static else f"o.{method}"
        yield Target(
            "stdlib",
            f"{made.name}.{method}",
            head,
            "python",
            plain,
            form,
            "" if static else made.name,
            not static,
            made.imports,
        )


def _of_holder(holder: str) -> Iterator[Target]:
    """Methods of objects that a module holds, such as `os.environ.get`."""
    module, _, attribute = holder.rpartition(".")
    value = getattr(importlib.import_module(module), attribute)
    for method in sorted(
        n for n in dir(value) if not n.startswith("_") and n not in ("close", "detach", "clear", "fileno")
    ):
        function = getattr(value, method, None)
        if callable(function):
            yield Target(
                "stdlib", f"{holder}.{method}", f"{holder}.{method}", "python", function, imports=f"import {module}"
            )
