"""What names mean: aliases, imports in all their forms, helpers in other files, classes inherited across files."""

import random

import pytest

ALIASES = {
    "import-torch-as": """
        import torch as t

        @t.compile
        def fn(x):
            return t.nonzero(x * 2)  # <- CL301
        """,
    "functional-as-F": """
        import torch
        import torch.nn.functional as F

        @torch.compile
        def fn(x):
            return F.one_hot(x.long())  # <- CL303
        """,
    "from-torch-nn-import-functional": """
        import torch
        from torch.nn import functional

        @torch.compile
        def fn(x):
            return functional.one_hot(x.long())  # <- CL303
        """,
    "from-torch-import-function": """
        from torch import compile, nonzero as find

        @compile
        def fn(x):
            return find(x * 2)  # <- CL301
        """,
    "name-bound-at-module-level": """
        import torch

        find = torch.nonzero

        @torch.compile
        def fn(x):
            return find(x * 2)  # <- CL301
        """,
    "name-bound-in-the-function": """
        import torch

        @torch.compile
        def fn(x):
            find = torch.nonzero
            return find(x * 2)  # <- CL301
        """,
    "import-in-the-function": """
        import torch

        @torch.compile
        def fn(x):
            import torch.nn.functional as functional
            return functional.one_hot(x.long())  # <- CL303
        """,
    "import-under-try": """
        import torch
        try:
            from torch import nonzero
        except ImportError:
            nonzero = None

        @torch.compile
        def fn(x):
            return nonzero(x * 2)  # <- CL301
        """,
    "bound-method": """
        import torch

        @torch.compile
        def fn(x):
            y = x * 2
            read = y.item
            return read()  # <- CL201
        """,
    "functools-partial": """
        import functools
        import torch

        find = functools.partial(torch.nonzero, as_tuple=True)

        @torch.compile
        def fn(x):
            return find(x * 2)  # <- CL301
        """,
    "a-local-name-hides-the-import": """
        import torch
        from torch import nonzero

        @torch.compile
        def fn(x):
            nonzero = torch.relu
            print = lambda *a: None
            print(x)
            return nonzero(x)
        """,
    "a-function-of-the-file-hides-a-builtin": """
        import torch

        def print(*values):
            return None

        @torch.compile
        def fn(x):
            print(x)
            return x * 2
        """,
}


@pytest.mark.parametrize("source", ALIASES.values(), ids=ALIASES)
def test_aliases(check, source):
    check(source)


HELPER = """
import torch

def is_small(y):
    return y.abs().max() < 1e-3

def shrink(y, limit):
    if (y > limit).any():  # <- CL101
        y = y * 0.5
    return y

def width(y):
    return y.shape[-1]
"""


@pytest.mark.parametrize(
    ("statement", "prefix"),
    [
        ("from pack.helper import is_small, shrink, width", ""),
        ("from .helper import is_small, shrink, width", ""),
        ("from . import helper", "helper."),
        ("from .helper import *", ""),
        ("import pack.helper", "pack.helper."),
        ("import pack.helper as h", "h."),
        ("from pack import helper as h", "h."),
        ("from pack import is_small, shrink, width", ""),
        ("from ..pack.helper import is_small, shrink, width", ""),
    ],
)
def test_helpers_of_other_files(check, statement, prefix):
    """The result of a helper decides here; what breaks in the helper is reported there."""
    model = f"""
import torch
from torch import nn
{statement}

class Net(nn.Module):
    def forward(self, x):
        y = {prefix}shrink(torch.relu(x), 2.0)
        if {prefix}width(y) > 2:
            y = y + 1
        if {prefix}is_small(y):  # <- CL101
            return y
        return -y
"""
    init = "from .helper import is_small, shrink, width\n"
    folder = "top/pack" if ".." in statement else "pack"
    files = {"model.py": model, "helper.py": HELPER, "__init__.py": init}
    linted = check({f"{folder}/{name}": text for name, text in files.items()})
    assert {finding.entry for finding in linted.findings} == {"Net.forward"}
    assert {finding.function for finding in linted.findings} == {"Net.forward", "shrink"}


def test_a_helper_that_nothing_compiled_calls_is_silent(lint):
    linted = lint({"pack/helper.py": HELPER, "pack/model.py": "import torch\n"})
    assert linted.findings == ()


INHERITED = {
    "base.py": """
        import torch
        from torch import nn

        class Base(nn.Module):
            threshold = 0.5

            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(()))

            def pre(self, x):
                return x * 2

            def check(self, x):
                if self.seen > 0:  # <- CL101
                    return x
                return x + 1

            def forward(self, x):
                x = self.pre(x)
                if x.sum() > self.threshold:  # <- CL101
                    x = x - 1
                return self.check(x)
        """,
    "middle.py": """
        from base import Base

        class Middle(Base):
            pass
        """,
    "leaf.py": """
        import torch
        from middle import Middle

        class Leaf(Middle):
            def pre(self, x):
                return x[x > 0]  # <- CL302

        class Other(Middle):
            def forward(self, x):
                x = super().forward(x)
                print(x.shape)  # <- CL501
                return x
        """,
}


