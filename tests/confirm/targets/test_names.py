from pathlib import Path

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.candidates import candidates
from compile_lint.confirm.targets.names import Reference, reference

SOURCE = """
import torch
def helper(x): ...
def make(dim=3, *, deep=False): ...
class Config: ...
class Net(torch.nn.Module):
    def forward(self, x): ...
def _hidden(): ...
def needs(*, key): ...
def make(): ...
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("models/detr.py:make", Reference("/base/models/detr.py", "", "make")),
        ("detr.py:Net.forward", Reference("/base/detr.py", "", "Net.forward")),
        ("/abs/detr.py:make", Reference("/abs/detr.py", "", "make")),
        ("../detr.py:make", Reference("/detr.py", "", "make")),
        ("a:b/detr.py:make", Reference("/base/a:b/detr.py", "", "make")),
        ("pkg.mod:make", Reference("", "pkg.mod", "make")),
        ("mod:a.b", Reference("", "mod", "a.b")),
        ("C:\\code\\detr.py:make", Reference("/base/C:\\code\\detr.py", "", "make")),
    ],
)
def test_references(text, found):
    assert reference(text, Path("/base"), "TARGET") == found
    assert found.text.endswith(f":{found.name}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("m.py", "'m.py' does not say what to confirm; write it as m.py:name; the file defines make, Net, helper, "),
        ("m.py:", "'m.py:' does not say what to confirm; write it as m.py:name; the file defines make"),
        ("C:m.py", "'C:m.py' does not say what to confirm; write it as C:m.py:name"),
        ("C:\\x\\m.py", "'C:\\\\x\\\\m.py' does not say what to confirm; write it as C:\\x\\m.py:name"),
        ("broken.py", "'broken.py' does not say what to confirm; write it as broken.py:name"),
        ("pkg.mod", "'pkg.mod' does not say what to confirm; write it as pkg.mod:name"),
        ("m.py:a b", "'m.py:a b': 'a b' is no name of Python; write it as path/file.py:name or package.module:name"),
        ("m.py:2", "'m.py:2': '2' is no name of Python"),
        ("m.py::make", "'m.py::make' has two colons in a row; write m.py:make"),
        ("sub/", "'sub/' is a folder; name a file and what in it is confirmed: sub/file.py:name"),
        ("my-pkg:make", "'my-pkg:make' is not of the form path/file.py:name or package.module:name"),
        (":make", "':make' is not of the form path/file.py:name or package.module:name"),
        ("a b", "'a b' is not of the form path/file.py:name or package.module:name"),
    ],
)
def test_what_is_no_reference(text, words, tmp_path):
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("def f(:")
    (tmp_path / "sub").mkdir()
    with pytest.raises(ConfigError) as caught:
        reference(text, tmp_path, "TARGET")
    assert str(caught.value).startswith(f"TARGET: {words}")


def test_candidates(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(SOURCE)
    assert candidates(path) == ("make", "Net", "helper", "needs", "Config")
    assert candidates(tmp_path / "none.py") == ()
    path.write_bytes(b"\xff\x00")
    assert candidates(path) == ()
