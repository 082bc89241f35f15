"""What README.md says of notebooks."""

import json
import re

from compile_lint.discover.magics import PYTHON_BODIES


def test_cell_magics_that_hold_python(readme):
    (named,) = re.findall(r"`%%` magic, except (.*?), whose", readme, re.DOTALL)
    assert set(re.findall(r"%%(\w+)", named)) == PYTHON_BODIES


def test_the_place_that_is_shown(readme, run, tmp_path):
    body = "@torch.compile\ndef f(x):\n    if x.dim() > 1:\n        print(x)\n    return x * 2"
    cells = [
        {"cell_type": "markdown", "source": "# Model"},
        {"cell_type": "code", "source": ["%time 1\n", "import torch"]},
        {"cell_type": "code", "source": body},
    ]
    (tmp_path / "model.ipynb").write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))
    assert "`model.ipynb:cell 3:4:9`" in readme
    assert run("--format", "concise", "-q").out.startswith("model.ipynb:cell 3:4:9: CL501")
    assert run("--format", "concise", "--extend-exclude", "*.ipynb").out == "No Python files found.\n"