def test_inheritance_across_files(check):
    linted = check(INHERITED)
    entries = {(finding.path, finding.line): finding.entry for finding in linted.findings}
    assert entries["leaf.py", 7] == "Leaf.forward"
    assert entries["leaf.py", 12] == "Other.forward"


def test_findings_do_not_depend_on_the_order_of_files(lint):
    """Nor does their text: entry and reason are the same whichever file is analysed first."""
    files = {
        **INHERITED,
        "pack/__init__.py": "from .helper import is_small, shrink, width\n",
        "pack/helper.py": HELPER,
        "pack/one.py": "import torch\nfrom torch import nn\nfrom . import helper\n\nclass One(nn.Module):\n"
        "    def forward(self, x):\n        return helper.shrink(torch.relu(x), 1)\n",
        "pack/two.py": "import torch\nfrom torch import nn\nfrom .helper import shrink\nfrom .one import One\n\n"
        "class Two(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.one = One()\n"
        "    def forward(self, x):\n        for i in range(3):\n            x = self.one(x)\n"
        "        return shrink(x, 1)\n",
        "broken.py": "import torch\ndef f(:\n",
    }
    expected = lint(files).report
    assert len(expected.findings) == 6
    shuffle = random.Random(0)
    for _ in range(6):
        names = list(files)
        shuffle.shuffle(names)
        assert lint({name: files[name] for name in names}).report == expected


def test_one_file_alone_says_the_same_of_itself(lint):
    """A second model that shares nothing does not change what is said of the first."""
    first = "import torch\n\n@torch.compile\ndef fn(x):\n    return torch.nonzero(x)\n"
    second = "import torch\n\n@torch.compile\ndef fn(x):\n    return x.sum().item()\n"
    alone = lint({"first.py": first}).report.findings
    both = lint({"first.py": first, "second.py": second}).report.findings
    assert [finding for finding in both if finding.path == "first.py"] == list(alone)


def test_a_bad_file_stops_no_other(check):
    linted = check(
        {
            "a_bad.py": "import torch\n\ndef fn(x:  # <- CL900\n    return x\n",
            "b_good.py": "import torch\n\n@torch.compile\ndef fn(x):\n    return torch.nonzero(x)  # <- CL301\n",
            "c_user.py": "import torch\nfrom a_bad import fn\nfrom b_good import missing\n\n@torch.compile\ndef g(x):\n"
            "    y = fn(x)\n    z = missing(y)\n    return torch.nonzero(x * 2)  # <- CL301\n",
        }
    )
    error = linted.one("CL900")
    assert (error.kind, error.confidence, error.function) == ("error", "certain", "")
    assert linted.report.files == 3


def test_names_that_nothing_defines(check):
    check(
        """
        import torch
        from nowhere import thing
        from .gone import other
        from ......far import away
        import nowhere.deep.module as deep

        @torch.compile
        def fn(x):
            y = thing(x) + other.attribute(x) + away + deep.f(x)
            if y:
                return undefined_name(y)
            return torch.nonzero(x)  # <- CL301
        """
    )


def test_rings_of_imports_bases_and_calls(check):
    check(
        {
            "a.py": "import torch\nfrom b import B, back\nclass A(B):\n    pass\ndef there(x):\n    return back(x)\n",
            "b.py": "import torch\nfrom a import A, there\nfrom b import *\nclass B(A):\n    def forward(self, x):\n"
            "        return there(torch.nonzero(x))\ndef back(x):\n    return there(x) if x.shape[0] else back(x)\n",
            "c.py": "import torch\nfrom a import there\n\n@torch.compile\ndef fn(x):\n    y = there(x)\n"
            "    return torch.nonzero(x * 2)  # <- CL301\n",
        }
    )


def test_star_imports_of_packages_that_are_linted_in_part(lint):
    names = [f"m{number}" for number in range(40)]
    stars = "".join(f"from .{name} import *\n" for name in names)
    texts = {"pkg/__init__.py": stars, "pkg/models/__init__.py": "from .. import *\n" + stars}
    texts |= {f"pkg/{name}/__init__.py": "from .. import *\nfrom ..models import *\n" for name in names[:8]}
    texts["pkg/net.py"] = (
        "import torch\nfrom . import Base\nfrom .models.m30.deep import Other\n\n\nclass Net(Base, Other):\n"
        "    def forward(self, x):\n        return torch.nonzero(x)\n"
    )
    assert [finding.code for finding in lint(texts).findings] == ["CL301"]
