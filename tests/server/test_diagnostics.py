import pytest

types = pytest.importorskip("lsprotocol.types")

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"
CLEAN = BREAK.replace(".item()", " * 2")
HELPER = "def helper(x):\n    return x * 2\n"
CALLER = (
    "import torch\n"
    "from pkg.helper import helper\n\n\n"
    "@torch.compile\n"
    "def fn(x: torch.Tensor):\n"
    "    if helper(x):\n"
    "        return x\n"
    "    return x * 2\n"
)


def span(item):
    at = item.range
    return at.start.line, at.start.character, at.end.line, at.end.character


def codes(items):
    return [item.code for item in items]


def test_open_change_close(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        (item,) = await client.diagnostics(uri, 1)
        assert span(item) == (5, 11, 5, 19)
        assert item.code == "CL201"
        assert item.source == "compile-lint"
        assert item.severity == types.DiagnosticSeverity.Warning
        assert item.message == "`.item()` reads `x` on the host (annotated as `torch.Tensor`, line 5)"
        assert item.code_description.href.startswith("https://meta-pytorch.github.io/compile-graph-break-site/gb/gb")
        assert item.data == {"name": "tensor-item", "kind": "break", "confidence": "certain"}
        client.change(uri, CLEAN, 2)
        assert await client.diagnostics(uri, 2) == []
        client.change(uri, BREAK, 3)
        assert len(await client.diagnostics(uri, 3)) == 1
        after = client.count
        client.close(uri)
        assert await client.diagnostics(uri, after=after) == []

    session(test)


def test_what_the_server_can_do(session):
    async def test(client):
        can = client.result.capabilities
        assert can.text_document_sync.change == types.TextDocumentSyncKind.Full
        assert can.text_document_sync.open_close
        assert can.text_document_sync.save
        assert can.hover_provider
        assert list(can.code_action_provider.code_action_kinds) == [types.CodeActionKind.QuickFix]
        assert client.result.server_info.name == "compile-lint"

    session(test)


def test_severities(session, tmp_path):
    text = (
        "import torch\n\n\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x, mode='a'):\n        print(x)\n        return x * 2 if mode == 'a' else x\n\n\n"
        "def f(x):\n    return x\n\n\ntorch.compile(f)\n"
    )

    async def test(client):
        uri = client.open(tmp_path / "a.py", text)
        found = {item.code: item.severity for item in await client.diagnostics(uri, 1)}
        assert found["CL501"] == types.DiagnosticSeverity.Warning
        assert found["CL801"] == types.DiagnosticSeverity.Warning
        client.change(uri, "def f(:\n", 2)
        (item,) = await client.diagnostics(uri, 2)
        assert (item.code, item.severity) == ("CL900", types.DiagnosticSeverity.Error)

    session(test)


def test_unsaved_buffers_are_what_others_import(session, tmp_path):
    (tmp_path / "src/pkg").mkdir(parents=True)
    for name, text in (("__init__", ""), ("helper", HELPER), ("caller", CALLER)):
        (tmp_path / f"src/pkg/{name}.py").write_text(text)

    async def test(client):
        caller = client.open(tmp_path / "src/pkg/caller.py")
        (item,) = await client.diagnostics(caller, 1)
        assert item.message.startswith("`if` needs the value of `helper(x)`"), "read from disk"
        helper = client.open(tmp_path / "src/pkg/helper.py")
        after = client.count
        client.change(helper, "def helper(x):\n    return x.dim() > 1\n", 2)
        assert await client.diagnostics(caller, 1, after) == [], "a size is free"
        after = client.count
        client.change(helper, "def helper(x):\n    print(x)\n    return True\n", 3)
        assert await client.diagnostics(caller, 1, after) == []
        assert codes(await client.diagnostics(helper, 3)) == ["CL501"], "reached from the open caller"
        after = client.count
        client.close(helper)
        assert codes(await client.diagnostics(caller, 1, after)) == ["CL101"], "what is on disk counts again"

    session(test)


def test_a_buffer_that_is_no_file_yet_can_be_imported(session, tmp_path):
    async def test(client):
        client.open(tmp_path / "helper.py", "def helper(x):\n    return x.dim() > 1\n")
        caller = client.open(tmp_path / "caller.py", CALLER.replace("pkg.helper", "helper"))
        assert await client.diagnostics(caller, 1) == []

    session(test)


@pytest.mark.parametrize(
    ("folder", "line"),
    [
        ("models", "from .helper import helper"),
        ("models", "from models.helper import helper"),
        ("models", "from helper import helper"),
        ("models", "import models.helper\nhelper = models.helper.helper"),
    ],
)
def test_folders_without_init(session, tmp_path, folder, line):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "helper.py").write_text("import torch\n\n\ndef helper(x):\n    print(x)\n    return x * 2\n")

    async def test(client):
        text = f"import torch\n{line}\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return helper(x)\n"
        client.open(tmp_path / folder / "caller.py", text)
        uri = client.open(tmp_path / folder / "helper.py")
        assert codes(await client.diagnostics(uri, 1)) == ["CL501"]

    session(test)


