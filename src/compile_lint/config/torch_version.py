"""Which torch the predictions are for."""

from __future__ import annotations

import os
import re
import sys

from compile_lint.config.errors import ConfigError
from compile_lint.settings import NEWEST_TORCH, OLDEST_TORCH

# 2.13 · 2.13.0 · 2.13.0+cpu · 2.14.0.dev20260101+cu130 · 2.13.0a0+git1234 (a build from source) · 2.13.0rc1
_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.?dev\d+)?(?:\+[\w.\-]+)?")


def parse(text: str, place: str) -> str:
    """`major.minor` of a version as people write it.

    Raises:
        ConfigError: it is no version, or older than the rules speak of. `place` names the option or the key.
    """
    number = _numbers(text)
    if number is None:
        raise ConfigError(f"{place}: {text!r} is not a torch version; write it as {NEWEST_TORCH} or {NEWEST_TORCH}.0")
    if number < _known(OLDEST_TORCH):
        raise ConfigError(f"{place}: torch {text} is too old; the oldest supported is {OLDEST_TORCH}")
    return "{}.{}".format(*number)


def installed() -> str | None:
    """`major.minor` of the torch installed beside the tool, from its metadata alone, or None."""
    number = _numbers(_version_beside())
    return None if number is None else "{}.{}".format(*number)


def _version_beside() -> str:
    """The version of the first torch on the path of imports, from the name of the folder that describes it.

    `importlib.metadata` finds no other, and importing it costs a fifth of a run that finds all in the cache.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:  # an archive, or nothing at all
            continue
        for name in names:
            if name.startswith("torch-") and name.endswith((".dist-info", ".egg-info")):
                return name[len("torch-") :].rpartition(".")[0].split("-")[0]
    return ""


def default() -> tuple[str, str]:
    """The version to lint for when none is asked for, and a remark on it (empty if it is what anyone would expect)."""
    found = installed()
    if found is None:
        return NEWEST_TORCH, ""
    if (_numbers(found) or (0, 0)) < _known(OLDEST_TORCH):
        return OLDEST_TORCH, f"torch {found} is installed, older than {OLDEST_TORCH}, for which the predictions are"
    return found, remark(found)


def older(version: str, than: str) -> bool:
    """Whether a `major.minor` is older than another."""
    return (_numbers(version) or (0, 0)) < _known(than)


def remark(version: str) -> str:
    """What to tell about a version that is newer than the measured ones; empty for others."""
    if (_numbers(version) or (0, 0)) <= _known(NEWEST_TORCH):
        return ""
    return f"torch {version} is newer than the newest one measured: what {NEWEST_TORCH} does is taken to hold"


def _numbers(text: str) -> tuple[int, int] | None:
    found = _VERSION.fullmatch(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def _known(version: str) -> tuple[int, int]:
    major, _, minor = version.partition(".")
    return int(major), int(minor)
