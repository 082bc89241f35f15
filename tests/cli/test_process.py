"""What only a process of its own shows: pipes, terminals, encodings, start-up."""

import os
import signal
import subprocess
import sys
import time

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


def _tree(folder, files):
    for number in range(files):
        (folder / f"m{number}.py").write_text("".join(f"x = {i}  # BAD CL101\n" for i in range(200)))


@posix
def test_broken_pipe(process, tmp_path):
    _tree(tmp_path, 10)
    command = " ".join([*process.command, ".", "| head -n 1"])
    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert result.stdout.startswith(b"m0.py:1:1: CL101")
    assert result.stderr == b""


@posix
def test_closed_stdout(process, tmp_path):
    _tree(tmp_path, 1)
    command = " ".join([*process.command, ".", ">&-"])
    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in result.stderr


@posix
def test_full_disk(process, tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    _tree(tmp_path, 1)
    with open("/dev/full", "w") as full:
        result = process(".", cwd=tmp_path, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert result.stderr == b"error: standard output: cannot be written: No space left on device\n"


@posix
def test_ctrl_c(process, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    read, write = os.pipe()  # a writer that never comes: the tool waits for standard input
    running = subprocess.Popen([*process.command, "-"], stdin=read, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    os.close(read)
    os.close(write)
    assert (running.returncode, out) == (130, b"")
    assert err.strip() == b"compile-lint: interrupted"


def test_ascii_only_output(process, tmp_path):
    (tmp_path / "a.py").write_text("s = '\u00e9\u4e2d\U0001f600'  # BAD CL101\n", encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = process("a.py", cwd=tmp_path, env=env)
    assert result.returncode == 1
    assert rb"s = '\xe9\u4e2d\U0001f600'" in result.stdout


def _on_terminal(command, cwd, env=None):
    """Run with a pseudo terminal as standard output and standard error; gives the code and all that was written."""
    import pty

    main, side = pty.openpty()
    running = subprocess.Popen(
        command, cwd=cwd, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm", **(env or {})}
    )
    os.close(side)
    out = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(main)
    return running.wait(timeout=60), out


@posix
@pytest.mark.parametrize(
    ("env", "args", "colored"),
    [
        ({}, [], True),
        ({"NO_COLOR": "1"}, [], False),
        ({"TERM": "dumb"}, [], False),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({}, ["--color", "never"], False),
        ({}, ["--format", "json"], False),
    ],
)
def test_color_on_a_terminal(process, tmp_path, env, args, colored):
    (tmp_path / "a.py").write_text("x = 1  # BAD CL101\n")
    clean = dict.fromkeys(("NO_COLOR", "FORCE_COLOR"), "")
    code, out = _on_terminal([*process.command, "a.py", *args], tmp_path, {**clean, **env})
    assert (code, b"\x1b[" in out) == (1, colored)


@pytest.mark.parametrize(
    ("env", "args", "colored"),
    [
        ({}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": "0"}, [], False),
        ({}, ["--color", "always"], True),
    ],
)
def test_color_in_a_pipe(process, tmp_path, env, args, colored):
    (tmp_path / "a.py").write_text("x = 1  # BAD CL101\n")
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    result = process("a.py", *args, cwd=tmp_path, env={**clean, **env})
    assert (b"\x1b[" in result.stdout) == colored
    assert result.stderr == b""


def test_no_color_in_a_file(process, tmp_path):
    (tmp_path / "a.py").write_text("x = 1  # BAD CL101\n")
    process("a.py", "--output-file", "out", cwd=tmp_path, env={**os.environ, "FORCE_COLOR": "1"})
    assert b"\x1b" not in (tmp_path / "out").read_bytes()


def test_start_up_imports_little():
    heavy = ("torch", "libcst", "rich", "pathspec", "msgspec", "tomllib", "tomli", "importlib.metadata", "json")
    code = f"import sys, compile_lint.cli; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


def test_module_and_script_agree():
    outs = [
        subprocess.run(
            [sys.executable, *args, "version"], capture_output=True, text=True, timeout=60, check=True
        ).stdout
        for args in (["-m", "compile_lint"], ["-c", "from compile_lint.cli import main; main()"])
    ]
    assert outs[0] == outs[1]
    assert outs[0].startswith("compile-lint ")
