"""The bytes that go in and out, without a library on this side."""

import json
import subprocess
import sys
import threading

import pytest

pytest.importorskip("pygls")

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": {"debounce": 0}}


class Wire:
    """A running server, and messages to and from it."""

    def __init__(self, process, cwd, **environ):
        self.child = subprocess.Popen(
            process.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**process.environ, **environ},
        )
        self.guard = threading.Timer(60, self.child.kill)
        self.guard.start()

    def send(self, method, params=None, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        self.raw(json.dumps(message).encode())

    def raw(self, body):
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.child.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.child.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), line
            length = int(value) if name == b"Content-Length" else length
        assert length, "the server went"
        return json.loads(self.child.stdout.read(length))

    def until(self, method=None, number=None):
        while True:
            message = self.receive()
            if (method and message.get("method") == method) or (number is not None and message.get("id") == number):
                return message

    def start(self):
        self.send("initialize", INITIALIZE, 1)
        assert self.until(number=1)["result"]["capabilities"]["hoverProvider"] is True
        self.send("initialized", {})

    def open(self, path, text):
        document = {"uri": f"file://{path}", "languageId": "python", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})

    def end(self, **kwargs):
        out, err = self.child.communicate(timeout=30)
        self.guard.cancel()
        return self.child.returncode, out, err.decode()


@pytest.fixture
def wire(process, tmp_path):
    made = []

    def start(**environ):
        made.append(Wire(process, tmp_path, **environ))
        return made[-1]

    yield start
    for one in made:
        one.guard.cancel()
        one.child.kill()
        one.child.communicate()


def test_shutdown_and_exit(wire):
    server = wire()
    server.start()
    server.send("shutdown", None, 2)
    assert server.until(number=2) == {"id": 2, "jsonrpc": "2.0", "result": None}
    server.send("exit")
    assert server.end() == (0, b"", "")


def test_exit_without_shutdown(wire):
    server = wire()
    server.start()
    server.send("exit")
    assert server.end() == (1, b"", "")


def test_a_client_that_goes(wire):
    server = wire()
    server.start()
    server.child.stdin.close()
    server.child.stdin = None
    assert server.end() == (1, b"", "")


def test_a_client_that_goes_after_shutdown(wire):
    server = wire()
    server.start()
    server.send("shutdown", None, 2)
    server.until(number=2)
    server.child.stdin.close()
    server.child.stdin = None
    assert server.end() == (0, b"", "")


def test_a_client_that_reads_no_more(wire, tmp_path):
    server = wire()
    server.start()
    server.child.stdout.close()
    server.child.stdout = None
    server.open(tmp_path / "a.py", BREAK)
    server.child.stdin.close()
    server.child.stdin = None
    code, _, err = server.end()
    assert code == 1
    assert "Traceback" not in err


def test_exit_while_something_is_linted(wire, tmp_path):
    server = wire()
    server.start()
    body = "".join(f"    y{i} = x + {i}\n    if y{i}.sum() > 0:\n        x = x * 2\n" for i in range(2000))
    server.open(tmp_path / "a.py", "import torch\n\n\n@torch.compile\ndef fn(x):\n" + body + "    return x\n")
    server.send("shutdown", None, 2)
    server.until(number=2)
    server.send("exit")
    assert server.end() == (0, b"", "")


NOTHING = [
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"wrong": 1}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": '
    b'{"textDocument": {"uri": "file:///none.py", "version": 2}, "contentChanges": []}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///none.py"}}}',
    b'{"jsonrpc": "2.0", "method": "no/such"}',
    b'{"jsonrpc": "2.0", "id": 9, "result": 1}',
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}}',
    b"\xff\xfe",
]


def test_messages_that_mean_nothing(wire, tmp_path):
    server = wire()
    server.start()
    for body in NOTHING:
        server.raw(body)
    server.open(tmp_path / "a.py", BREAK)
    found = server.until("textDocument/publishDiagnostics")["params"]
    assert [one["code"] for one in found["diagnostics"]] == ["CL201"]
    server.send("shutdown", None, 2)
    server.until(number=2)
    server.send("exit")
    code, _, err = server.end()
    assert (code, err) == (0, "")


def test_a_fault_of_the_analysis_is_logged_and_survived(wire, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import compile_lint.analysis as analysis\n"
        "real = analysis.analyze_project\n"
        "def analyze_project(project, *args):\n"
        "    print('not for the protocol')\n"
        "    if any('BOOM' in source.text for source in project.sources.values()):\n"
        "        raise ValueError('boom')\n"
        "    return real(project, *args)\n"
        "analysis.analyze_project = analyze_project\n"
    )
    import os

    server = wire(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    server.start()
    server.open(tmp_path / "a.py", BREAK)
    server.until("textDocument/publishDiagnostics")
    path = f"file://{tmp_path}/a.py"
    broken = {"textDocument": {"uri": path, "version": 2}, "contentChanges": [{"text": "# BOOM\n" + BREAK}]}
    server.send("textDocument/didChange", broken)
    logged = server.until("window/logMessage")["params"]
    assert logged["type"] == 1
    assert "internal error: ValueError: boom" in logged["message"]
    assert "Traceback" not in logged["message"]
    server.send(
        "textDocument/hover",
        {"textDocument": {"uri": f"file://{tmp_path}/a.py"}, "position": {"line": 5, "character": 12}},
        5,
    )
    assert server.until(number=5)["result"] is None
    change = {"textDocument": {"uri": path, "version": 3}, "contentChanges": [{"text": BREAK}]}
    server.send("textDocument/didChange", change)
    found = server.until("textDocument/publishDiagnostics")["params"]
    assert [one["code"] for one in found["diagnostics"]] == ["CL201"]
    server.send("shutdown", None, 2)
    server.until(number=2)
    server.send("exit")
    code, _, err = server.end()
    assert code == 0
    assert set(err.splitlines()) == {"not for the protocol"}


def test_deeply_nested_code(wire, tmp_path):
    server = wire()
    server.start()
    server.open(tmp_path / "a.py", "import torch\nx = " + "(" * 5000 + ")" * 5000 + "\n" + "-" * 50000 + "1\n")
    found = server.until("textDocument/publishDiagnostics")["params"]
    assert [one["code"] for one in found["diagnostics"]] == ["CL900"]
    server.open(tmp_path / "b.py", BREAK)
    while found["uri"] != f"file://{tmp_path}/b.py":
        found = server.until("textDocument/publishDiagnostics")["params"]
    assert [one["code"] for one in found["diagnostics"]] == ["CL201"]


def test_without_pygls(process, tmp_path):
    (tmp_path / "pygls.py").write_text("raise ImportError('none here')\n")
    import os

    environ = {**process.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(process.command, input=b"", capture_output=True, env=environ, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "error: the server needs pygls: pip install 'compile-lint[lsp]' (none here)\n"


def test_help_does_not_import_pygls():
    code = (
        "import sys\nfrom compile_lint.cli.main import run\nrun(['server', '--help'])\n"
        "assert not {'pygls', 'lsprotocol', 'asyncio'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Language Server Protocol" in done.stdout
