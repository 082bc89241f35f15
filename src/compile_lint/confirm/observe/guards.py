"""Says in words what a failed guard means, and which input it is about. No torch in here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_DTYPES = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
    "Short": "int16",
    "Char": "int8",
    "Byte": "uint8",
    "Bool": "bool",
    "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}
_SCOPE = re.compile(r"\b[LG]\['([^']+)'\]")
_ITEM = re.compile(r"\._(?:modules|parameters|buffers)\['([^']+)'\]")
_ARRAY = re.compile(r"___from_numpy\((\w+)\)")
_UNNAMED = re.compile(r"___stack\d+")
"""A value that was computed before a graph break and that the function goes on with."""
_CLASS = re.compile(r"type=<class '([^']+)'>")
_NAME = r"(?P<name>[\w.\[\]'\"]+(?:\(\))?)"
_TENSOR = re.compile(
    r"tensor '(?P<name>.+?)' (?P<what>size|stride|rank|dtype|requires_grad) mismatch(?: at index (?P<index>\d+))?\."
    r"\s*expected (?:requires_grad=)?(?P<old>[^,]+)(?:, actual (?P<new>.+))?"
)
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?|-?inf|nan|(?:float\(.+\))")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A guard in words; `subject` is what it is about (`x.size(0)`); `number` says it is a size or a plain number."""

    words: str
    subject: str = ""
    number: bool = False


def readable(text: str) -> str:
    """The names as the user wrote them: `L['x']` is `x`."""
    return _ARRAY.sub(r"\1", _ITEM.sub(r".\1", _SCOPE.sub(r"\1", text)))


def meaning(guard: str, hint: str = "") -> Meaning:
    """What the guard means; a form that is not known is repeated as it is."""
    text = readable(guard)
    found = _tensor(text) or next((said for read in _FORMS if (said := read(text)) is not None), None)
    found = found or Meaning(f"`{text}` no longer holds", _leading_name(text))
    if hint.startswith("torch.compile considers integer attributes"):
        found = Meaning(
            f"{found.words}; torch.compile takes integer attributes of a module for constants", found.subject
        )
    if "duck sizing" in hint:
        found = replace(found, words=f"{found.words}; sizes that are equal at first are taken to stay equal")
    if _UNNAMED.search(found.words):
        words = _UNNAMED.sub("a value from before the graph break", found.words)
        return Meaning(words, "", found.number)
    return found


def _tensor(text: str) -> Meaning | None:
    found = _TENSOR.match(text)
    if found is None:
        return None
    name, old, new = found["name"], found["old"].strip(" ."), (found["new"] or "").strip()
    if found["what"] in ("size", "stride"):
        subject = f"{name}.{found['what']}({found['index']})"
        return Meaning(f"{subject} was {old} and is now {new}", subject, number=found["what"] == "size")
    if found["what"] == "rank":
        return Meaning(f"{name} had {old} dimensions and now has {new}", f"{name}.dim()")
    if found["what"] == "dtype":
        old, new = _DTYPES.get(old, old), _DTYPES.get(new, new)
        return Meaning(f"{name}.dtype was {old} and is now {new}", f"{name}.dtype")
    needed = old == "1"
    return Meaning(f"{name} {'no longer needs' if needed else 'now needs'} a gradient", f"{name}.requires_grad")


def _length(text: str) -> Meaning | None:
    found = re.match(r"len\((?P<name>.+?)\) [!=]= (?P<old>\d+)$", text)
    return (
        Meaning(f"the length of {found['name']} is no longer {found['old']}", f"len({found['name']})")
        if found
        else None
    )


def _none(text: str) -> Meaning | None:
    found = re.match(rf"{_NAME} (?:is|==) None$", text)
    if found:
        return Meaning(f"{found['name']} is no longer None", found["name"])
    found = re.match(rf"{_NAME} (?:is not|!=) None$", text)
    return Meaning(f"{found['name']} is now None", found["name"]) if found else None


def _empty(text: str) -> Meaning | None:
    found = re.match(rf"not {_NAME}$", text)
    return Meaning(f"{found['name']} is no longer empty or false", found["name"]) if found else None


def _global_state(text: str) -> Meaning | None:
    if text.startswith("GLOBAL_STATE changed"):
        changed = text.partition(":")[2].strip()
        return Meaning(f"global state of torch changed: {changed}" if changed else "global state of torch changed")
    if "CURRENT_DEVICE" in text:
        return Meaning("the default device changed")
    return None


def _equal(text: str) -> Meaning | None:
    found = re.match(rf"{_NAME} (?:==|is) (?P<old>.+)$", text)
    if found is None:
        return None
    name, old = found["name"], found["old"]
    if ".size()" in old or ".size()" in name:
        return None
    return Meaning(f"{name} is no longer {old}", name, number=_NUMBER.fullmatch(old) is not None)


def _identity(text: str) -> Meaning | None:
    found = re.match(r"___check_(?P<what>type_id|obj_id)\((?P<name>.+?), \d+\)", text)
    if found is None:
        return None
    kind = _CLASS.search(text)
    name = found["name"]
    if found["what"] == "type_id":
        return Meaning(
            f"{name} is no longer of type {kind[1]}" if kind else f"{name} is of another type", f"type({name})"
        )
    if name.endswith(".__code__"):
        function = name.removesuffix(".__code__")
        return Meaning(f"{function} is another function", function)
    return Meaning(f"{name} is another object{f' ({kind[1]})' if kind else ''}", name)


def _tensor_type(text: str) -> Meaning | None:
    found = re.match(r"expected type of '(?P<name>.+?)' to be a tensor type, '? ?but found <class '(?P<new>.+)'>", text)
    return Meaning(f"{found['name']} is now a {found['new']}", f"type({found['name']})") if found else None


def _sizes(text: str) -> Meaning | None:
    found = re.search(r"([\w.\[\]'\"]+)\.size\(\)\[(\d+)\]", text)
    if found is None:
        return None
    plain = re.sub(r"\.size\(\)\[(\d+)\]", r".size(\1)", text)
    return Meaning(f"{plain} no longer holds", f"{found[1]}.size({found[2]})", number=True)


_FORMS = (_global_state, _length, _none, _empty, _equal, _identity, _tensor_type, _sizes)


def _leading_name(text: str) -> str:
    found = re.match(r"(?:\w+\()*(?P<name>[A-Za-z_][\w.]*)", text)
    return found["name"] if found and not found["name"].startswith("___") else ""
