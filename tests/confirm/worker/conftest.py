import uuid

import pytest

TAG = "COMPILE_LINT_TEST_RUN"


def tagged(value):
    """The living processes, but for this one, that inherited the tag."""
    import os

    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(TAG) == value:
                if process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture(scope="module")
def none_left():
    """Marks all processes started from now on; the value asserts that every one of them has gone."""
    import os

    pytest.importorskip("psutil")
    value = uuid.uuid4().hex
    os.environ[TAG] = value

    def check():
        assert tagged(value) == []

    yield check
    left = tagged(value)
    for process in left:
        process.kill()
    del os.environ[TAG]
    assert left == []
