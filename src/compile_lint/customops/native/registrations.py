"""What single calls register: `m.def`, `m.impl`, `.op(...)` of RegisterOperators, `class_`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from compile_lint.customops.native.bodies import Bodies
from compile_lint.customops.native.found import Definition, Found, Implementation, Owner
from compile_lint.customops.native.syntax import Call, Text, calls
from compile_lint.customops.native.values import CATCH_ALL, NativeClass, NativeError

_KEY = re.compile(r"DispatchKey::(\w+)")
_SHORT_KEY = re.compile(r"(?:(?:torch|c10|at)::)?k(CPU|CUDA|HIP|XPU|MPS|XLA|Meta|HPU|IPU|PrivateUse1|MTIA)\s*\Z")
_DISPATCHED = re.compile(r"(?:(?:torch|c10)::)?dispatch\(\s*(?:\w+::)*k?(\w+)\s*,")
_NAME = re.compile(r"\s*(?:(.*?)\s*::\s*)?([^\s.():]*)(?:\.([^\s().]+))?\s*\Z", re.DOTALL)
_OLD_KERNEL = re.compile(r"kernel\s*<\s*(?:decltype\s*\(.*?\)\s*,\s*)?(&?[\w:]+)")
_SAME = {"CatchAll": CATCH_ALL, "Math": CATCH_ALL, "DefaultBackend": "CompositeExplicitAutograd", "HIP": "CUDA"}
"""Keys by older names (c10/core/DispatchKey.h), and HIP, whose tensors say that they are CUDA's."""


Line: TypeAlias = Callable[[int], int]
"""The line of a position in the text."""


@dataclass(slots=True)
class Site:
    """Where calls stand, and what is noted of them."""

    path: str
    found: Found
    bodies: Bodies
    constants: Mapping[str, str]
    """Names that stand for text."""
    python_module: str = ""
    """As the block has said so far."""

    def fail(self, line: int, message: str) -> None:
        """Note what is left out."""
        self.found.errors.append(NativeError(self.path, line, message))


def library_call(site: Site, owner: Owner, call: Call, line: int) -> None:
    """A call of a library's method, or of a class that a library registers."""
    of_class = call.first if call.first is not None and call.first.method == "class_" else None
    first = call.text(0, site.constants)
    if first is None or (call.method not in ("def", "define", "impl", "class_") and of_class is None):
        return
    if call.method == "class_":
        site.found.classes.append(NativeClass(f"{owner.namespace}::{first.value}", site.path, line))
    elif of_class is not None:
        name = of_class.text(0, site.constants)
        if name is not None:
            _method(site, f"{owner.namespace}::{name.value}", first, call.method, line)
    elif not first.literals:
        words = f"`{call.method}` of an operator whose name is made at run time, `{call.source(0)}`; it is not listed"
        site.fail(line, words)
    elif call.method == "impl":
        _implement(site, owner, call, first, line)
    else:
        _define(site, owner, call, first, line)


def _define(site: Site, owner: Owner, call: Call, text: Text, line: int) -> None:
    made = _definition(site, owner, text, line)
    site.found.definitions.append(made)
    rest = call.sources[1:]
    function = next((source for source in rest if not _tags(source)), "")
    if function:
        key = next(filter(None, map(_key, rest)), "")
        _add_kernel(site, owner, (made.name, made.overload), key, function, line)


def _implement(site: Site, owner: Owner, call: Call, text: Text, line: int) -> None:
    rest = call.sources[1:]
    key = next(filter(None, map(_key, rest)), "")
    functions = [
        source for source in rest if not _SHORT_KEY.match(source) and not re.fullmatch(r"[\w:]*Key::\w+", source)
    ]
    _add_kernel(site, owner, _split_name(text.value), key, functions[0] if functions else "", line)


def _add_kernel(
    site: Site, owner: Owner, name: tuple[str, str], key: str, function: str, line: int, touches: bool | None = None
) -> None:
    touches = site.bodies.touches_memory(function) if touches is None else touches
    made = Implementation(owner, *name, _SAME.get(key, key), _short(function), site.path, line, touches)
    site.found.implementations.append(made)


def plain_key(key: str) -> str:
    """A key as torch names it now; the one of kernels without a key if empty."""
    return _SAME.get(key, key) or CATCH_ALL


