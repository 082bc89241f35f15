"""What the files of all baselines have in common: JSON with a version, and paths relative to its own folder."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from compile_lint.config.errors import ConfigError

VERSION = 1
PLACE = "--baseline"
_INSTALLED = re.compile(r"(?:site|dist)-packages[/\\]")


def document(path: Path) -> dict[str, Any]:
    """The JSON of a baseline.

    Raises:
        ConfigError: it cannot be read or is no baseline.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{PLACE}: {path}: no such file; --write-baseline makes one") from None
    except OSError as error:
        raise ConfigError(f"{PLACE}: {path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{PLACE}: {path}: is not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise ConfigError(f"{PLACE}: {path}: is no baseline of this compile-lint; --write-baseline makes one")
    return found


def named(path: str, baseline: Path) -> str:
    """What a file is called in the baseline at that path: relative to its folder, with `/`.

    A file of an installed package is named from its package on, wherever that is installed.
    """
    absolute = os.path.realpath(path)
    installed = list(_INSTALLED.finditer(absolute))
    if installed:
        return absolute[installed[-1].end() :].replace(os.sep, "/")
    folder = os.path.realpath(os.path.dirname(os.path.abspath(baseline)))
    try:
        return os.path.relpath(absolute, folder).replace(os.sep, "/")
    except ValueError:  # another drive
        return absolute.replace(os.sep, "/")
