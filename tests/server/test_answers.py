import asyncio

import pytest

types = pytest.importorskip("lsprotocol.types")

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"


def text_document(**more):
    return types.TextDocumentClientCapabilities(**more)


def applied(text, edits):
    """A text with edits made, columns in characters."""
    lines = text.split("\n")
    for edit in edits:
        at = edit.range.start
        assert edit.range.end == at
        lines[at.line] = lines[at.line][: at.character] + edit.new_text + lines[at.line][at.character :]
    return "\n".join(lines)


def test_hover(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        for character in (11, 15, 19):
            hover = await client.hover(uri, 5, character)
            assert hover.range == types.Range(types.Position(5, 11), types.Position(5, 19))
        assert hover.contents.kind == types.MarkupKind.Markdown
        page = hover.contents.value
        assert page.startswith(
            "**CL201 tensor-item** (break)\n\n"
            "`.item()` reads `x` on the host (annotated as `torch.Tensor`, line 5)\n\n"
            "In `fn`.\n\n"
            "**Why:** `.item()` makes a Python number of a tensor."
        )
        assert "\n\n**Instead:** Keep the tensor:" in page
        assert "\n\n**For example:** " in page
        assert "\n\n```python\n" in page
        assert page.count("```") == 4
        assert "\n\nGraph breaks: [GB" in page
        assert await client.hover(uri, 5, 10) is None
        assert await client.hover(uri, 0, 0) is None
        assert await client.hover("file:///nothing.py", 0, 0) is None

    session(test)


def test_hover_says_how_the_line_is_reached(session, tmp_path):
    text = (
        "import torch\n\n\ndef helper(t):\n    return t.item()\n\n\n"
        "@torch.compile\ndef fn(x: torch.Tensor):\n    y = x * 2\n"
        "    for i in range(3):\n        helper(y)\n    return y\n"
    )

    async def test(client):
        uri = client.open(tmp_path / "a.py", text)
        page = (await client.hover(uri, 4, 12)).contents.value
        assert "(comes from `x * 2`, line 10)" in page
        assert "In `helper`, reached from `fn`" in page

    session(test)


def test_hover_in_plain_text(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        hover = await client.hover(uri, 5, 12)
        assert hover.contents.kind == types.MarkupKind.PlainText
        lines = hover.contents.value.split("\n")
        assert lines[:4] == [
            "`.item()` reads `x` on the host (annotated as `torch.Tensor`, line 5)",
            "In `fn`.",
            "",
            "CL201 tensor-item",
        ]

    plain = types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    session(test, client_capabilities=types.ClientCapabilities(text_document=text_document(hover=plain)))


def test_code_actions(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", "#!/usr/bin/python\n" + BREAK)
        found = await client.actions(uri, 6, 12)
        assert [action.title for action in found] == [
            "Suppress CL201 on this line",
            "Suppress CL201 on this line, with a reason",
            "Suppress CL201 in this file",
            "Suppress CL201 in this file, with a reason",
        ]
        texts = []
        for version, action in enumerate(found, 2):
            assert action.kind == types.CodeActionKind.QuickFix
            (diagnostic,) = action.diagnostics
            assert diagnostic.code == "CL201"
            text = applied("#!/usr/bin/python\n" + BREAK, action.edit.changes[uri])
            client.change(uri, text, version)
            assert await client.diagnostics(uri, version) == [], action.title
            texts.append(text)
        body = BREAK.split("\n")
        assert texts[0].split("\n")[6] == "    return x.item()  # compile-lint: ignore[CL201]"
        assert texts[1].split("\n")[6] == "    return x.item()  # compile-lint: ignore[CL201] TODO: say why"
        assert texts[2].split("\n") == ["#!/usr/bin/python", "# compile-lint: file-ignore[CL201]", *body]
        assert texts[3].split("\n")[1] == "# compile-lint: file-ignore[CL201] TODO: say why"

    session(test)


def test_no_code_actions(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert list(await client.actions(uri, 0, 0)) == []
        assert list(await client.actions(uri, 5, 12, [types.CodeActionKind.Refactor])) == []
        assert list(await client.actions(uri, 5, 12, [types.CodeActionKind.SourceFixAll])) == []
        assert len(await client.actions(uri, 5, 12, [types.CodeActionKind.QuickFix])) == 4
        assert list(await client.actions("file:///nothing.py", 5, 12)) == []
        client.change(uri, "def f(:\n", 2)
        assert list(await client.actions(uri, 0, 6)) == [], "a syntax error cannot be silenced"

    session(test)


def test_edits_name_the_version(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK, version=7)
        (change,) = (await client.actions(uri, 5, 12))[0].edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (uri, 7)

    edits = types.WorkspaceEditClientCapabilities(document_changes=True)
    session(
        test,
        client_capabilities=types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=edits)),
    )


def test_one_action_for_two_findings_of_a_rule(session, tmp_path):
    text = BREAK.replace("x.item()", "x.item() + x.item()")

    async def test(client):
        uri = client.open(tmp_path / "a.py", text)
        assert len(await client.diagnostics(uri, 1)) == 2
        found = await client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri),
                types.Range(types.Position(5, 0), types.Position(6, 0)),
                types.CodeActionContext([]),
            )
        )
        assert len(found) == 4
        assert [len(action.diagnostics) for action in found] == [2, 2, 2, 2]

    session(test)


def test_a_question_that_is_cancelled(session, tmp_path):
    """The answer is that it was cancelled, and the server goes on."""
    body = "".join(f"    y{i} = x + {i}\n    if y{i}.sum() > 0:\n        x = x * 2\n" for i in range(400))
    text = "import torch\n\n\n@torch.compile\ndef fn(x):\n" + body + "    return x\n"

    async def test(client):
        uri = client.open(tmp_path / "a.py", text)
        where = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(6, 10))
        asked = client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, where, msg_id="asked")
        answer = asyncio.wrap_future(asked)
        client.cancel_request(types.CancelParams("asked"))
        with pytest.raises(Exception, match="canceled"):
            await answer
        assert len(await client.diagnostics(uri, 1)) == 400

    session(test)
