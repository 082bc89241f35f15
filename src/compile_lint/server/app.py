"""The language server: what each message of the protocol does."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from compile_lint import __version__
from compile_lint.findings import Finding
from compile_lint.report.paint import safe
from compile_lint.rulebook import Rulebook
from compile_lint.server import present
from compile_lint.server.actions import Action, actions
from compile_lint.server.documents import Documents, Opened, Part, path_of
from compile_lint.server.folder import Folder
from compile_lint.server.linter import Result
from compile_lint.server.positions import Positions, meet
from compile_lint.server.roots import Roots, table
from compile_lint.server.worker import Worker

SECTION = "compile-lint"
"""The section of the editor's settings."""
WATCHED = ("**/*.py", "**/compile-lint.toml", "**/pyproject.toml", "**/.gitignore")
_STOP = 2.0
"""Seconds that a job gets to end in when the server stops."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the client shows of one text."""

    part: Part
    scope: str
    findings: tuple[tuple[Finding, types.Range], ...]
    rulebook: Rulebook


class Server(LanguageServer):
    """Lints open files while they are edited.

    The whole text is sent with each change: pygls would apply a part of it by lines that also end at form feeds.
    """

    def __init__(self) -> None:
        notebooks = types.NotebookDocumentSyncOptions(
            [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook"))]
        )
        super().__init__("compile-lint", __version__, types.TextDocumentSyncKind.Full, notebooks)
        self.documents = Documents()
        self._worker = Worker()
        self._roots = Roots(self._worker)
        self._shown: dict[str, Shown] = {}
        self.stopped_well = False
        """Whether the client said `shutdown`."""
        for method, handler in self._handlers().items():
            options = None
            if method == types.TEXT_DOCUMENT_CODE_ACTION:
                options = types.CodeActionOptions([types.CodeActionKind.QuickFix])
            self.feature(method, options)(partial(handler))  # pygls marks what it is given; a method takes no mark

    def _handlers(self) -> dict[str, Callable[..., Any]]:
        return {
            types.INITIALIZE: self.on_initialize,
            types.INITIALIZED: self.on_initialized,
            types.SHUTDOWN: self.on_shutdown,
            types.TEXT_DOCUMENT_DID_OPEN: self.on_open,
            types.TEXT_DOCUMENT_DID_CHANGE: self.on_change,
            types.TEXT_DOCUMENT_DID_SAVE: self.on_save,
            types.TEXT_DOCUMENT_DID_CLOSE: self.on_close,
            types.NOTEBOOK_DOCUMENT_DID_OPEN: self.on_notebook,
            types.NOTEBOOK_DOCUMENT_DID_CHANGE: self.on_notebook,
            types.NOTEBOOK_DOCUMENT_DID_SAVE: self.on_notebook_save,
            types.NOTEBOOK_DOCUMENT_DID_CLOSE: self.on_notebook_close,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self.on_watched,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self.on_configuration,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self.on_folders,
            types.TEXT_DOCUMENT_HOVER: self.on_hover,
            types.TEXT_DOCUMENT_CODE_ACTION: self.on_code_action,
        }

    # the life of the server

    def on_initialize(self, params: types.InitializeParams) -> None:
        """The folders and the settings that the client starts with."""
        asyncio.get_running_loop().set_exception_handler(self._on_loop_error)
        self._roots.settings = table(params.initialization_options)
        self._name_folders()

    async def on_initialized(self, params: types.InitializedParams) -> None:
        """Ask for the settings of each folder, and to be told of changes on disk."""
        await self._ask_settings()
        watched = self.client_capabilities.workspace and self.client_capabilities.workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            )
            await self.client_register_capability_async(
                types.RegistrationParams(
                    [types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)]
                )
            )

    def on_shutdown(self, params: None) -> None:
        """Lint nothing more."""
        self.stopped_well = True
        self._roots.stop()
        self._worker.stop(_STOP)

    # documents

    def on_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Lint at once what was opened."""
        new = params.text_document
        self._changed(self.documents.put(new.uri, new.text, new.version, new.language_id), 0)

    def on_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Lint soon what was changed."""
        uri = params.text_document.uri
        if self.documents.of(uri) is not None:
            text = self.workspace.get_text_document(uri).source
            self._changed(self.documents.put(uri, text, params.text_document.version))

    def on_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Lint at once what was saved: files that are not open may have changed with it."""
        self._changed(self.documents.of(params.text_document.uri), 0)

    def on_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Take the findings back; others that import the file see what is on disk from now on."""
        self._closed(self.documents.drop(params.text_document.uri))

    def on_notebook(self, params: types.DidOpenNotebookDocumentParams | types.DidChangeNotebookDocumentParams) -> None:
        """Lint a notebook that was opened or changed, with the texts that pygls keeps of its cells."""
        notebook = self.workspace.get_notebook_document(notebook_uri=params.notebook_document.uri)
        if notebook is None:
            return
        before = self.documents.of(notebook.uri)
        cells = {}
        for cell in notebook.cells:
            text = self.workspace.get_text_document(cell.document)
            cells[cell.document] = (text.source, text.version, text.language_id or "")
        opened = self.documents.put_notebook(notebook, cells)
        kept = {part.uri for part in opened.parts.values()}
        self._clear(part for part in (before.parts.values() if before else ()) if part.uri not in kept)
        self._changed(opened, 0 if before is None else None)

    def on_notebook_save(self, params: types.DidSaveNotebookDocumentParams) -> None:
        """Lint at once."""
        self._changed(self.documents.of(params.notebook_document.uri), 0)

    def on_notebook_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """Take the findings back."""
        self._closed(self.documents.drop(params.notebook_document.uri))

    # the workspace

    def on_watched(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Something changed on disk: what the open files import, or the configuration."""
        for folder in self._in_use():
            self._schedule(folder, self._roots.delay(folder))

    async def on_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """The editor's settings have changed."""
        settings = table(params.settings)
        if settings:
            self._roots.settings = {**self._roots.settings, **table(settings.get(SECTION, settings))}
        await self._ask_settings()
        for folder in self._in_use():
            self._schedule(folder, 0)

    async def on_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Folders came or went: files may belong to another one now."""
        self._name_folders()
        await self._ask_settings()
        for folder in self._in_use():
            self._schedule(folder, 0)

    # questions

    async def on_hover(self, params: types.HoverParams) -> types.Hover | None:
        """The findings under the pointer."""
        shown = await self._fresh(params.text_document.uri)
        here = types.Range(params.position, params.position)
        found = [(finding, span) for finding, span in (shown.findings if shown else ()) if meet(span, here)]
        if shown is None or not found:
            return None
        hover = self.client_capabilities.text_document and self.client_capabilities.text_document.hover
        forms = (hover.content_format if hover else None) or []
        content = present.hover(
            [finding for finding, _ in found], shown.rulebook, types.MarkupKind.Markdown in forms or not forms
        )
        return types.Hover(content, found[0][1])

    async def on_code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Suppressions for the findings in a range."""
        wanted = params.context.only
        if wanted is not None and not any(types.CodeActionKind.QuickFix.value.startswith(kind) for kind in wanted):
            return []
        shown = await self._fresh(params.text_document.uri)
        if shown is None:
            return []
        positions = self._positions(shown.part)
        found: dict[Action, list[types.Diagnostic]] = {}
        for finding, span in shown.findings:
            if meet(span, params.range):
                for action in actions(finding, shown.part.text, shown.part.python, shown.scope):
                    found.setdefault(action, []).append(present.diagnostic(finding, positions))
        workspace = self.client_capabilities.workspace
        versions = bool(workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes)
        return [present.code_action(action, shown.part, positions, about, versions) for action, about in found.items()]

    async def _fresh(self, uri: str) -> Shown | None:
        """What is shown of a text, after it was linted as it is now; None if that failed, or if it was closed."""
        opened = self.documents.of(uri)
        if opened is None:
            return None
        await self._roots.of(opened.path).settled()
        opened, shown = self.documents.of(uri), self._shown.get(uri)
        return shown if opened is not None and shown is not None and shown.part in opened.parts.values() else None

    # linting

    def _changed(self, opened: Opened | None, delay: float | None = None) -> None:
        if opened is not None:
            folder = self._roots.of(opened.path)
            self._schedule(folder, self._roots.delay(folder) if delay is None else delay)

    def _closed(self, opened: Opened | None) -> None:
        if opened is not None:
            self._clear(opened.parts.values())
            self._changed(opened)

    def _schedule(self, folder: Folder, delay: float) -> None:
        folder.schedule(delay, lambda: self._lint(folder))

    def _lint(self, folder: Folder) -> None:
        opened = {one.path: one for one in self.documents if self._roots.of(one.path) is folder}
        folder.lint(
            {path: one.source for path, one in opened.items()},
            self._roots.editor(folder),
            lambda result: self._publish(folder, opened, result),
            self._log_fault,
        )

    def _publish(self, folder: Folder, opened: Mapping[str, Opened], result: Result) -> None:
        for problem in result.problems:
            if problem not in folder.told:
                self.tell(problem)
        folder.told = frozenset(result.problems)
        for path, found in result.findings.items():
            for number, part in opened[path].parts.items():
                self._show(part, number, [finding for finding in found if finding.cell == number], result)

    def _show(self, part: Part, cell: int | None, found: list[Finding], result: Result) -> None:
        positions = self._positions(part)
        spans = tuple((finding, positions.range(finding)) for finding in found)
        assert result.rulebook is not None, "a result with findings has the rules"
        self._shown[part.uri] = Shown(part, "file" if cell is None else "notebook", spans, result.rulebook)
        diagnostics = [present.diagnostic(finding, positions) for finding in found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(part.uri, diagnostics, part.version))

    def _clear(self, parts: Iterable[Part]) -> None:
        for part in parts:
            self._shown.pop(part.uri, None)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(part.uri, []))

    # folders and settings

    def _name_folders(self) -> None:
        uris = [*self.workspace.folders] or ([self.workspace.root_uri] if self.workspace.root_uri else [])
        self._roots.name(path_of(uri) for uri in uris)

    def _in_use(self) -> list[Folder]:
        return list(dict.fromkeys(self._roots.of(opened.path) for opened in self.documents))

    async def _ask_settings(self) -> None:
        """The settings of each folder, from a client that can be asked."""
        workspace = self.client_capabilities.workspace
        if not (workspace and workspace.configuration):
            return
        folders = self._roots.named
        items = [types.ConfigurationItem(from_fs_path(folder.path), SECTION) for folder in folders]
        if not items:
            return
        answers = await self.workspace_configuration_async(types.ConfigurationParams(items))
        for folder, answer in zip(folders, answers, strict=False):
            settings = table(answer)
            if settings != folder.settings:
                folder.settings = settings
                if folder in self._in_use():
                    self._schedule(folder, 0)

    def _positions(self, part: Part) -> Positions:
        return Positions(
            part.text, str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        )

    # what goes wrong

    def tell(self, words: str) -> None:
        """Show a sentence to the user, and keep it in the log."""
        line = " ".join(safe(part.strip()) for part in words.splitlines())
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, line))
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"compile-lint: {line}"))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what went wrong in a handler, and go on."""
        self._log_fault(error)

    def _log_fault(self, error: BaseException) -> None:
        words = f"compile-lint {__version__}, internal error: {type(error).__name__}: {error}"
        if os.environ.get("COMPILE_LINT_TRACEBACK"):
            words += "\n" + "".join(traceback.format_exception(error))
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, words))

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._log_fault(context.get("exception") or RuntimeError(context["message"]))
