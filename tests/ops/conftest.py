import textwrap

import pytest

from compile_lint._data import rules_root
from compile_lint.findings import Source
from compile_lint.ops.inventory import take_inventory
from compile_lint.ops.native import Native
from compile_lint.rulebook import load
from compile_lint.settings import Settings


@pytest.fixture(scope="session")
def rulebook():
    return load(rules_root(), (), False)


@pytest.fixture
def inventory(rulebook):
    """The inventory of one snippet (as `model.py`), or of files by path; settings as in `Settings`."""

    def take(files, native=None, pyprojects=(), **settings):
        tree = {"model.py": files} if isinstance(files, str) else files
        sources = [Source(path, textwrap.dedent(text)) for path, text in tree.items()]
        chosen = Settings(**{"target_torch": "2.13", **settings})
        return take_inventory(sources, native or Native(), chosen, rulebook, pyprojects)

    return take


@pytest.fixture
def one(inventory):
    """The only row of an inventory."""

    def take(files, **more):
        (row,) = inventory(files, **more).rows
        return row

    return take
