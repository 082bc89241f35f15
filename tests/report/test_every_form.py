"""What holds for every form: nothing in it steers a terminal, and any encoding can write it."""

import json
import unicodedata

import pytest

from compile_lint.config.keys import FORMATS
from compile_lint.report import Run, render


@pytest.mark.parametrize("form", FORMATS)
def test_control_characters_are_spelt_out(awkward, lines_of, form):
    text = render(awkward, form, lines_of, verbosity=1)
    steering = {char for char in text if unicodedata.category(char)[0] == "C" and char != "\n"}
    assert steering == set()
    assert "\\x1b" in text or "\\u001b" in text


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_run(lines_of, form):
    text = render(Run(files=1), form, lines_of)
    assert text == "" if form == "rdjsonl" else text.endswith("\n")


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("text", "concise", "grouped")])
def test_colours_are_for_people(finding, lines_of, form):
    run = Run((finding(),), files=1)
    assert render(run, form, lines_of, color=True) == render(run, form, lines_of)


@pytest.mark.parametrize("form", ["json", "gitlab", "sarif", "rdjson", "junit"])
def test_forms_for_programs_are_ascii(awkward, lines_of, form):
    assert render(awkward, form, lines_of).isascii()


def test_paths_start_at_the_repository(awkward, lines_of, finding):
    assert {one["location"]["path"] for one in json.loads(render(awkward, "gitlab", lines_of))} >= {
        "sub/größe/模型.py",
        "sub/50%25 of: x,y.py",
    }
    run = Run((finding(path="../../other/a.py"), finding(path="<stdin>")), cwd="/r/sub", root="/r")
    assert [one["location"]["path"] for one in json.loads(render(run, "gitlab", lines_of))] == [
        "/other/a.py",
        "<stdin>",
    ]
