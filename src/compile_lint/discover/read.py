"""From bytes to text, as Python itself reads its source: a byte-order mark, a PEP 263 comment, else UTF-8."""

from __future__ import annotations

import codecs
import os
from io import BytesIO
from tokenize import detect_encoding

from compile_lint.discover.walk import NOTEBOOK, File
from compile_lint.findings import FileError, Source

_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read(file: File) -> Source | FileError:
    """One file, decoded; what is wrong with it if it cannot be."""
    try:
        with open(file.real, "rb") as stream:
            data = stream.read()
    except (OSError, ValueError) as error:
        return FileError(file.path, _unreadable(error))
    except MemoryError:
        return FileError(file.path, "is too large for the memory")
    return decode(data, file.path, module_root(file.real))


def decode(data: bytes, path: str, root: str = "") -> Source | FileError:
    """The text of a source file, with its line ends kept and without a byte-order mark; of a notebook its cells'."""
    if path.endswith(NOTEBOOK):
        from compile_lint.discover import notebook

        return notebook.from_bytes(data, path, root)
    if data.startswith(_WIDE):
        return FileError(path, "is UTF-16 or UTF-32, which Python does not read; save it as UTF-8")
    try:
        encoding, _ = detect_encoding(BytesIO(data).readline)
    except (SyntaxError, LookupError, ValueError) as error:
        return FileError(path, _undetected(data, error))
    try:
        return Source(path, data.decode(encoding), encoding, root)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = data[error.start : error.start + 1].hex()
        return FileError(path, f"line {line}: byte 0x{wrong} is not {error.encoding}; {_next_step(data)}")
    except (LookupError, ValueError) as error:  # rot13, hex: codecs that give no text
        return FileError(path, f"line 1: {encoding} is no encoding of text: {error}")


def mentions_torch(source: Source) -> bool:
    """Whether the file can hold an entry or a finding of its own. If not, other files may still call into it."""
    return "torch" in source.text


def module_root(path: str) -> str:
    """The folder that the dotted name of the module starts at: the first one upwards that is no package."""
    folder = os.path.dirname(os.path.abspath(path))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return folder


def _undetected(data: bytes, error: Exception) -> str:
    """What detect_encoding choked on: an encoding that does not exist, or UTF-8 that is none in the first two lines."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        if line <= 2 and "unknown encoding" not in str(error):
            return f"line {line}: byte 0x{data[wrong.start]:02x} is not utf-8; {_next_step(data)}"
    return f"line 1: {error}"


def _next_step(data: bytes) -> str:
    head = b"".join(data.splitlines(True)[:2])
    return (
        "its coding comment is wrong"
        if b"coding" in head
        else "save it as UTF-8 or name its encoding in a coding comment"
    )


def _unreadable(error: OSError | ValueError) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read this file"
    if isinstance(error, FileNotFoundError):
        return "is gone since the run began"
    return f"cannot be read: {(error.strerror if isinstance(error, OSError) else None) or error}"
