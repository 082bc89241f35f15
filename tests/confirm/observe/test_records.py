"""The texts of several versions of torch."""

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.torch


@pytest.fixture
def records():
    from compile_lint.confirm.observe import records

    return records


def test_a_text_without_id_or_hints(records):
    text = (
        "Graph break in user code at /p/model.py:7\n"
        "Reason: Unsupported: builtin: print [<class 'ConstantVariable'>] False\n"
        "User code traceback:\n"
        '  File "/p/model.py", line 12, in forward\n'
        "    return self.step(x)\n"
        '  File "/p/model.py", line 7, in torch_dynamo_resume_in_step_at_5\n'
        "    print(x)\n"
    )
    read = records.read_break(text)
    assert (read.ids, read.url, read.hint, read.frame_skipped) == ((), "", "", False)
    assert read.reason == "Unsupported: builtin: print [<class 'ConstantVariable'>] False"
    assert [(each.line, each.name) for each in read.stack] == [(12, "forward"), (7, "step")]


def test_a_repeated_line_has_no_stack(records):
    text = (
        "Graph break (user stack suppressed due to duplicate graph break) in user code at /p/model.py:7\n"
        "Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):\n\n"
        "Failed to trace builtin operator\n  Explanation: It does not know.\n  Hint: Avoid it.\n  Hint: Report\nit.\n\n"
        "  Developer debug context: builtin print\n\n"
        " For more details: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html"
    )
    read = records.read_break(text)
    assert (read.repeated, read.stack, read.at.line, read.ids) == (True, (), 7, ("GB0059",))
    assert read.reason == "Failed to trace builtin operator: It does not know."
    assert read.hint == "Avoid it.\nReport it."


def test_an_older_recompilation(records):
    text = (
        "Recompiling function fn in /p/model.py:3\n"
        "    triggered by the following guard failure(s):\n"
        "    - 0/0: L['n'] == 2                # return x * n  # model.py:4 in fn\n"
    )
    read = records.read_recompile(text)
    assert (read.function.line, read.name) == (3, "fn")
    assert [(each.text, each.short_path, each.line) for each in read.guards] == [("L['n'] == 2", "model.py", 4)]


def test_remarks_are_no_part_of_a_guard(records):
    text = (
        "Recompiling function fn in /p/model.py:3\n"
        "    triggered by the following guard failure(s):\n"
        "    - 0/1: 2 <= x.size()[0] <= 5  # if x.shape[0] > 5:  # p/model.py:4 in fn (user code shown is first use)\n"
        "    - 0/0: x.size()[1] == x.size()[0]  # duck sizing added this equality because (1)\n"
    )
    guards = records.read_recompile(text).guards
    assert [each.text for each in guards] == ["2 <= x.size()[0] <= 5", "x.size()[1] == x.size()[0]"]
    assert (guards[0].short_path, guards[0].line) == ("p/model.py", 4)
    assert guards[1].hint.startswith("duck sizing")


def test_other_texts_are_no_records(records):
    assert records.read_break("torch._dynamo.reset") is None
    assert records.read_recompile("nothing") is None
    assert records.limit_hit("torch._dynamo hit config.cache_size_limit (8)") == "cache_size_limit"


@pytest.mark.parametrize(
    ("guard", "words", "subject"),
    [
        ("tensor 'L['x']' size mismatch at index 1. expected 4, actual 6", "x.size(1) was 4 and is now 6", "x.size(1)"),
        ("tensor 'x' rank mismatch. expected 1, actual 2", "x had 1 dimensions and now has 2", "x.dim()"),
        ("tensor 'x' requires_grad mismatch. expected requires_grad=0", "x now needs a gradient", "x.requires_grad"),
        ("len(xs) == 2", "the length of xs is no longer 2", "len(xs)"),
        ("m is None", "m is no longer None", "m"),
        ("not self.acts", "self.acts is no longer empty or false", "self.acts"),
        ("G['N'] == 1", "N is no longer 1", "N"),
        ("s == 'aa'", "s is no longer 'aa'", "s"),
        ("___check_obj_id(f.__code__, 140), type=<class 'code'>", "f is another function", "f"),
        ("___check_type_id(x, 12), type=<class 'int'>", "x is no longer of type int", "type(x)"),
        ("2 <= x.size()[0]", "2 <= x.size(0) no longer holds", "x.size(0)"),
        ("GLOBAL_STATE changed: grad_mode ", "global state of torch changed: grad_mode", ""),
        ("utils_device.CURRENT_DEVICE == None", "the default device changed", ""),
        ("some.thing(else) here", "`some.thing(else) here` no longer holds", "else"),
    ],
)
def test_guards_in_words(guard, words, subject):
    from compile_lint.confirm.observe.guards import meaning

    read = meaning(guard)
    assert read.words == words
    if "some" not in guard:
        assert read.subject == subject


def test_names_of_functions(tmp_path):
    from compile_lint.confirm.observe.places import definition, qualified_name, resolve

    path = tmp_path / "m.py"
    path.write_text(
        "class A:\n    @staticmethod\n    def f():\n"
        "        def g():\n            return [\n                0 for _ in ()]\n"
    )
    assert qualified_name(str(path), 5, "g") == "A.f.<locals>.g"
    assert qualified_name(str(path), 6, "<listcomp>") == "A.f.<locals>.g.<locals>.<listcomp>"
    assert definition(str(path), 2, "f").line == 3
    assert qualified_name("<string>", 1, "fn") == "fn"
    assert resolve("a/m.py", ["/x/a/m.py", "/x/b/m.py"]) == "/x/a/m.py"
