"""Where the files that the package carries lie: beside the code in a wheel, at the top level in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def rules_root() -> Path:
    """The folder of rule files and fact tables. It may be missing in a damaged installation: callers say so."""
    packed = _PACKAGE / "_rules"
    return packed if packed.is_dir() else _PACKAGE.parents[1] / "rules"


def json_schema() -> Path:
    """The JSON schema of `--format json`."""
    return _PACKAGE / "report" / "schema.json"
