"""Reading rule files: what is said about a bad one."""

from dataclasses import replace

import pytest

from compile_lint._data import rules_root
from compile_lint.rulebook import RuleError, load, read
from compile_lint.rulebook.model import IN_BRANCH

GOOD = """
code = "XY101"
name = "our-dump"
kind = "break"
confidence = "certain"
summary = "our dump() in forward"
message = "{callee}() writes {subject}"
why = "It writes."
instead = "Do not."
graph-break-ids = ["GB0007"]

[[match]]
event = "call"
calls = ["ours.dump*"]
declares = true

[[bad]]
title = "a dump"
torch-config = { capture_scalar_outputs = true }
source = '''
def fn(x):
    dump(x)  # <- XY101
    return x
'''

[[good]]
title = "no dump"
until = "2.13"
source = '''
def fn(x):
    return x
'''
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="ours.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def complaint(write, old, new):
    assert old in GOOD
    path = write(GOOD.replace(old, new, 1))
    with pytest.raises(RuleError) as caught:
        read(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_a_good_file(write):
    rule = read(write(GOOD))
    assert (rule.code, rule.name, rule.kind, rule.confidence) == ("XY101", "our-dump", "break", "certain")
    assert rule.why == "It writes."
    assert rule.matches[0].calls == ("ours.dump*",)
    assert rule.bad[0].marks == {2: ("XY101",)}
    assert rule.bad[0].torch_config == {"capture_scalar_outputs": True}
    assert rule.good[0].until == "2.13"
    assert rule.met_in_branch == IN_BRANCH
    assert read(write(GOOD.replace("name =", "met-in-branch = 0\nname ="))).met_in_branch == 0.0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "break"', 'kind = "brake"', "kind: 'brake' is not valid; did you mean 'break'?"),
        ('"certain"', '"sure"', "confidence: 'sure' is not valid; valid are possible, likely, certain"),
        ("summary =", "sumary =", "sumary: unknown key; did you mean 'summary'?"),
        ('name = "our-dump"', "", "name: is missing"),
        ('why = "It writes."', 'why = " "', "why: is empty"),
        ('why = "It writes."', "why = 3", "why: must be text, not 3"),
        ('"XY101"', '"XY-1"', "code: 'XY-1' is not valid; it must be two to five capital letters"),
        ('"our-dump"', '"Our dump"', "name: 'Our dump' is not valid; it must be lower-case words"),
        ("{subject}", "{subjekt}", "message: unknown placeholder {subjekt}; did you mean 'subject'?"),
        ("{subject}", "{subject", "message: "),
        ('"GB0007"', '"gb7"', "graph-break-ids: 'gb7' is not valid; it must be GB and four digits"),
        ('["GB0007"]', '"GB0007"', "graph-break-ids: must be an array of texts"),
        ('"call"', '"cal"', "match[0].event: 'cal' is not valid; did you mean 'call'?"),
        ("declares", "declare", "match[0].declare: unknown key; did you mean 'declares'?"),
        ('calls = ["ours.dump*"]', "", "match[0].declares: needs the names of the calls"),
        ('"call"', '"branch"', "match[0].declares: goes with the event 'call', not with 'branch'"),
        ("declares = true", 'declares = "yes"', "match[0].declares: must be true or false"),
        ("[[match]]", "[match]", "match: must be an array of tables, written [[match]]"),
        ("  # <- XY101", "  # <- XY102", "bad[0].source: no line is marked `# <- XY101`"),
        ("    return x\n'''\n", "    return x\n'''\nrun = false\n", "bad[0].run-reason: is missing"),
        ('title = "a dump"', "", "bad[0].title: is missing"),
        ("{ capture_scalar_outputs = true }", '"on"', "bad[0].torch-config: must be a table"),
        ('until = "2.13"', 'until = "new"', "good[0].until: 'new' is no torch version"),
        (
            "\"2.13\"\nsource = '''\ndef fn(x):\n",
            "\"2.13\"\nsource = '''\ndef fn(x):  # <- XY101\n",
            "good[0].source: a good example has no marked line",
        ),
        (
            'kind = "break"',
            'kind = "break"\nmet-in-branch = 1.5',
            "met-in-branch: must be a share from 0 to 1, not 1.5",
        ),
        ('kind = "break"', 'kind = "break"\nmet-in-branch = true', "met-in-branch: must be a share from 0 to 1"),
        ("code =", "code", "is not valid TOML: "),
    ],
)
def test_what_is_said(write, old, new, said):
    assert complaint(write, old, new).startswith(said)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(RuleError, match="cannot be read: No such file"):
        read(tmp_path / "nowhere.toml")


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'why = "\xe9"')
    with pytest.raises(RuleError, match="is not UTF-8 text"):
        read(path)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(RuleError, match="the folder of rules is not there"):
        load(tmp_path / "nowhere")


def test_extra_files_and_folders(write):
    one = write(GOOD)
    folder = write(GOOD.replace("XY101", "XY102").replace("our-dump", "our-other"), "more/second.toml").parent
    book = load(rules_root(), [one, folder])
    assert book.codes[-2:] == ("XY101", "XY102")
    assert book.get("our-other") is book.get("XY102")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("XY101", "CL101"), "code: 'CL101' is already the code of "),
        (GOOD.replace("our-dump", "tensor-branch"), "name: 'tensor-branch' is already the name of "),
    ],
)
def test_codes_and_names_are_unique(write, text, said):
    path = write(text)
    with pytest.raises(RuleError) as caught:
        load(rules_root(), [path])
    assert str(caught.value).startswith(f"{path}: {said}")
    assert str(caught.value).endswith("CL101-tensor-branch.toml")


def test_without_examples_the_shipped_rules_are_the_same():
    whole, brief = load(rules_root()), load(rules_root(), examples=False)
    assert [replace(rule, bad=(), good=()) for rule in whole.rules] == list(brief.rules)
    assert all(rule.bad for rule in whole.rules)


def test_files_of_the_user_are_read_whole(write):
    path = write(GOOD.replace("  # <- XY101", ""))
    with pytest.raises(RuleError, match="no line is marked"):
        load(rules_root(), [path], examples=False)
