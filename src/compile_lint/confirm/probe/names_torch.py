"""The names of torch that are measured."""

from __future__ import annotations

import contextlib
import enum
import importlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

import torch

from compile_lint.confirm.probe.target import Target

MODULES = {
    "torch": ("torch",),
    "functional": ("torch.nn.functional",),
    "linalg": ("torch.linalg", "torch.fft", "torch.special", "torch.signal.windows"),
    "nn": (
        "torch.nn",
        "torch.nn.init",
        "torch.nn.utils",
        "torch.nn.utils.rnn",
        "torch.nn.utils.parametrize",
        "torch.nn.utils.parametrizations",
        "torch.nn.utils.stateless",
        "torch.nn.utils.prune",
        "torch.nn.utils.fusion",
        "torch.nn.attention",
        "torch.nn.attention.flex_attention",
        "torch.nn.attention.bias",
        "torch.nn.parameter",
        "torch.nn.modules.module",
        "torch.ao.nn.quantized",
    ),
    "distributions": ("torch.distributions", "torch.distributions.kl", "torch.distributions.transforms"),
    "autograd": (
        "torch.autograd",
        "torch.autograd.functional",
        "torch.autograd.graph",
        "torch.autograd.forward_ad",
        "torch.autograd.profiler",
        "torch.func",
        "torch.utils.checkpoint",
    ),
    "optim": ("torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.amp", "torch.cuda.amp"),
    "data": ("torch.utils.data", "torch.utils.data.distributed"),
    "devices": (
        "torch.cuda",
        "torch.cuda.nvtx",
        "torch.cuda.memory",
        "torch.cpu",
        "torch.accelerator",
        "torch.backends",
        "torch.backends.cuda",
        "torch.backends.cudnn",
        "torch.backends.mps",
        "torch.backends.mkldnn",
        "torch.backends.mkl",
    ),
    "other": (
        "torch.distributed",
        "torch.distributed.tensor",
        "torch.distributed.nn.functional",
        "torch.distributed._functional_collectives",
        "torch.library",
        "torch.compiler",
        "torch._dynamo",
        "torch._dynamo.config",
        "torch._higher_order_ops",
        "torch.sparse",
        "torch.nested",
        "torch.masked",
        "torch.random",
        "torch.utils",
        "torch.utils._pytree",
        "torch.utils.dlpack",
        "torch.utils.cpp_extension",
        "torch.utils.flop_counter",
        "torch.utils.hooks",
        "torch.utils._python_dispatch",
        "torch.jit",
        "torch.overrides",
        "torch.profiler",
        "torch.onnx",
        "torch.export",
        "torch.fx",
        "torch.serialization",
        "torch.storage",
        "torch.testing",
        "torch.ao.quantization",
    ),
}
PRIVATE = {
    "torch": (
        "_assert", "_assert_async", "_check", "_check_is_size", "_check_index", "_check_type", "_check_value",
        "_check_tensor_all", "_check_not_implemented", "_check_with", "_foreach_add", "_foreach_add_", "_foreach_mul",
        "_foreach_mul_", "_foreach_norm", "_foreach_div_", "_foreach_sqrt", "_foreach_lerp_", "_foreach_addcmul_",
        "_foreach_addcdiv_", "_foreach_zero_", "_foreach_copy_", "_shape_as_tensor", "_softmax", "_log_softmax",
        "_weight_norm", "_dim_arange", "_cast_Float", "_is_zerotensor", "_standard_gamma", "_sample_dirichlet",
        "_scaled_mm", "_grouped_mm", "_int_mm", "_unique2", "_fused_sdp_choice", "_transformer_encoder_layer_fwd",
        "_native_multi_head_attention", "_trilinear", "_nested_tensor_from_mask", "_to_functional_tensor",
        "_has_compatible_shallow_copy_type", "_local_scalar_dense", "_reshape_from_tensor", "_stack",
    ),
    "torch.nn.functional": (
        "_in_projection_packed", "_canonical_mask", "_none_or_dtype", "_scaled_dot_product_attention",
        "_verify_batch_size", "_get_softmax_dim",
    ),
    "torch.jit": ("_overload", "_script_if_tracing", "_unwrap_optional"), "torch._higher_order_ops": (),
}  # fmt: skip
ALIASES = (("torch.jit.script_if_tracing", "torch.jit"), ("torch.cuda.comm", ""))
TENSOR_DUNDERS = {
    "__add__": "y + y2", "__radd__": "2 + y", "__sub__": "y - y2", "__rsub__": "2 - y", "__mul__": "y * y2",
    "__rmul__": "2 * y", "__truediv__": "y / y2", "__rtruediv__": "2 / y", "__floordiv__": "y // 2",
    "__rfloordiv__": "2 // y", "__mod__": "y % 2", "__pow__": "y ** 2", "__rpow__": "2 ** y", "__matmul__": "y @ y2",
    "__rmatmul__": "y2.__rmatmul__(y)", "__and__": "b & b", "__or__": "b | b", "__xor__": "b ^ b", "__invert__": "~b",
    "__neg__": "-y", "__pos__": "+y", "__abs__": "abs(y)", "__lshift__": "n << 1", "__rshift__": "n >> 1",
    "__eq__": "y == y2", "__ne__": "y != y2", "__lt__": "y < y2", "__le__": "y <= y2", "__gt__": "y > y2",
    "__ge__": "y >= y2", "__len__": "len(y)", "__bool__": "bool(s)", "__int__": "int(s)", "__float__": "float(s)",
    "__complex__": "complex(s)", "__index__": "flat[k]", "__contains__": "2.0 in y", "__iter__": "[q for q in y]",
    "__reversed__": "reversed(y)", "__hash__": "hash(y)", "__repr__": "repr(y)", "__str__": "str(y)",
    "__format__": "f'{y}'", "__getitem__": "y[0]", "__setitem__": "y[0] = 2.0\nr = y", "__delitem__": "del y[0]",
    "__iadd__": "y += y2\nr = y", "__isub__": "y -= y2\nr = y", "__imul__": "y *= y2\nr = y",
    "__itruediv__": "y /= y2\nr = y", "__ifloordiv__": "y //= 2\nr = y", "__imod__": "y %= 2\nr = y",
    "__ipow__": "y **= 2\nr = y", "__iand__": "b &= bv\nr = b", "__ior__": "b |= bv\nr = b",
    "__ixor__": "b ^= bv\nr = b", "__ilshift__": "n <<= 1\nr = n", "__irshift__": "n >>= 1\nr = n",
    "__array__": "y.__array__()", "__dir__": "dir(y)", "__deepcopy__": "copy.deepcopy(y)", "__copy__": "copy.copy(y)",
    "__dlpack__": "y.__dlpack__()", "__dlpack_device__": "y.__dlpack_device__()", "__nonzero__": "s.__nonzero__()",
    "__long__": "s.__long__()", "__reduce_ex__": "y.__reduce_ex__(2)", "__setstate__": "y.__setstate__({})",
    "__getitem__[mask]": "y[b]", "__getitem__[index]": "y[i]", "__getitem__[int tensor]": "y[k]",
    "__getitem__[slice]": "y[1:3]", "__getitem__[tensor slice]": "y[:k]", "__getitem__[none]": "y[None, :, 0]",
    "__setitem__[mask]": "y[b] = 0.0\nr = y", "__setitem__[mask tensor]": "y[b] = y2[b]\nr = y",
    "__setitem__[index]": "y[i] = 0.0\nr = y", "__setitem__[tensor slice]": "y[:k] = 0.0\nr = y",
    "__setitem__[int tensor]": "y[k] = 0.0\nr = y", "__setitem__[mask vector]": "y[b] = s\nr = y",
}  # fmt: skip
"""How the operators are written. Square brackets mark rows for one form of an operator's operand."""
METHODS_OF = (
    "torch.Generator",
    "torch.Size",
    "torch.device",
    "torch.dtype",
    "torch.finfo",
    "torch.iinfo",
    "torch.Event",
    "torch.Stream",
    "torch.UntypedStorage",
)
WITH_METHODS = ("torch.profiler.", "torch.library.", "torch.compiler.", "torch.utils.flop_counter.", "torch.jit.Future")
"""What begins like this has rows for its methods too, in the table `other`."""
CLASSES = (
    "torch.Tag", "torch.SymInt", "torch.SymFloat", "torch.SymBool", "torch.layout", "torch.memory_format",
    "torch.qscheme", "torch.DisableTorchFunction", "torch.DisableTorchFunctionSubclass", "torch.Future",
)  # fmt: skip
DISTRIBUTION_METHODS = (
    "sample", "rsample", "sample_n", "log_prob", "entropy", "cdf", "icdf", "expand", "enumerate_support",
    "perplexity", "mean", "mode", "variance", "stddev", "support", "batch_shape", "event_shape", "arg_constraints",
    "has_rsample", "probs", "logits", "log_abs_det_jacobian", "inv", "__call__",
)  # fmt: skip
INSTANCES = {"nn": "()", "optim": "", "data": ""}


