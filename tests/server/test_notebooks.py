import pytest

types = pytest.importorskip("lsprotocol.types")

HELPER = "def helper(x):\n    y = x + 1\n    return y.item()\n"
MODEL = "%matplotlib inline\nimport torch\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return helper(x)\n"


class Notebook:
    """A notebook in the editor: a cell of text, then code cells."""

    def __init__(self, client, path, *texts):
        self.client = client
        self.uri = f"file://{path}"
        self.version = 1
        self.cells = [f"vscode-notebook-cell:{path}#W{number}" for number in range(len(texts))]
        kinds = [types.NotebookCellKind.Markup, *[types.NotebookCellKind.Code] * (len(texts) - 1)]
        client.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(
                types.NotebookDocument(
                    self.uri,
                    "jupyter-notebook",
                    1,
                    [types.NotebookCell(kind, uri) for kind, uri in zip(kinds, self.cells, strict=True)],
                ),
                [
                    types.TextDocumentItem(uri, "python" if i else "markdown", 1, text)
                    for i, (uri, text) in enumerate(zip(self.cells, texts, strict=True))
                ],
            )
        )

    def change(self, cells):
        self.version += 1
        self.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(self.version, self.uri),
                types.NotebookDocumentChangeEvent(cells=cells),
            )
        )

    def edit(self, cell, text, version):
        document = types.VersionedTextDocumentIdentifier(version, self.cells[cell])
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.change(
            types.NotebookDocumentCellChanges(
                text_content=[types.NotebookDocumentCellContentChanges(document, [whole])]
            )
        )

    def remove(self, cell):
        gone = types.TextDocumentIdentifier(self.cells[cell])
        array = types.NotebookCellArrayChange(cell, 1)
        self.change(
            types.NotebookDocumentCellChanges(
                structure=types.NotebookDocumentCellChangeStructure(array, did_close=[gone])
            )
        )


@pytest.fixture
def notebooks(session):
    """Run a test in a session of a client that knows notebooks."""
    sync = types.NotebookDocumentSyncClientCapabilities(dynamic_registration=False)
    known = types.ClientCapabilities(notebook_document=types.NotebookDocumentClientCapabilities(sync))
    return lambda test: session(test, client_capabilities=known)


def test_open_edit_close(notebooks, tmp_path):
    async def test(client):
        selector = client.result.capabilities.notebook_document_sync.notebook_selector
        assert [one.notebook.notebook_type for one in selector] == ["jupyter-notebook"]
        notebook = Notebook(client, tmp_path / "a.ipynb", "# Title", HELPER, MODEL)
        text, helper, model = notebook.cells
        (item,) = await client.diagnostics(helper, 1)
        start = item.range.start
        assert (item.code, start.line, start.character) == ("CL201", 2, 11)
        assert item.message == "`.item()` reads `y` on the host (comes from `x + 1`, cell 2, line 2)"
        assert await client.diagnostics(model, 1) == []
        notebook.edit(1, HELPER.replace(".item()", ""), 2)
        assert await client.diagnostics(helper, 2) == []
        notebook.edit(2, MODEL.replace("    return", "    print(x)\n    return"), 2)
        (item,) = await client.diagnostics(model, 2)
        assert (item.code, item.range.start.line) == ("CL501", 5)
        after = client.count
        client.notebook_document_did_close(
            types.DidCloseNotebookDocumentParams(
                types.NotebookDocumentIdentifier(notebook.uri),
                [types.TextDocumentIdentifier(uri) for uri in notebook.cells],
            )
        )
        assert await client.diagnostics(model, after=after) == []
        assert text not in client.published

    notebooks(test)


def test_a_cell_that_is_removed(notebooks, tmp_path):
    async def test(client):
        notebook = Notebook(client, tmp_path / "a.ipynb", "# Title", HELPER, MODEL)
        helper = notebook.cells[1]
        assert len(await client.diagnostics(helper, 1)) == 1
        after = client.count
        notebook.remove(1)
        assert await client.diagnostics(helper, after=after) == []

    notebooks(test)


def test_answers_for_a_cell(notebooks, tmp_path):
    async def test(client):
        notebook = Notebook(client, tmp_path / "a.ipynb", "# Title", "%%time\n" + HELPER, MODEL)
        helper = notebook.cells[1]
        assert "**CL201 tensor-item**" in (await client.hover(helper, 3, 12)).contents.value
        found = await client.actions(helper, 3, 12)
        assert [action.title for action in found] == [
            "Suppress CL201 on this line",
            "Suppress CL201 on this line, with a reason",
            "Suppress CL201 in this notebook",
            "Suppress CL201 in this notebook, with a reason",
        ]
        (edit,) = found[0].edit.changes[helper]
        assert (edit.range.start, edit.new_text) == (types.Position(3, 19), "  # compile-lint: ignore[CL201]")
        (edit,) = found[2].edit.changes[helper]
        assert (edit.range.start, edit.new_text) == (types.Position(1, 0), "# compile-lint: file-ignore[CL201]\n")

    notebooks(test)


def test_a_notebook_imports_open_buffers(notebooks, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "helpers.py", HELPER)
        Notebook(client, tmp_path / "a.ipynb", "# Title", "from helpers import helper\n", MODEL)
        await client.until(lambda: uri in client.published and len(client.published[uri].items) == 1)

    notebooks(test)


def test_a_client_without_notebooks(session):
    async def test(client):
        assert client.result.capabilities.notebook_document_sync is None

    session(test)
