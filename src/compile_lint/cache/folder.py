"""The folder on disk: whom it must belong to, how an entry is written and read, and how it is removed."""

from __future__ import annotations

import contextlib
import os
import stat
from hashlib import blake2b
from pathlib import Path

TAG = "CACHEDIR.TAG"
_TAG_TEXT = """\
Signature: 8a477f597d28d172789f06886806bc55
# This folder was made by compile-lint, which fills it again: it can be removed at any time.
# For information about cache directory tags see https://bford.info/cachedir/
"""
_OWN = "made by compile-lint"
MOST_GENERATIONS = 4
"""How many combinations of tool, rules and settings are kept side by side; the one used longest ago goes first."""
_LARGEST = 64 * 2**20
"""Bytes of an entry beyond which it is none of ours."""


class CacheError(Exception):
    """A folder that cannot be used, or must not be removed. The text is fit to show."""


class Folder:
    """One cache folder. What cannot be read counts as missing, and what cannot be written is left out."""

    def __init__(self, path: Path) -> None:
        """It is made when there is something to put into it.

        Raises:
            CacheError: it is there, and is not the user's alone to write to.
        """
        self.path = path
        self.writable = True
        self._ready: set[str] = set()
        if os.path.lexists(path):
            _check(path)

    def read(self, generation: str, name: str) -> bytes | None:
        """The content of an entry; None where there is none that can be believed."""
        try:
            handle = os.open(self._place(generation, name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
            with open(handle, "rb") as stream:
                status = os.fstat(handle)
                if not stat.S_ISREG(status.st_mode) or not _ours(status) or status.st_size > _LARGEST:
                    return None
                data = stream.read()
        except OSError:
            return None
        checksum, _, content = data.partition(b"\n")
        return content if checksum == _checksum(content) else None

    def write(self, generation: str, name: str, content: bytes) -> None:
        """Put an entry in place in one go, so that no reader ever meets half of it."""
        if not self.writable:
            return
        place = self._place(generation, name)
        passing = f"{place}.{os.getpid()}.tmp"
        try:
            self._prepare(generation)
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            try:
                with open(passing, "wb") as stream:
                    stream.write(_checksum(content) + b"\n" + content)
                os.replace(passing, place)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(passing)
                raise
        except (OSError, CacheError):
            self.writable = False  # read-only, or full: the run goes on without

    def use(self, generation: str) -> None:
        """Note that a generation is in use: it is kept longer than those that are not."""
        with contextlib.suppress(OSError):
            os.utime(self.path / generation)

    def _prepare(self, generation: str) -> None:
        """Make the folder, and drop the generations that were not used for longest. OSError, CacheError."""
        if generation in self._ready:
            return
        self.path.mkdir(mode=0o700, exist_ok=True)
        _check(self.path)
        self._mark()
        folder = self.path / generation
        if not folder.is_dir():
            import shutil  # with all its archives: seldom needed

            kept = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(self.path) if entry.is_dir()]
            for _, old in sorted(kept, reverse=True)[MOST_GENERATIONS - 1 :]:
                shutil.rmtree(old, ignore_errors=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        self._ready.add(generation)

    def _place(self, generation: str, name: str) -> str:
        return os.path.join(self.path, generation, name[:2], f"{name[2:]}.json")

    def _mark(self) -> None:
        """Keep the folder out of version control and backups."""
        for name, text in ((".gitignore", "*\n"), (TAG, _TAG_TEXT)):
            with contextlib.suppress(OSError), open(self.path / name, "x", encoding="utf-8") as stream:
                stream.write(text)


def clean(path: Path) -> bool:
    """Remove a cache folder; False where there is none.

    Raises:
        CacheError: it was not made by this tool, or cannot be removed.
    """
    if not os.path.lexists(path):
        return False
    _check(path)
    try:
        made = _OWN in (path / TAG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        made = False
    if not made:
        raise CacheError(f"{path}: holds no {TAG} of compile-lint; left as it is")
    import shutil

    try:
        shutil.rmtree(path)
    except OSError as error:
        raise CacheError(f"{path}: cannot be removed: {error.strerror or error}") from error
    return True


def _check(path: Path) -> None:
    """CacheError where it is no folder of the user's own."""
    try:
        status = os.lstat(path)
    except OSError as error:
        raise CacheError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not stat.S_ISDIR(status.st_mode):
        raise CacheError(f"{path}: is no folder")
    if not _ours(status):
        raise CacheError(f"{path}: belongs to another user")
    if os.name == "posix" and status.st_mode & stat.S_IWOTH:
        raise CacheError(f"{path}: everyone may write to it; `chmod o-w` it, or remove it")


def _ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).hexdigest().encode()
