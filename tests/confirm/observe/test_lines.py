"""The recorder of lines, with each of its two ways."""

import sys
import threading

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.torch

SOURCE = """\
def work(flag):
    total = 0
    for i in range(2):
        total += i
    if flag:
        total = -1
    return total
"""


@pytest.fixture(params=["best", "trace"])
def recorder(request):
    from compile_lint.confirm.observe import lines

    kind = lines.recorder if request.param == "best" else lines._Tracer
    return kind(lambda path: path.startswith("/project/"))


def work():
    names = {}
    exec(compile(SOURCE, "/project/a.py", "exec"), names)
    exec(compile(SOURCE, "/elsewhere/b.py", "exec"), {})
    return names["work"]


def test_lines_of_wanted_files_are_recorded(recorder):
    function = work()
    before = sys.gettrace()
    recorder.start()
    function(False)
    recorder.stop()
    assert recorder.lines == {"/project/a.py": {2, 3, 4, 5, 7}}
    function(True)
    assert recorder.lines == {"/project/a.py": {2, 3, 4, 5, 7}}
    assert sys.gettrace() is before


def test_threads_are_recorded(recorder):
    function = work()
    recorder.start()
    thread = threading.Thread(target=function, args=(True,))
    thread.start()
    thread.join()
    recorder.stop()
    assert recorder.lines["/project/a.py"] >= {2, 3, 4, 5, 6, 7}


def test_it_can_be_used_again(recorder):
    function = work()
    for flag in (False, True):
        recorder.start()
        function(flag)
        recorder.stop()
    assert 6 in recorder.lines["/project/a.py"]