def test_files_that_change_on_disk(session, tmp_path):
    helper = tmp_path / "helper.py"
    helper.write_text(HELPER)

    async def test(client):
        caller = client.open(tmp_path / "caller.py", CALLER.replace("pkg.helper", "helper"))
        assert codes(await client.diagnostics(caller, 1)) == ["CL101"]
        helper.write_text("def helper(x):\n    return x.dim() > 1\n")
        after = client.count
        client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(caller, types.FileChangeType.Changed)])
        )
        assert await client.diagnostics(caller, 1, after) == []
        helper.write_text(HELPER)
        after = client.count
        client.save(caller)
        assert codes(await client.diagnostics(caller, 1, after)) == ["CL101"]

    session(test)


def test_debounce(session, tmp_path):
    """While changes come, nothing is linted; what was typed last is."""

    async def test(client):
        uri = client.open(tmp_path / "a.py", CLEAN)
        assert await client.diagnostics(uri, 1) == []
        for version in range(2, 30):
            client.change(uri, BREAK if version % 2 else CLEAN, version)
        client.change(uri, BREAK, 30)
        assert codes(await client.diagnostics(uri, 30)) == ["CL201"]
        assert client.count == 2

    session(test, debounce=400)


def test_a_question_does_not_wait_for_the_delay(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", CLEAN)
        assert await client.diagnostics(uri, 1) == []
        client.change(uri, BREAK, 2)
        assert (await client.hover(uri, 5, 12)) is not None
        assert client.published[uri].version == 2

    session(test, debounce=60_000)


@pytest.mark.parametrize(
    ("offered", "chosen", "columns"),
    [
        (None, "utf-16", (11, 19)),
        ([types.PositionEncodingKind.Utf32], "utf-32", (10, 18)),
        ([types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16], "utf-8", (14, 22)),
        (["something-else"], "utf-16", (11, 19)),
    ],
)
def test_units_of_columns(session, tmp_path, offered, chosen, columns):
    text = BREAK.replace("return x", "'😀é'; x").replace("    ", "\f   ")

    async def test(client):
        assert client.result.capabilities.position_encoding == chosen
        uri = client.open(tmp_path / "a.py", text)
        (item,) = await client.diagnostics(uri, 1)
        line = text.split("\n")[5]
        assert line.index("x.item") == 10
        start, end = columns
        assert span(item) == (5, start, 5, end)

    general = types.GeneralClientCapabilities(position_encodings=offered)
    session(test, client_capabilities=types.ClientCapabilities(general=general))


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(session, tmp_path, end):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK.replace("\n", end))
        (item,) = await client.diagnostics(uri, 1)
        assert span(item) == (5, 11, 5, 19)

    session(test)


def test_an_unnamed_buffer(session):
    async def test(client):
        uri = client.open("untitled:Untitled-1", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]

    session(test)


def test_a_path_with_signs_of_its_own(session, tmp_path):
    (tmp_path / "a b%20ü#").mkdir()
    (tmp_path / "a b%20ü#/m.py").write_text(BREAK)

    async def test(client):
        uri = client.open(tmp_path / "a b%20ü#" / "m.py")
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]

    session(test)


def test_what_is_not_linted(session, tmp_path):
    (tmp_path / ".gitignore").write_text("gen/\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / "compile-lint.toml").write_text('extend-exclude = ["vendor"]\n')

    async def test(client):
        client.open(tmp_path / "a.pyi", BREAK)
        client.open(tmp_path / "a.txt", BREAK, language="plaintext")
        left_out = [client.open(tmp_path / folder / "a.py", BREAK) for folder in ("vendor", "gen", ".venv/lib")]
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]
        assert [await client.diagnostics(other, 1) for other in left_out] == [[], [], []]
        assert set(client.published) == {uri, *left_out}

    session(test)


def test_suppressed_and_idle_comments(session, tmp_path):
    """Whether a comment is idle depends on files that are not open: nothing is said of it."""

    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK.replace("item()", "item()  # compile-lint: ignore[CL201, CL101]"))
        assert await client.diagnostics(uri, 1) == []

    session(test)
