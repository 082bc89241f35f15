"""`--torch-config KEY=VALUE` and `--device`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import TORCH_BY_NAME
from compile_lint.config.nearest import hint
from compile_lint.confirm.targets.specs import DTYPES, SHORT, dtype_name

Setting = str | int | float | bool

_DEVICE = re.compile(r"auto|cpu|cuda(?::\d+)?")
_KEY = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def torch_config(texts: Sequence[str], place: str) -> dict[str, Setting]:
    """Settings of torch._dynamo.config. Whether torch has them only the worker can say.

    Raises:
        ConfigError: not of the form KEY=VALUE, or a key given twice with different values.
    """
    found: dict[str, Setting] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().removeprefix("torch._dynamo.config.")
        if not equals or not _KEY.fullmatch(name):
            raise ConfigError(f"{place}: {text!r}: at 1: expected KEY=VALUE, such as capture_scalar_outputs=true")
        given = _setting(value.strip())
        if name in found and found[name] != given:
            raise ConfigError(f"{place}: {name} is {found[name]!r} and {given!r}; give it once")
        found[name] = given
    return found


def checked_config(values: dict[str, Setting], place: str) -> dict[str, Setting]:
    """The settings, those that are known here held against their types.

    Raises:
        ConfigError: true or false where a number belongs, or the other way round.
    """
    for name, given in values.items():
        known = TORCH_BY_NAME.get(name)
        if known is not None and type(given) is not type(known.default):
            expected = "true or false" if isinstance(known.default, bool) else "a whole number"
            raise ConfigError(f"{place}: {name}: must be {expected}, not {given!r}")
    return values


def _setting(text: str) -> Setting:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text


def device(text: str, place: str) -> str:
    """`auto`, `cpu`, `cuda` or `cuda:1`.

    Raises:
        ConfigError: anything else.
    """
    if not _DEVICE.fullmatch(text):
        raise ConfigError(f"{place}: {text!r} is not valid{hint(text, ('auto', 'cpu', 'cuda', 'cuda:0', 'cuda:1'))}")
    return text


def dtype(text: str, place: str) -> str:
    """torch's name of a floating-point dtype; empty stays empty.

    Raises:
        ConfigError: no dtype, or none that parameters can have.
    """
    if not text:
        return ""
    name = dtype_name(text)
    if name is None:
        raise ConfigError(f"{place}: unknown dtype {text!r}{hint(text, [*DTYPES, *SHORT])}")
    if not name.startswith(("float", "bfloat")):
        raise ConfigError(f"{place}: {text!r} is no floating-point dtype; parameters need one, such as 'bfloat16'")
    return name
