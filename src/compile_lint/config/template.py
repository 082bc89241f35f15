"""The commented configuration that `init` writes."""

from __future__ import annotations

from compile_lint.config.keys import BY_NAME, KEYS, TORCH_KEYS, Key

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
        if key.name == "torch-config":
            continue
        if key.shape == "ignores":
            tables.append(_table(key))
        else:
            parts.append(f"# {key.help}{_choices(key)}\n# {key.name} = {_toml(_value(key))}\n")
    torch = "\n".join(f"# {key.help}\n# {key.name} = {_toml(key.default)}" for key in TORCH_KEYS)
    tables.append(f"# {BY_NAME['torch-config'].help} They change what breaks.\n[torch-config]\n{torch}\n")
    return "\n".join([*parts, *tables])


def _table(key: Key) -> str:
    value = _value(key)
    rows = value.items() if isinstance(value, dict) else ()
    return f"# {key.help}\n[{key.name}]\n" + "".join(f"# {_toml(name)} = {_toml(codes)}\n" for name, codes in rows)


def _value(key: Key) -> object:
    return key.default if key.example is None else key.example


def _choices(key: Key) -> str:
    return f" One of: {', '.join(key.choices)}." if key.choices and key.shape == "choice" else ""


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
