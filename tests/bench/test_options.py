"""Options of `compile-lint bench` that cannot be used; nothing is run."""

import json

import pytest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--repeats", "1"], "--repeats: '1' is not a whole number of at least 2"),
        (["--calls", "0"], "--calls: '0' is not a whole number of at least 1"),
        (["--starts", "-1"], "--starts: '-1' is not a whole number of at least 1"),
        (["--sizes", "1"], "--sizes: '1' is not a whole number of at least 2"),
        (["--buckets", "x"], "--buckets: 'x' is not a whole number of at least 1"),
        (["--seconds", "0"], "--seconds: must be a number of seconds above 0, such as 300 or '5m', not '0'"),
        (["--format", "html"], "--format: 'html' is not valid; valid are 'text', 'json', 'markdown'"),
        (["--fail-slower"], "--fail-slower: goes with --compare only"),
        (["--traffic", "t.csv", "--vary", "x.0=1"], "--traffic: goes with no --vary"),
        (["--traffic", "t.csv"], "t.csv: cannot be read: No such file or directory"),
        (
            ["--vary", "x.0"],
            "--vary: 'x.0': at 4: expected '=' and values, such as x.0=1,2,4,8",
        ),
        (["--output-file", "no/a.json"], "--output-file: no/a.json: the folder no does not exist"),
        (["--save", "."], "--save: .: is a folder; name a file in it"),
        (["--project", "none"], "--project: none: no such file or folder"),
    ],
)
def test_an_option_that_cannot_be_used(command, options, words):
    done = command("bench", "m.py:f", "--isolated", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {words}")


def test_no_target(command):
    done = command("bench", "--isolated")
    assert (done.code, done.err.partition(":")[2].strip()[:20]) == (2, "no target: name one,")


@pytest.fixture
def measured(monkeypatch):
    """Measuring gives this many targets by hand, then Ctrl-C is pressed."""
    pytest.importorskip("torch")
    pytest.importorskip("msgspec")
    import compile_lint.bench.run
    from compile_lint.bench.record import Machine, TargetBench

    def after(count):
        names = [f"m.py:{letter}" for letter in "abc"[:count]]

        def measure(target, *_):
            if target.name not in names:
                raise KeyboardInterrupt
            return TargetBench(target.name), Machine(cpu="A processor")

        monkeypatch.setattr(compile_lint.bench.run, "measure", measure)

    return after


def test_interrupted_in_the_middle(command, tmp_path, measured):
    (tmp_path / "m.py").write_text("")
    measured(2)
    done = command("bench", "m.py:a", "m.py:b", "m.py:c", "--isolated", "--save", "bench.json")
    assert (done.code, done.err) == (130, "error: interrupted; what was measured before is in the report\n")
    assert done.out.startswith("m.py:a (seed 0)\n\nm.py:b (seed 0)\n\nmeasured on A processor")
    found = json.loads((tmp_path / "bench.json").read_text())
    assert [target["name"] for target in found["targets"]] == ["m.py:a", "m.py:b"]


def test_interrupted_at_once(command, tmp_path, measured):
    (tmp_path / "m.py").write_text("")
    (tmp_path / "bench.json").write_text("older")
    measured(0)
    done = command("bench", "m.py:a", "--isolated", "--save", "bench.json")
    assert (done.code, done.out, done.err) == (130, "", "error: interrupted; nothing was measured\n")
    assert (tmp_path / "bench.json").read_text() == "older"