def _short(function: str) -> str:
    """A lambda without its body."""
    return function[: function.index("{")].rstrip() + " {...}" if "{" in function and "[" in function else function


def _definition(site: Site, owner: Owner, text: Text, line: int) -> Definition:
    name, overload = _split_name(text.value.partition("(")[0])
    schema = text.value if "(" in text.value else ""
    note = f"{_listed(text.names)} kept as text" if text.names else ""
    return Definition(owner, name, overload, schema, note, site.python_module, site.path, line)


def _listed(names: tuple[str, ...]) -> str:
    shown = [f"`{name}`" for name in dict.fromkeys(names)]
    return f"{', '.join(shown)} {'is' if len(shown) == 1 else 'are'}"


def _split_name(text: str) -> tuple[str, str]:
    """The name, with its namespace where it says one, and the overload."""
    match = _NAME.match(text)
    if match is None:
        return text.strip(), ""
    return (f"{match[1].strip()}::{match[2]}" if match[1] else match[2]), match[3] or ""


def _key(argument: str) -> str:
    """The dispatch key that an argument is, or has in `torch::dispatch(key, f)`; empty if none."""
    before_body = argument.partition("{")[0] if "[" in argument else argument
    match = _SHORT_KEY.match(before_body) or _DISPATCHED.match(before_body) or _KEY.search(before_body)
    return match.group(1) if match else ""


def _tags(argument: str) -> bool:
    """Tags are no function: `{at::Tag::pt2_compliant_tag}`, or a variable that is named after them; keys neither."""
    if "[" in argument and "(" in argument:
        return False
    return "Tag::" in argument or "tags" in argument.lower() or argument.startswith("{") or not argument


def old_call(site: Site, call: Call, line: int) -> None:
    """`.op("ns::f(...) -> ...", options)`, `RegisterOperators("ns::f", &f)`, and `Operator("...", f)` in its list."""
    direct = (
        call.method.rpartition("::")[2] in ("RegisterOperators", "Operator") and not call.receiver and call.arguments
    )
    if call.method != "op" and not direct:
        return
    owner = Owner("", "", "RegisterOperators")
    sources = call.sources
    everything = " ".join(sources)
    first = call.text(0, site.constants)
    if first is None or not first.literals:
        schema = re.search(r"\.schema\(\s*\"((?:[^\"\\]|\\.)*)\"", everything)
        if schema is None:
            if call.method == "op":
                site.fail(
                    line, f"`op` of an operator whose name is made at run time, `{call.source(0)}`; it is not listed"
                )
            return
        first, rest = Text(schema.group(1), (), 1), everything
    else:
        rest = " ".join(sources[1:])
    made = _definition(site, owner, first, line)
    site.found.definitions.append(made)
    if rest:
        _old_kernels(site, owner, (made.name, made.overload), rest, line)


def _old_kernels(site: Site, owner: Owner, name: tuple[str, str], rest: str, line: int) -> None:
    functions = _OLD_KERNEL.findall(rest)
    keys = _KEY.findall(rest) or [CATCH_ALL]
    for index, key in enumerate(keys):
        function = functions[index] if index < len(functions) else functions[-1] if functions else rest
        _add_kernel(site, owner, name, key, function, line)


def class_statement(site: Site, piece: str, line: int) -> None:
    """`torch::class_<T>("ns", "Name").def(...)`, or the declaration of a variable of this type."""
    declared = re.match(r"(torch::(?:jit::)?class_\s*<[^;()]*>)\s*\w*\s*(?=\()", piece)
    before = "auto _ = "
    call_ = f"{declared[1]}{piece[declared.end() :]}" if declared else piece
    for call in calls(before + call_):
        made = call if call.method.endswith("class_") else call.first
        if made is None or not made.method.endswith("class_") or len(made.arguments) < 2:
            continue
        namespace, name = made.text(0, site.constants), made.text(1, site.constants)
        if namespace is None or name is None:
            continue
        full = f"{namespace.value}::{name.value}"
        if call is made:
            site.found.classes.append(NativeClass(full, site.path, line))
        elif (first := call.text(0, site.constants)) is not None:
            _method(site, full, first, call.method, line)


def _method(site: Site, name: str, method: Text, kind: str, line: int) -> None:
    if kind in ("def", "def_static", "def_property", "def_readwrite", "def_readonly") and not method.names:
        site.found.classes.append(NativeClass(name, site.path, line, (method.value,)))