def targets(table: str) -> Iterator[Target]:
    """Everything of one table, sorted by module."""
    if table == "tensor":
        yield from _tensor()
        return
    for name in MODULES[table]:
        module = _module(name)
        if module is None:
            continue
        for attribute in _public(module, name):
            value = getattr(module, attribute, None)
            if _foreign(module, name, attribute, value) or _internal(f"{name}.{attribute}", value):
                continue
            yield from _one(table, name, attribute, value)


def _module(name: str) -> Any:
    with contextlib.suppress(Exception):
        return importlib.import_module(name)
    return None


def _public(module: Any, name: str) -> list[str]:
    names = [n for n in dir(module) if not n.startswith("_")]
    return sorted({*names, *(n for n in PRIVATE.get(name, ()) if hasattr(module, n))})


def _foreign(module: Any, name: str, attribute: str, value: Any) -> bool:
    """Modules, typing's words, and what a module merely imported from elsewhere."""
    if isinstance(value, types.ModuleType) or not callable(value):
        return True
    home = getattr(value, "__module__", None)
    if isinstance(value, torch._ops.OpOverloadPacket | torch._ops.OpOverload) or not isinstance(home, str):
        return False
    if attribute in getattr(module, "__all__", ()):
        return False
    if name == "torch":
        return not home.startswith(("torch", "_VariableFunctions")) or home.startswith("torch._inductor")
    return not home.startswith((name, "torch._C", name.replace("torch.", "torch._")))


