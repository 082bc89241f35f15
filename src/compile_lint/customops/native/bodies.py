"""Whether a kernel's function, where its body stands in the same file, asks tensors for memory that fake ones lack."""

from __future__ import annotations

import re

from compile_lint.customops.native.text import LONGEST_ARGUMENTS, closing

_MEMORY = re.compile(
    r"\b(?:(?:mutable_|const_)?data_ptr|packed_accessor(?:32|64)?|accessor|item|storage|unsafeGetTensorImpl)\s*[<(]"
    r"|(?:\.|->)\s*data\s*<|\b(?:mutable_|const_)data_ptr\b"
)
_OPENING = re.compile(r"\b(\w+)\s*\(")
_AFTER = re.compile(r"(?:\s|const\b|noexcept\b|->\s*[\w:<>,\s]+?)*\{")
_WRAPPED = re.compile(r"\b(?:TORCH_FN|TORCH_FN_TYPE|TORCH_BOX|TORCH_FN_AUTOGRAD)\s*\(\s*&?\s*([\w:]+)")
_NAME = re.compile(
    r"&?\s*(?:(?:static_cast|decltype)\s*<.*>\s*\(\s*)?&?\s*((?:\w+::)*\w+)\s*(?:<.*>)?\s*\)*\Z", re.DOTALL
)


class Bodies:
    """The functions of one file, found when asked for."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._known: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}

    def touches_memory(self, function: str) -> bool:
        """Of a lambda, or of the function that the expression names."""
        if "{" in function and "[" in function:
            return _MEMORY.search(function) is not None
        name = function_name(function)
        if not name:
            return False
        if name not in self._known:
            self._known[name] = any(_MEMORY.search(self._code, *body) for body in self._bodies(name))
        return self._known[name]

    def _bodies(self, name: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        if not self._places:
            for match in _OPENING.finditer(self._code):
                self._places.setdefault(match[1], []).append(match.end() - 1)
        for opening in self._places.get(name, ()):
            close = closing(self._code, opening, opening + LONGEST_ARGUMENTS)
            body = _AFTER.match(self._code, close, close + 500)
            if body is not None:
                found.append((body.end(), closing(self._code, body.end() - 1)))
                if len(found) == 8:
                    break
        return found


def function_name(function: str) -> str:
    """The last part of the name that an expression for a function ends in; empty where none is seen."""
    wrapped = _WRAPPED.search(function)
    if wrapped is not None:
        return wrapped[1].rpartition("::")[2]
    last = function.rpartition(",")[2].strip() if "dispatch(" in function else function
    match = _NAME.search(last.rstrip(") ") if last.count(")") > last.count("(") else last)
    return match[1].rpartition("::")[2] if match else ""
