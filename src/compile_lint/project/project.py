"""The linted tree: files by dotted name, parsed when first needed and forgotten when the store grows too large."""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, TypeVar

from compile_lint.findings import Source
from compile_lint.project.homes import homes
from compile_lint.project.modules import ClassInfo, FunctionInfo, ModuleInfo, index
from compile_lint.project.reads import Reads

STORE_BYTES = 1_500_000
"""How much source may be held as trees at once: about 28 bytes of tree a byte of source (measured, CPython 3.11)."""
COLLECT_BYTES = 8 * STORE_BYTES

MAX_HOPS = 12
T = TypeVar("T")


class BadSyntaxError(Exception):
    """A file that Python cannot parse: 1-based line and column, and what is wrong."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def parse(text: str, path: str) -> ast.Module:
    """Parse without letting warnings of the linted code or a deep nesting through.

    Raises:
        BadSyntaxError: with the place.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, path)
    except SyntaxError as error:
        raise BadSyntaxError(error.msg or "invalid syntax", error.lineno or 1, error.offset or 1) from None
    except (RecursionError, MemoryError):
        raise BadSyntaxError("the code is nested too deeply to be parsed", 1, 1) from None
    except ValueError as error:  # NUL bytes
        raise BadSyntaxError(str(error), 1, 1) from None


