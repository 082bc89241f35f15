import itertools
import sys
import types

import pytest

_numbers = itertools.count()


@pytest.fixture
def observing(tmp_path):
    """Observe a source text with `fn` or `make()`, and `calls` (an expression, or `calls()` in the text)."""
    pytest.importorskip("torch")
    from compile_lint.confirm.observe import Prepared, Subject, observe
    from compile_lint.confirm.target import Target

    def call(source, calls="[(torch.ones(4, 4),)]", *, project=None, phase=None, report=None, around=None, **options):
        path = tmp_path / f"subject_{next(_numbers)}.py"
        path.write_text("import torch\n" + source, encoding="utf-8")
        module = types.ModuleType(path.stem)
        module.__file__ = str(path)
        sys.modules[path.stem] = module
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)

        def make():
            function = module.make() if hasattr(module, "make") else module.fn
            given = module.calls() if hasattr(module, "calls") else eval(calls, module.__dict__)
            return Prepared(function, [(tuple(each), {}) for each in given], around)

        subject = Subject("subject", make, (str(path),) if project is None else project)
        try:
            return observe(subject, Target("subject", str(path), **options), phase=phase, report=report)
        finally:
            del sys.modules[path.stem]

    return call
