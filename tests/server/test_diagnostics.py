import pytest

types = pytest.importorskip("lsprotocol.types")

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"
CLEAN = BREAK.replace(".item()", " * 2")


def span(item):
    at = item.range
    return at.start.line, at.start.character, at.end.line, at.end.character


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
        client.change(uri, CLEAN, 2)
        assert await client.diagnostics(uri, 2) == []
        client.change(uri, BREAK, 3)
        assert len(await client.diagnostics(uri, 3)) == 1
        after = client.count
        client.close(uri)
        assert await client.diagnostics(uri, after=after) == []

    session(test)