class Project:
    """Modules of the linted tree, and what dotted names in it mean.

    `reads` notes every question that is answered from another file than the one at hand; see `begin`. `store` is how
    much source is held as trees at once, in characters.
    """

    def __init__(self, sources: Iterable[Source], store: int = STORE_BYTES) -> None:
        self._store = store
        self.sources: dict[str, Source] = {}
        self.paths: dict[str, str] = {}
        self.reads = Reads()
        self._digests: dict[str, str] = {}
        self._digests_of_all: dict[tuple[str, ...], str] = {}
        self._sources_holding: dict[tuple[str, ...], list[Source]] = {}
        self._shared: dict[object, tuple[Any, Reads]] = {}
        self._tops: set[str] = set()
        self._modules: OrderedDict[str, ModuleInfo | None] = OrderedDict()
        self._held = 0
        self._dropped = 0
        self._orders: dict[int, list[ClassInfo | str]] = {}
        for source in sources:
            self.sources[source.path] = source
            if source.cells or source.path.endswith(".ipynb"):  # nothing can import a notebook
                continue
            name = module_name(source)[0]
            self.paths.setdefault(name, source.path)
            self._tops.add(name.partition(".")[0])
        self.homes = homes((source, module_name(source)[0]) for source in self.sources.values())

    def alias(self, name: str, path: str) -> None:
        """One more dotted name that a file is imported by; its own name, and the first given, win."""
        self.paths.setdefault(name, path)
        self._tops.add(name.partition(".")[0])

    def begin(self) -> Reads:
        """Note what is read from now on."""
        self._orders.clear()  # it answers without asking
        self.reads = Reads()
        return self.reads

    def digest(self, path: str) -> str:
        """A digest of what the module of a file is made of: its text, its cells, and where its imports lead."""
        found = self._digests.get(path)
        if found is None:
            source = self.sources[path]
            rest = repr((source.cells, sorted(self.homes.get(source.root, {}).items())))
            text = f"{source.text}\n{rest}".encode("utf-8", "surrogatepass")
            found = self._digests[path] = blake2b(text, digest_size=16).hexdigest()
        return found

    def holding(self, words: tuple[str, ...]) -> list[Source]:
        """The sources that hold one of the words."""
        self.reads.words.add(words)
        return self._holding(words)

    def _holding(self, words: tuple[str, ...]) -> list[Source]:
        found = self._sources_holding.get(words)
        if found is None:
            found = [source for source in self.sources.values() if any(word in source.text for word in words)]
            self._sources_holding[words] = found
        return found

    def shared(self, key: object, make: Callable[[], T]) -> T:
        """What follows from several files, found out once for all; what was read for it is noted at each use.

        Nothing of a tree may be in it: the trees are forgotten, and it is not.
        """
        if key not in self._shared:
            outer, self.reads = self.reads, Reads()
            try:
                self._shared[key] = (make(), self.reads)
            finally:
                self.reads = outer
        value, reads = self._shared[key]
        self.reads.add(reads)
        found: T = value
        return found

    def digest_of_all(self, words: tuple[str, ...]) -> str:
        """A digest of all files that hold one of the words; not noted."""
        found = self._digests_of_all.get(words)
        if found is None:
            digest = blake2b(digest_size=16)
            for source in self._holding(words):
                digest.update(f"{source.path}\n{self.digest(source.path)}\n".encode("utf-8", "surrogatepass"))
            found = self._digests_of_all[words] = digest.hexdigest()
        return found

    def module_at(self, path: str) -> ModuleInfo | None:
        """The module of a path; None where it cannot be parsed."""
        try:
            return self.load(path)
        except BadSyntaxError:
            return None

    def load(self, path: str) -> ModuleInfo:
        """The module of a path.

        Raises:
            BadSyntaxError: where Python cannot parse it.
        """
        self.reads.paths.add(path)
        held = self._modules.get(path)
        if held is not None:
            self._modules.move_to_end(path)
            return held
        source = self.sources[path]
        name, is_package = module_name(source)
        text = source.text
        home = self.homes.get(source.root, {})
        module = index(path, name, is_package, text, parse(text, path), home)
        module.cells = source.cells
        self._modules[path] = module
        self._held += len(text)
        return module

    def trim(self) -> None:
        """Forget the modules used longest ago, down to the store. Nothing of them may be in use any more.

        What still lies in circles is left to the collector, once in `COLLECT_BYTES`: it looks at all that is held.
        """
        self._orders.clear()
        while self._held > self._store and len(self._modules) > 1:
            _, module = self._modules.popitem(last=False)
            if module is not None:
                self._held -= len(module.text)
                self._dropped += len(module.text)
                module.forget()
        if self._dropped > COLLECT_BYTES:
            self._dropped = 0
            gc.collect()

    def module_named(self, name: str) -> ModuleInfo | None:
        """The linted module of a dotted name."""
        path = self.reads.names[name] = self.paths.get(name)
        return self.module_at(path) if path is not None else None

    def has(self, name: str) -> bool:
        """Whether there is a linted module of a dotted name; it may not parse."""
        path = self.reads.names[name] = self.paths.get(name)
        return path is not None

    def owns(self, dotted: str) -> bool:
        """Whether the first part of a dotted name is a package or module of the linted tree."""
        top = dotted.partition(".")[0]
        found = self.reads.tops[top] = top in self._tops
        return found

    def has_top(self, top: str) -> bool:
        """The same of a first part; not noted."""
        return top in self._tops

    def resolve(
        self, dotted: str, hops: int = 0, tried: set[str] | None = None
    ) -> ModuleInfo | ClassInfo | FunctionInfo | tuple[ModuleInfo, str] | None:
        """What a dotted name stands for in the linted tree: a module, class, function or a module-level variable.

        `tried` holds the names that star imports led to already: packages import each other in circles.
        """
        if hops > MAX_HOPS or not self.owns(dotted):
            return None
        module = self.module_named(dotted)
        if module is not None:
            return module
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = self.module_named(".".join(parts[:cut]))
            if module is not None:
                return self.member(module, parts[cut:], hops, tried)
        return None

    def outside(self, dotted: str, hops: int = 0) -> str:
        """The outside name that a name of the linted tree is imported from; the name itself where it is not."""
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = self.module_named(".".join(parts[:cut]))
            if module is None:
                continue
            source = module.imports.get(parts[cut])
            if source is None or hops > MAX_HOPS:
                return dotted
            name = ".".join([source, *parts[cut + 1 :]])
            return self.outside(name, hops + 1) if self.owns(name) and name != dotted else name
        return dotted

    def member(
        self, module: ModuleInfo, rest: list[str], hops: int = 0, tried: set[str] | None = None
    ) -> ModuleInfo | ClassInfo | FunctionInfo | tuple[ModuleInfo, str] | None:
        """A name defined or imported in a module, with what lies below it."""
        if hops > MAX_HOPS:
            return None
        head, below = rest[0], rest[1:]
        qualified = ".".join(rest)
        if qualified in module.classes:
            return module.classes[qualified]
        if head in module.classes:
            return module.classes[head].methods.get(below[0]) if len(below) == 1 else None
        if not below and head in module.functions:
            return module.functions[head]
        if head in module.imports and module.imports[head] != f"{module.name}.{head}":
            return self.resolve(".".join([module.imports[head], *below]), hops + 1, tried)
        if not below and head in module.assigns:
            return (module, head)
        return self._starred(module, qualified, hops, set() if tried is None else tried)

    def _starred(
        self, module: ModuleInfo, name: str, hops: int, tried: set[str]
    ) -> ModuleInfo | ClassInfo | FunctionInfo | tuple[ModuleInfo, str] | None:
        """A name that a module may have from a star import of a linted module; each is followed once."""
        for star in module.stars:
            source, dotted = self.module_named(star), f"{star}.{name}"
            if source is not None and dotted not in tried:
                tried.add(dotted)
                found = self.member(source, name.split("."), hops + 1, tried)
                if found is not None:
                    return found
        return None

    def base_classes(self, info: ClassInfo) -> list[ClassInfo | str]:
        """The bases of a class: linted classes, and dotted names of the others."""
        found: list[ClassInfo | str] = []
        for base in info.bases:
            local = info.module.classes.get(base)
            if local is not None and local is not info:
                found.append(local)
                continue
            target = self.resolve(base)
            if target is None and "." not in base:
                target = self.member(info.module, [base])
            found.append(target if isinstance(target, ClassInfo) else base)
        return found

    def mro(self, info: ClassInfo) -> list[ClassInfo | str]:
        """A class and everything it inherits from, depth first, each once (the order of super() for plain trees)."""
        known = self._orders.get(id(info))
        if known is not None:
            return known
        order: list[ClassInfo | str] = []
        stack: list[ClassInfo | str] = [info]
        seen: set[object] = set()
        while stack:
            current = stack.pop(0)
            mark: object = id(current) if isinstance(current, ClassInfo) else current
            if mark in seen:
                continue
            seen.add(mark)
            order.append(current)
            if isinstance(current, ClassInfo):
                stack[:0] = self.base_classes(current)
        self._orders[id(info)] = order
        return order

    def is_nn_module(self, info: ClassInfo) -> bool:
        """Whether a class is an nn.Module: it inherits from one of torch.nn, or from an unseen class and has a forward.

        Libraries derive their models from base classes of other packages (`PreTrainedModel`, `LightningModule`), which
        the linted tree does not show.
        """
        order = self.mro(info)
        outside = [base for base in order if isinstance(base, str)]
        if any(base.startswith("torch.nn.") and not base.startswith("torch.nn.Parameter") for base in outside):
            return True
        if any(base.startswith("torch.") for base in outside):
            return False
        known = {"object", "", "abc.ABC", "typing.Generic", "enum.Enum", "Exception", "typing.Protocol", "dict", "list"}
        has_forward = any(isinstance(c, ClassInfo) and "forward" in c.methods for c in order)
        return has_forward and any(base not in known and not base.startswith(("typing.", "enum.")) for base in outside)


def module_name(source: Source) -> tuple[str, bool]:
    """The dotted module name of a file below its root, and whether it is a package's `__init__`."""
    path = source.path.replace("\\", "/")
    root = source.root.replace("\\", "/").rstrip("/")
    inside = path[len(root) + 1 :] if root and path.startswith(root + "/") else path
    inside = inside.removesuffix(".py").lstrip("./")
    parts = inside.split("/")
    is_package = parts[-1] == "__init__"
    return ".".join(parts[:-1] if is_package else parts), is_package


STDLIB: frozenset[str] = frozenset(sys.stdlib_module_names)
