"""The commented configuration that `init` writes."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.config.business_keys import BUSINESS_KEYS
from compile_lint.config.keys import BY_NAME, KEYS, TORCH_KEYS, Key
from compile_lint.config.target_keys import TARGET_KEYS

_HEAD = """\
# Configuration of compile-lint, which predicts what breaks under torch.compile.
# Every line that is commented out shows the default, or an example where the default is empty.
# The same keys go into pyproject.toml, under [tool.compile-lint]. `compile-lint --show-settings` prints those in force.
"""


def template() -> str:
    """The text of compile-lint.toml: each key with what it does, commented out."""
    parts = [_HEAD]
    tables = []
    for key in KEYS:
        if key.name in ("torch-config", "target", "business"):
            continue
        if key.shape == "ignores":
            tables.append(_table(key))
        else:
            parts.append(f"# {key.help}{_choices(key)}\n# {key.name} = {_toml(_value(key))}\n")
    torch = "\n".join(f"# {key.help}\n# {key.name} = {_toml(key.default)}" for key in TORCH_KEYS)
    tables.append(f"# {BY_NAME['torch-config'].help} They change what breaks.\n[torch-config]\n{torch}\n")
    tables.append(_targets())
    tables.append(_business())
    return "\n".join([*parts, *tables])


def _targets() -> str:
    """The table of one target; commented out with its head, for each says something of its own."""
    head = (
        "# What `compile-lint confirm` runs, a table each. Only `target` must be there; where it brings no inputs of\n"
        "# its own, `input` or `inputs` says what it is called with.\n# [[target]]\n"
    )
    rows = ((key, key.default if key.example is None else key.example) for key in TARGET_KEYS)
    return head + "".join(
        f"# # {key.help}{_one_of(key.choices)}\n# {key.name} = {_toml(value)}\n" for key, value in rows
    )


def _business() -> str:
    """The table of money and traffic; it comes last, its head commented out."""
    head = "# Money and traffic of the service, for `compile-lint decide` and `compile-lint report`.\n# [business]\n"
    rows = ((key, key.default if key.example is None else key.example) for key in BUSINESS_KEYS)
    return head + "".join(f"# # {key.help}\n# {key.name} = {_toml(value)}\n" for key, value in rows)


def _table(key: Key) -> str:
    value = _value(key)
    rows = value.items() if isinstance(value, dict) else ()
    return f"# {key.help}\n[{key.name}]\n" + "".join(f"# {_toml(name)} = {_toml(codes)}\n" for name, codes in rows)


def _value(key: Key) -> object:
    return key.default if key.example is None else key.example


def _choices(key: Key) -> str:
    return _one_of(key.choices) if key.shape == "choice" else ""


def _one_of(choices: Sequence[str]) -> str:
    return f" One of: {', '.join(choices)}." if choices else ""


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + " }" if value else "{}"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
