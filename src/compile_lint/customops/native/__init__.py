"""Operators that C++, CUDA and HIP sources register with torch's dispatcher, and functions that they bind to Python."""

from __future__ import annotations

from compile_lint.customops.native.collect import native_files, read_native
from compile_lint.customops.native.values import (
    NativeClass,
    NativeError,
    NativeKernel,
    NativeModule,
    NativeOperator,
    NativeSide,
)

__all__ = [
    "NativeClass",
    "NativeError",
    "NativeKernel",
    "NativeModule",
    "NativeOperator",
    "NativeSide",
    "native_files",
    "read_native",
]
