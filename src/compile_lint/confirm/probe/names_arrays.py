"""The names of numpy and scipy that are measured."""

from __future__ import annotations

import contextlib
import importlib
import types
from collections.abc import Iterator
from typing import Any

import numpy

from compile_lint.confirm.probe.target import Target

NUMPY = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "numpy.testing",
    "numpy.lib.stride_tricks",
    "numpy.char",
    "numpy.ma",
    "numpy.polynomial.polynomial",
)
SCIPY = (
    "scipy.special", "scipy.optimize", "scipy.linalg", "scipy.signal", "scipy.signal.windows", "scipy.ndimage",
    "scipy.stats", "scipy.spatial", "scipy.spatial.distance", "scipy.interpolate", "scipy.integrate", "scipy.fft",
    "scipy.sparse", "scipy.sparse.linalg", "scipy.sparse.csgraph", "scipy.cluster.vq", "scipy.cluster.hierarchy",
    "scipy.io", "scipy.io.wavfile",
)  # fmt: skip
DISTRIBUTIONS = (
    "norm",
    "uniform",
    "expon",
    "t",
    "beta",
    "gamma",
    "poisson",
    "binom",
    "truncnorm",
    "multivariate_normal",
)
DISTRIBUTION_METHODS = (
    "pdf",
    "logpdf",
    "pmf",
    "logpmf",
    "cdf",
    "ppf",
    "sf",
    "rvs",
    "fit",
    "interval",
    "mean",
    "std",
    "entropy",
)
ARRAY_OPERATORS = {
    "__getitem__": "a[0]", "__setitem__": "a[0] = 2.0\nr = a", "__len__": "len(a)", "__add__": "a + a2",
    "__mul__": "a * 2", "__matmul__": "a @ a2", "__truediv__": "a / 2", "__floordiv__": "a // 2", "__mod__": "a % 2",
    "__pow__": "a ** 2", "__neg__": "-a", "__invert__": "~ab", "__and__": "ab & ab", "__lt__": "a < a2",
    "__eq__": "a == a2", "__bool__": "bool(a0)", "__int__": "int(a0)", "__float__": "float(a0)",
    "__iter__": "[q for q in a]", "__contains__": "2.0 in a", "__iadd__": "a += a2\nr = a",
    "__getitem__[mask]": "a[ab]", "__getitem__[index]": "a[ai]", "__str__": "str(a)", "__format__": "f'{a}'",
    "__abs__": "abs(a)", "__index__": "flat[ai[0]]",
}  # fmt: skip
RANDOM_OWNERS = {
    "numpy.random.Generator": "o = numpy.random.default_rng(0)",
    "numpy.random.RandomState": "o = numpy.random.RandomState(0)",
}
NUMBERS_TOO = ("numpy", "numpy.linalg")
"""Modules whose functions are also measured on numbers and sizes, as rows named `numpy.prod[py]`."""


def targets(table: str) -> Iterator[Target]:
    """The table `numpy` or `scipy`."""
    for name in NUMPY if table == "numpy" else SCIPY:
        module = _module(name)
        if module is not None:
            yield from _of_module(table, name, module)
    yield from _ndarray() if table == "numpy" else _distributions()


def _module(name: str) -> Any:
    with contextlib.suppress(Exception):
        return importlib.import_module(name)
    return None


def _of_module(table: str, name: str, module: Any) -> Iterator[Target]:
    for attribute in sorted(n for n in dir(module) if not n.startswith("_")):
        value = getattr(module, attribute, None)
        if isinstance(value, types.ModuleType) or not callable(value) or _foreign(name, value):
            continue
        if isinstance(value, type) and issubclass(value, BaseException):
            continue
        full = f"{name}.{attribute}"
        yield Target(table, full, full, "array", value, imports=f"import {name}")
        if name in NUMBERS_TOO:
            yield Target(table, f"{full}[py]", full, "numbers", value, imports=f"import {name}")


def _foreign(name: str, value: Any) -> bool:
    home = getattr(value, "__module__", None)
    return isinstance(home, str) and not home.startswith(name.split(".")[0])


def _ndarray() -> Iterator[Target]:
    for operator, text in ARRAY_OPERATORS.items():
        yield Target("numpy", f"numpy.ndarray.{operator}", text, "array", form="expression")
    for method in sorted(n for n in dir(numpy.ndarray) if not n.startswith("_")):
        value = getattr(numpy.ndarray, method)
        form = "call" if callable(value) else "attribute"
        yield Target("numpy", f"numpy.ndarray.{method}", f"a.{method}", "array", value, form, method=True)
    for owner, line in RANDOM_OWNERS.items():
        cls = getattr(numpy.random, owner.rsplit(".", 1)[1])
        for method in sorted(n for n in dir(cls) if not n.startswith("_")):
            name = f"{owner}.{method}"
            function = getattr(cls, method)
            if callable(function):
                yield Target(
                    "numpy",
                    name,
                    f"o.{method}",
                    "array",
                    function,
                    method=True,
                    imports="import numpy",
                    outside=(line,),
                )


def _distributions() -> Iterator[Target]:
    module = _module("scipy.stats")
    for distribution in DISTRIBUTIONS:
        for method in DISTRIBUTION_METHODS:
            value = getattr(getattr(module, distribution, None), method, None)
            if value is not None:
                name = f"scipy.stats.{distribution}.{method}"
                yield Target("scipy", name, name, "array", value, imports="import scipy.stats")
