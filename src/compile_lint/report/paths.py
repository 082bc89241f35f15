"""How files are named for other tools: from the folder of the repository, with `/`, wherever the linter was called."""

from __future__ import annotations

import os
from collections.abc import Mapping

_WORKSPACES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Where GitHub Actions and GitLab say what the folder of the repository is."""


def repository(cwd: str, environ: Mapping[str, str]) -> str:
    """The folder that reports name files from: the workspace of CI, else the one with `.git`, else `cwd`, absolute."""
    for name in _WORKSPACES:
        if environ.get(name):
            workspace = os.path.realpath(environ[name])
            if _within(cwd, workspace) is not None:
                return workspace
    folder = cwd
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return cwd
        folder = above
    return folder


def named(path: str, cwd: str, root: str) -> str:
    """A path of a finding relative to `root`; absolute if it lies outside, unchanged if it is no file's."""
    if path.startswith("<"):
        return path
    absolute = os.path.normpath(os.path.join(cwd, path))
    within = _within(absolute, root)
    return _slashes(absolute if within is None else within)


def uri(path: str) -> str:
    """A path made by `named` as a URI, relative if the path is."""
    from urllib.parse import quote  # few reports need it, and every run would pay for it

    quoted = quote(os.fsencode(path), safe="/")
    if not os.path.isabs(path):
        return quoted
    # the colon of a drive stays, and stands behind a third slash
    return f"file://{quoted}" if quoted.startswith("/") else f"file:///{quoted.replace('%3A', ':', 1)}"


def _within(path: str, folder: str) -> str | None:
    try:
        relative = os.path.relpath(path, folder)
    except ValueError:  # another drive
        return None
    return None if relative == os.pardir or relative.startswith(os.pardir + os.sep) else relative


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")
