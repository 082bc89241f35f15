"""Results of earlier runs, as plain data in a folder: nothing in there is ever run, and nothing damaged is believed."""

from __future__ import annotations

from compile_lint.cache.basis import Basis, basis_of
from compile_lint.cache.folder import CacheError, Folder, clean
from compile_lint.cache.known import Known

__all__ = ["Basis", "CacheError", "Folder", "Known", "basis_of", "clean"]
