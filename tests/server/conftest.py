"""A client that speaks to the running server over its standard input and output."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

types = pytest.importorskip("lsprotocol.types")
from pygls.lsp.client import LanguageClient  # noqa: E402
from pygls.uris import from_fs_path  # noqa: E402

LONG = 60.0
"""Seconds until a test gives up waiting for what must come."""


class Client(LanguageClient):
    """Keeps what the server sends, and lets a test wait for it."""

    def __init__(self, settings=None):
        super().__init__("test", "1")
        self.published = {}
        self.count = 0
        self.logged = []
        self.messages = []
        self.registered = []
        self.asked = []
        self.settings = settings or {}
        self._news = asyncio.Event()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.on_published))
        self.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self.keep(self.logged, params.message))
        self.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.keep(self.messages, params.message))
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: self.keep(self.registered, params))
        self.feature(types.WORKSPACE_CONFIGURATION)(partial(self.on_configuration))

    def on_published(self, params):
        self.count += 1
        self.published[params.uri] = SimpleNamespace(version=params.version, items=params.diagnostics, count=self.count)
        self._news.set()

    def on_configuration(self, params):
        self.keep(self.asked, params)
        return [self.settings.get(item.scope_uri) for item in params.items]

    def keep(self, where, what):
        where.append(what)
        self._news.set()

    async def until(self, true):
        """Wait until something that the server sends makes it true; gives what it says."""
        async with asyncio.timeout(LONG) if hasattr(asyncio, "timeout") else _no_timeout():
            while not (found := true()):
                self._news.clear()
                await self._news.wait()
            return found

    async def diagnostics(self, uri, version=None, after=0):
        """The diagnostics of a text, once those of that version have come, after so many others."""

        def found():
            one = self.published.get(uri)
            return one if one and one.count > after and (version is None or one.version == version) else None

        return list((await self.until(found)).items)

    # what an editor does

    def open(self, path, text=None, version=1, language="python"):
        uri = path if "://" in str(path) or str(path).startswith("untitled:") else uri_of(path)
        text = Path(path).read_text() if text is None else text
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version, text))
        )
        return uri

    def change(self, uri, text, version):
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, uri):
        self.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri):
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def hover(self, uri, line, character):
        return await self.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )

    async def actions(self, uri, line, character, only=None):
        here = types.Position(line, character)
        return await self.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri),
                types.Range(here, here),
                types.CodeActionContext([], only=only),
            )
        )


@asynccontextmanager
async def _no_timeout():  # Python 3.10: the run of the tests has a limit of its own
    yield


def uri_of(path):
    return from_fs_path(str(path))


def capabilities(**more):
    values = {
        "text_document": types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
        ),
        **more,
    }
    return types.ClientCapabilities(**values)


@pytest.fixture
def process(tmp_path):
    """Environment and command of the server's process."""
    environ = {**os.environ, "PYTHONUNBUFFERED": "1"}
    environ.pop("COMPILE_LINT_TRACEBACK", None)
    return SimpleNamespace(command=[sys.executable, "-m", "compile_lint", "server"], environ=environ)


@pytest.fixture
def session(process, tmp_path):
    """Run a test's coroutine against a server that was started and initialised; it must then end with 0."""

    def run(test, folders=(tmp_path,), client_capabilities=None, settings=None, debounce=0, **options):
        async def main():
            client = Client(settings)
            await client.start_io(*process.command, env=process.environ, cwd=tmp_path)
            client.pid = client._server.pid
            client.result = await client.initialize_async(
                types.InitializeParams(
                    capabilities=client_capabilities or capabilities(),
                    workspace_folders=[types.WorkspaceFolder(uri_of(folder), Path(folder).name) for folder in folders],
                    initialization_options={"debounce": debounce, "target-torch": "2.13", **options},
                )
            )
            client.initialized(types.InitializedParams())
            try:
                async with asyncio.timeout(LONG) if hasattr(asyncio, "timeout") else _no_timeout():
                    await test(client)
                    await client.shutdown_async(None)
                    client.exit(None)
                    code = await client._server.wait()
            except BaseException:
                client._server.kill()
                raise
            finally:
                stderr = await client._server.stderr.read()
                await client.stop()
            assert stderr == b""
            assert code == 0

        asyncio.run(main())

    return run