def _internal(name: str, value: Any) -> bool:
    """Classes of TorchScript's implementation that the top level shows, and those of typed tensors and storages."""
    if name.startswith(("torch.cuda.", "torch.sparse.")) and name.endswith(("Storage", "Tensor")):
        return True
    return isinstance(value, type) and value.__module__ == "torch._C" and name not in (*METHODS_OF, *CLASSES)


def _one(table: str, module: str, attribute: str, value: Any) -> Iterator[Target]:
    name = f"{module}.{attribute}"
    root = module if module.count(".") else "torch"
    outside = ("group()",) if module.startswith("torch.distributed") and table == "other" else ()
    made = Target(table, name, name, "torch", value, imports=f"import {root}", outside=outside)
    yield made
    if isinstance(value, type):
        yield from _instances(made, value)


def _instances(made: Target, value: type) -> Iterator[Target]:
    if made.table == "nn" and issubclass(value, torch.nn.Module):
        yield Target(
            "nn", f"{made.name}()", "o", "torch", _forward(value), owner=made.name, method=True, imports=made.imports
        )
    for method in _methods(made, value):
        function = getattr(value, method, None)
        form = "call" if callable(function) else "attribute"
        if isinstance(function, type):
            continue
        yield Target(
            made.table, f"{made.name}.{method}", f"o.{method}", "torch", function, form, made.name, True, made.imports
        )


def _called(made: Target, function: Any) -> bool:
    """Distributions have properties that are callable, for another purpose."""
    return inspect.isfunction(function) if made.table == "distributions" else callable(function)


def _forward(value: type) -> Any:
    """The signature of an instance without `self`."""
    return getattr(value, "forward", None)


def _methods(made: Target, value: type) -> list[str]:
    if _without_methods(made, value):
        return []
    if made.table == "distributions":
        own = {name for cls in value.__mro__ for name in vars(cls)}
        return [name for name in DISTRIBUTION_METHODS if name in own]
    base = set(dir(torch.nn.Module)) if issubclass(value, torch.nn.Module) and value is not torch.nn.Module else set()
    names = [name for name in dir(value) if not name.startswith("_") and name not in base and name != "forward"]
    if issubclass(value, torch.optim.Optimizer):
        return [n for n in ("step", "zero_grad", "state_dict", "load_state_dict", "add_param_group") if n in names]
    own = {n for cls in value.__mro__ if cls.__module__.startswith("torch") for n in vars(cls)}
    return [n for n in names if (n in own or made.table == "torch") and not _member(value, n)]


def _without_methods(made: Target, value: type) -> bool:
    """Classes whose instances nobody holds in a model, or whose methods have rows under another name."""
    if issubclass(value, BaseException | torch.Tensor | torch.autograd.Function | enum.Enum | torch.jit.ScriptModule):
        return True
    if (
        ("Storage" in value.__name__ and made.name not in METHODS_OF)
        or type(value).__name__ == "tensortype"
        or "quantization" in made.name
    ):
        return True
    if value is torch.nn.Module and made.name != "torch.nn.Module":
        return True
    if made.table == "other":
        return not made.name.startswith(WITH_METHODS)
    return made.table == "torch" and made.name not in METHODS_OF


def _tensor() -> Iterator[Target]:
    for name, text in TENSOR_DUNDERS.items():
        yield Target("tensor", f"torch.Tensor.{name}", text, "torch", form="expression")
    for name in sorted(n for n in dir(torch.Tensor) if not n.startswith("_")):
        value = getattr(torch.Tensor, name, None)
        form = "call" if callable(value) else "attribute"
        yield Target("tensor", f"torch.Tensor.{name}", f"y.{name}", "torch", value, form, method=True)


def _member(cls: type, name: str) -> bool:
    """Whether the attribute is an instance of the class, as members of enumerations are."""
    return type(getattr(cls, name, None)) is cls
