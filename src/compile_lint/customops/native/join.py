"""What several files say of one operator becomes one; a library handed to a function keeps its namespace."""

from __future__ import annotations

import re
from collections import defaultdict

from compile_lint.customops.native.found import Binding, Definition, Found, Implementation, Owner
from compile_lint.customops.native.registrations import plain_key
from compile_lint.customops.native.values import (
    NativeClass,
    NativeError,
    NativeKernel,
    NativeModule,
    NativeOperator,
    NativeSide,
)

_Name = tuple[str, str]
_MACRO = re.compile(r"\b[A-Z][A-Z0-9]+_[A-Z0-9_]+|[^\w:]")
"""A namespace that the preprocessor makes: by a macro's name, or by its call."""


def joined(found: Found) -> NativeSide:
    """All files together."""
    owners = _Owners(found)
    errors = list(found.errors)
    definitions: dict[_Name, dict[tuple[str, int], tuple[Definition, Owner]]] = {}
    for definition in found.definitions:
        for owner in owners.of(definition.owner):
            name = _full(definition.name, owner)
            if not name:
                errors.append(_lost(definition, "def"))
                continue
            places = definitions.setdefault((name, definition.overload), {})
            places.setdefault((definition.path, definition.line), (definition, owner))
    kernels: dict[_Name, list[NativeKernel]] = defaultdict(list)
    lost = {error[:2] for error in errors}
    for one in found.implementations:
        for owner in owners.of(one.owner):
            if name := _full(one.name, owner):
                key = plain_key(one.key or owner.key)
                kernel = NativeKernel(key, one.function, one.path, one.line, one.touches_memory)
                kernels[name, one.overload].append(kernel)
            elif (one.path, one.line) not in lost:
                errors.append(_lost(one, "impl"))
    operators = [
        _operator(key, [*definitions.get(key, {}).values()], sorted(set(kernels[key]), key=_place))
        for key in sorted({*definitions, *kernels})
    ]
    return NativeSide(tuple(operators), _modules(found, owners), _classes(found.classes), tuple(sorted(set(errors))))


def _place(kernel: NativeKernel) -> tuple[str, int, str]:
    return kernel.path, kernel.line, kernel.key


def _full(name: str, owner: Owner) -> str:
    if "::" in name:
        return name
    return f"{owner.namespace}::{name}" if owner.namespace and owner.namespace != "_" else ""


def _lost(one: Definition | Implementation, method: str) -> NativeError:
    words = f"`{method}` of `{one.name}` in `{one.owner.function}`, which no TORCH_LIBRARY block is seen to call"
    words += "; it is not listed"
    if not one.owner.function:
        words = f"`{method}` of `{one.name}` names no namespace; it is not listed"
    return NativeError(one.path, one.line, words)


class _Owners:
    """Which blocks hand their library to which function, over any number of functions."""

    def __init__(self, found: Found) -> None:
        self._callers: dict[str, dict[Owner, None]] = defaultdict(dict)
        for passed in found.passed:
            self._callers[passed.function][passed.owner] = None

    def of(self, owner: Owner) -> list[Owner]:
        """The blocks that an owner stands for: itself, or those that lead to the function; itself if none is seen."""
        if not owner.function:
            return [owner]
        blocks: dict[Owner, None] = {}
        seen: dict[str, None] = {owner.function: None}
        left = [owner.function]
        while left:
            for caller in self._callers.get(left.pop(), ()):
                if not caller.function:
                    blocks[caller] = None
                elif caller.function not in seen:
                    seen[caller.function] = None
                    left.append(caller.function)
        return list(blocks) or [owner]


def _operator(key: _Name, definitions: list[tuple[Definition, Owner]], kernels: list[NativeKernel]) -> NativeOperator:
    name, overload = key
    if not definitions:
        first = kernels[0]
        return NativeOperator(name, overload, "", first.path, first.line, tuple(kernels), note=_of_name(name))
    definition, owner = definitions[0]
    others = tuple((one.path, one.line) for one, _ in definitions[1:])
    notes = [definition.note, "" if definition.note else _of_name(name), _differing(definitions)]
    if not definition.schema:
        notes.append("torch infers its schema from the function")
    module = next((one.python_module for one, _ in definitions if one.python_module), "")
    return NativeOperator(
        name,
        overload,
        definition.schema,
        definition.path,
        definition.line,
        tuple(kernels),
        _declared_by(owner.macro),
        module,
        "; ".join(filter(None, notes)),
        others,
    )


def _of_name(name: str) -> str:
    namespace = name.rpartition("::")[0]
    return f"`{namespace}` is kept as text" if _MACRO.search(namespace) else ""


def _differing(definitions: list[tuple[Definition, Owner]]) -> str:
    first = "".join(definitions[0][0].schema.split())
    for one, _ in definitions[1:]:
        if "".join(one.schema.split()) != first:
            return f"defined with another schema at {one.path}:{one.line}"
    return ""


def _declared_by(macro: str) -> str:
    """The macro of torch's that a block is made by: `TORCH_LIBRARY_EXPAND` and others of a project stand for one."""
    if macro in ("", "RegisterOperators"):
        return macro or "TORCH_LIBRARY"
    stable = "STABLE_" if "STABLE_" in macro else ""
    return f"{stable}TORCH_LIBRARY{'_FRAGMENT' if 'FRAGMENT' in macro else ''}"


def _modules(found: Found, owners: _Owners) -> tuple[NativeModule, ...]:
    places = {(owner.namespace, path): line for owner, path, line in found.modules}
    functions: dict[tuple[str, str], list[tuple[str, int]]] = {key: [] for key in places}
    for binding in found.bindings:
        for owner in owners.of(binding.owner):
            name = _module_name(binding, owner)
            places.setdefault((name, binding.path), binding.line)
            functions.setdefault((name, binding.path), []).append((binding.name, binding.line))
    return tuple(
        NativeModule(name, tuple(sorted(set(functions[name, path]), key=_by_line)), path, places[name, path])
        for name, path in sorted(functions)
    )


def _by_line(function: tuple[str, int]) -> tuple[int, str]:
    return function[1], function[0]


def _module_name(binding: Binding, owner: Owner) -> str:
    """A function that no module is seen to call binds for one whose name is not known."""
    return f"{owner.namespace or '?'}.{binding.submodule}".rstrip(".")


def _classes(classes: list[NativeClass]) -> tuple[NativeClass, ...]:
    """Each class once, with all its methods, at the place where it is first named."""
    parts: dict[str, list[NativeClass]] = defaultdict(list)
    for one in classes:
        parts[one.name].append(one)
    return tuple(_merged(name, parts[name]) for name in sorted(parts))


def _merged(name: str, parts: list[NativeClass]) -> NativeClass:
    first = next((part for part in parts if not part.methods), parts[0])
    methods = dict.fromkeys(method for part in parts for method in part.methods)
    return NativeClass(name, first.path, first.line, tuple(methods))
