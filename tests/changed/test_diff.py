"""What a unified diff says: names, lines added and removed, and the files as they were."""

import difflib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.changed import Changes, FileChange, Removed, from_diff
from compile_lint.changed.diff import parse, unquoted
from compile_lint.config.errors import ConfigError

EDIT = b"""\
diff --git a/a.py b/a.py
index 1111111..2222222 100644
--- a/a.py
+++ b/a.py
@@ -1,4 +1,4 @@
 one
-two
+zwei
 three
-four
+vier
"""


def changes(tmp_path, data, *names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return from_diff(data, [str(tmp_path)])


def test_an_edit(tmp_path):
    (change,) = changes(tmp_path, EDIT, "a.py").files
    path = str(tmp_path / "a.py")
    assert change == FileChange(path, path, (2, 4), (Removed(1, b"two"), Removed(3, b"four")))
    assert [change.touches(line, line) for line in range(1, 6)] == [False, True, False, True, False]
    assert change.touches(1, 2)
    assert not change.touches(5, 9)
    assert change.old_text("one\nzwei\nthree\nvier\nfive\n") == "one\ntwo\nthree\nfour\nfive\n"


def test_no_context_and_only_lines_that_are_gone(tmp_path):
    data = b"--- a/a.py\n+++ b/a.py\n@@ -2,2 +1,0 @@\n-two\n-three\n@@ -5 +3 @@\n-five\n+cinq\n"
    (change,) = changes(tmp_path, data, "a.py").files
    assert change.removed == (Removed(1, b"two"), Removed(1, b"three"), Removed(2, b"five"))
    assert change.added == (3,)
    assert change.old_text("one\nfour\ncinq\nsix\n") == "one\ntwo\nthree\nfour\nfive\nsix\n"
    assert [change.old_line(line) for line in (1, 2, 4)] == [1, 4, 6]


def test_new_and_deleted_and_renamed_files(tmp_path):
    data = b"""\
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+a
+b
diff --git a/empty.py b/empty.py
new file mode 100644
index 0000000..e69de29
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-a
diff --git a/one name.py b/another name.py
similarity index 100%
rename from one name.py
rename to another name.py
diff --git a/x.bin b/x.bin
Binary files a/x.bin and b/x.bin differ
"""
    found = changes(tmp_path, data, "new.py", "empty.py", "another name.py")
    new, empty, gone, renamed, _ = found.files
    assert new.is_new
    assert empty.is_new
    assert new.touches(1, 1)
    assert (gone.path, gone.old_path, gone.removed) == ("", str(tmp_path / "gone.py"), (Removed(0, b"a"),))
    assert list(found.deleted()) == [gone]
    assert (renamed.path, renamed.old_path) == (str(tmp_path / "another name.py"), str(tmp_path / "one name.py"))
    assert not renamed.touches(1, 99)
    assert found.of(str(tmp_path / "another name.py")) is renamed
    assert found.of(str(tmp_path / "elsewhere.py")) is None


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("a.py", "a.py"),
        (r'"b/\303\244.py"', "b/ä.py"),
        (r'"q\"x\\y.py"', 'q"x\\y.py'),
        (r'"tab\tnew\n.py"', "tab\tnew\n.py"),
        (r'"\8\9\x.py"', "89x.py"),
        ('"', '"'),
    ],
)
def test_quoted_names(written, name):
    assert unquoted(written) == name


@pytest.mark.parametrize("prefixes", [("a/", "b/"), ("", ""), ("i/", "w/")])
@pytest.mark.parametrize("folder", ["", "pack/"])
def test_where_the_names_start(tmp_path, prefixes, folder):
    source, target = (f"{prefix}{folder}m.py" for prefix in prefixes)
    data = f"--- {source}\t2026-01-01\n+++ {target}\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n".encode()
    found = changes(tmp_path, data, f"{folder}m.py")
    assert [change.path for change in found.files] == [str(tmp_path / folder / "m.py")]


def test_the_folder_in_which_more_of_its_files_are(tmp_path):
    for name in ("top/a.py", "top/sub/a.py", "top/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    data = EDIT + EDIT.replace(b"a.py", b"b.py")
    found = from_diff(data, [str(tmp_path / "top" / "sub"), str(tmp_path / "top")])
    assert [os.path.relpath(change.path, tmp_path) for change in found.files] == ["top/a.py", "top/b.py"]


def test_links_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "a.py").write_text("")
    found = from_diff(EDIT, [str(tmp_path / "link")])
    assert found.of(str(tmp_path / "link" / "a.py")) == found.of(str(tmp_path / "real" / "a.py")) != None  # noqa: E711


def test_bytes_that_are_no_utf8(tmp_path):
    data = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-\xe4\r\n+\xf6\r\n"
    (change,) = changes(tmp_path, data, "a.py").files
    assert change.removed == (Removed(0, b"\xe4\r"),)
    assert change.old_text("\xf6\r\n", "latin-1") == "\xe4\r\n"


def test_only_a_line_feed_ends_a_line(tmp_path):
    data = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-a\x0cb\rc\xe2\x80\xa8d\n+x\x0cy\n+z\n"
    (change,) = changes(tmp_path, data, "a.py").files
    assert change.added == (1, 2)
    assert change.old_text("x\x0cy\nz\n") == "a\x0cb\rc\u2028d\n"


@pytest.mark.parametrize("data", [b"", b"\n", b"diff --git a/m b/m\nold mode 100644\nnew mode 100755\n"])
def test_no_change(tmp_path, data):
    assert changes(tmp_path, data, "m").of(str(tmp_path / "a.py")) is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello\n", "--diff: is not a unified diff: no file is named in it"),
        (b"--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n a\n", "--diff: is not a unified diff: Hunk is shorter"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "--diff: is not a unified diff: Unexpected hunk found"),
        (EDIT.replace(b"a.py", b"b.py"), "--diff: b/b.py: no such file, nor any other of the diff"),
    ],
)
def test_what_cannot_be_used(tmp_path, data, words):
    with pytest.raises(ConfigError) as caught:
        changes(tmp_path, data, "a.py")
    assert str(caught.value).startswith(words)


def test_a_diff_of_deleted_files_only(tmp_path):
    found = changes(tmp_path, b"--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    assert [change.old_path for change in found.files] == [str(tmp_path / "a.py")]


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "+x", "-y", "@@"]), max_size=8)


@given(old=LINES, new=LINES, context=st.integers(0, 3))
def test_a_diff_gives_the_old_text_back(old, new, context):
    before, after = ["".join(f"{line}\n" for line in lines) for lines in (old, new)]
    diff = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/f", "b/f", n=context)
    data = "".join(diff).encode()
    if not data:
        return
    ((_, _, file),) = parse(data, "--diff")
    from compile_lint.changed.diff import _change

    change = _change("f", "f", file, str)
    assert change.old_text(after) == before
    for number, line in enumerate(new, 1):
        if not change.touches(number, number):
            assert old[change.old_line(number) - 1] == line


def test_nothing_is_changed():
    assert Changes().of("a.py") is None
