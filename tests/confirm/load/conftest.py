import contextlib
import sys
from pathlib import Path

import pytest

from compile_lint.confirm.target import Target


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Write files, load a target of one of them and make an instance; imports are undone afterwards."""
    pytest.importorskip("torch")
    from compile_lint.confirm.load import subject

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)

    def call(name="m.py:make", files=None, **settings):
        for path, text in ({"m.py": files} if isinstance(files, str) else files or {}).items():
            Path(tmp_path, path).parent.mkdir(parents=True, exist_ok=True)
            Path(tmp_path, path).write_text(text)
        if ".py:" in name:
            name = str(tmp_path / name)
        settings.setdefault("device", "cpu")
        return subject.load(Target(name="it", target=name, root=str(tmp_path), **settings))

    yield call
    for module in set(sys.modules) - before:
        path = getattr(sys.modules[module], "__file__", None) or ""
        if path.startswith(str(tmp_path)):
            del sys.modules[module]


@pytest.fixture
def fails():
    """Expect a LoadError of exactly that status and message."""
    from compile_lint.confirm.load.errors import LoadError

    @contextlib.contextmanager
    def call(status, message, traceback=None):
        with pytest.raises(LoadError) as caught:
            yield
        assert (caught.value.status, caught.value.message) == (status, message)
        if traceback is not None:
            assert caught.value.traceback == traceback

    return call


@pytest.fixture
def shapes_of():
    """A value with the shape of each tensor in its place."""
    import torch

    def call(value):
        if isinstance(value, torch.Tensor):
            return tuple(value.shape)
        if isinstance(value, (list, tuple)):
            return type(value)(call(item) for item in value)
        if isinstance(value, dict):
            return {key: call(item) for key, item in value.items()}
        return value

    return call
