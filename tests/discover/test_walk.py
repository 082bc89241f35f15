import os
import subprocess

import pytest

from compile_lint.config.keys import DEFAULT_EXCLUDE
from compile_lint.discover import find


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Make files by name, and walk from the folder they lie in."""
    monkeypatch.chdir(tmp_path)

    class Tree:
        root = tmp_path

        def make(self, *names, text=""):
            for name in names:
                path = tmp_path / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)

        def walk(self, *paths, exclude=DEFAULT_EXCLUDE, gitignore=True, cwd=tmp_path):
            return find([str(path) for path in paths or (".",)], exclude, gitignore, str(cwd))

        def names(self, *paths, **kwargs):
            found = self.walk(*paths, **kwargs)
            assert found.errors == ()
            return [file.path for file in found.files]

    return Tree()


def test_python_files_in_order(tree):
    tree.make("b.py", "a/z.py", "a/b/c.py", "a.py", "x.pyi", "y.txt", "z.pyc", "B.py", "noext")
    assert tree.names() == ["B.py", "a.py", "a/b/c.py", "a/z.py", "b.py"]


def test_given_files_count_whatever_they_are_called(tree):
    tree.make("script", "build/x.py", "a.py")
    assert tree.names("script", "build/x.py") == ["build/x.py", "script"]


def test_duplicates_count_once(tree):
    tree.make("a/b.py")
    assert tree.names("a", "a/b.py", "./a/../a/b.py", tree.root / "a", "a/") == ["a/b.py"]


def test_paths_are_relative_to_the_working_directory(tree):
    tree.make("a/b.py", "c/d.py")
    assert [file.path for file in tree.walk("../a", cwd=tree.root / "c").files] == ["../a/b.py"]
    assert [file.path for file in tree.walk(tree.root, cwd=tree.root / "c").files] == ["../a/b.py", "d.py"]


def test_default_excludes_hold_below_the_given_path_only(tree):
    tree.make(
        "m.py", ".venv/lib/site-packages/p/m.py", "node_modules/m.py", "build/m.py", "a/__pycache__/m.py", ".git/m.py"
    )
    assert tree.names() == ["m.py"]
    assert tree.names(".venv/lib/site-packages/p") == [".venv/lib/site-packages/p/m.py"]
    assert tree.names(".venv/lib/site-packages") == [".venv/lib/site-packages/p/m.py"]
    assert tree.names("build") == ["build/m.py"]


def test_excludes(tree):
    tree.make("a.py", "gen/a.py", "gen/b.py", "x/gen/a.py", "x/t_pb2.py")
    assert tree.names(exclude=["gen"]) == ["a.py", "x/t_pb2.py"]
    assert tree.names(exclude=[f"{tree.root}/gen"]) == ["a.py", "x/gen/a.py", "x/t_pb2.py"]
    assert tree.names(exclude=["*_pb2.py", f"{tree.root}/gen/a.py"]) == ["a.py", "gen/b.py", "x/gen/a.py"]


def test_stubs(tree):
    tree.make("a.pyi")
    found = tree.walk("a.pyi")
    assert found.files == ()
    assert [(error.path, error.fatal) for error in found.errors] == [("a.pyi", False)]
    assert tree.names() == []


def test_missing(tree):
    tree.make("a.py")
    found = tree.walk("nowhere", "a.py", "a.py/b.py", "x" * 300)
    assert [file.path for file in found.files] == ["a.py"]
    messages = {error.path: error.message for error in found.errors}
    assert messages["nowhere"] == "no such file or folder"
    assert "a.py/b.py" in messages
    assert messages["x" * 300] == "the path is too long"
    assert all(error.fatal for error in found.errors)


def test_a_null_byte_in_a_path(tree):
    assert [error.fatal for error in tree.walk("a\0b").errors] == [True]


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
class TestLinks:
    def test_loops(self, tree):
        tree.make("a/m.py")
        (tree.root / "a" / "up").symlink_to(tree.root, target_is_directory=True)
        (tree.root / "a" / "self").symlink_to("self")
        (tree.root / "a" / "self.py").symlink_to("self.py")
        found = tree.walk()
        assert [file.path for file in found.files] == ["a/m.py"]
        assert {(error.path, error.message, error.fatal) for error in found.errors} == {
            ("a/up", "is a link to a folder that it lies in: not followed", False),
            ("a/self.py", "is a link that leads back to itself", False),
        }

    def test_a_loop_that_is_given(self, tree):
        (tree.root / "l.py").symlink_to("l.py")
        (error,) = tree.walk("l.py").errors
        assert (error.message, error.fatal) == ("is a link that leads back to itself", True)

    def test_dangling(self, tree):
        (tree.root / ".#m.py").symlink_to("user@host.1234")
        (error,) = tree.walk().errors
        assert (error.path, error.message, error.fatal) == (".#m.py", "no such file or folder", False)

    def test_links_to_files_count_once_under_the_real_name(self, tree):
        tree.make("z.py")
        (tree.root / "a.py").symlink_to("z.py")
        assert tree.names() == ["z.py"]
        assert tree.names("a.py") == ["a.py"]

    def test_links_out_of_the_tree(self, tree):
        tree.make("in/a.py", "out/b.py")
        (tree.root / "in" / "c.py").symlink_to(tree.root / "out" / "b.py")
        (tree.root / "in" / "d").symlink_to(tree.root / "out")
        assert tree.names("in") == ["in/a.py", "in/c.py"]
        assert tree.names("in/d") == ["in/d/b.py"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folder(tree):
    tree.make("a/m.py", "b/m.py")
    (tree.root / "a").chmod(0)
    try:
        found = tree.walk()
    finally:
        (tree.root / "a").chmod(0o700)
    assert [file.path for file in found.files] == ["b/m.py"]
    assert [(error.path, error.message, error.fatal) for error in found.errors] == [
        ("a", "no permission to read this folder", True)
    ]


def test_folder_that_cannot_be_listed(tree, monkeypatch):
    tree.make("a/m.py", "b/m.py")
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = tree.walk()
    assert [file.path for file in found.files] == ["b/m.py"]
    assert [(error.path, error.message, error.fatal) for error in found.errors] == [
        ("a", "no permission to read this folder", True)
    ]


def test_folder_called_like_a_file(tree):
    tree.make("pkg.py/m.py")
    assert tree.names() == ["pkg.py/m.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file_is_passed_over(tree):
    os.mkfifo(tree.root / "pipe.py")
    tree.make("a.py")
    assert tree.names() == ["a.py"]


def test_a_deep_tree(tree):
    tree.make("/".join(["d"] * 150) + "/m.py")
    assert len(tree.names()) == 1


class TestGitignore:
    def test_nested_files(self, tree):
        tree.make("a.py", "gen.py", "sub/gen.py", "sub/b.py", "sub/local.py", "out/x.py")
        tree.make(".gitignore", text="# comment\ngen.py\nout/\n\n")
        tree.make("sub/.gitignore", text="local.py\n!gen.py\n")
        assert tree.names() == ["a.py", "sub/b.py", "sub/gen.py"]
        assert tree.names(gitignore=False) == ["a.py", "gen.py", "out/x.py", "sub/b.py", "sub/gen.py", "sub/local.py"]

    def test_anchored(self, tree):
        tree.make("a.py", "sub/a.py")
        tree.make(".gitignore", text="/a.py\n")
        assert tree.names() == ["sub/a.py"]

    def test_files_above_count_inside_a_repository(self, tree):
        tree.make("sub/a.py", "sub/gen.py")
        tree.make(".gitignore", text="gen.py\n")
        assert tree.names("sub") == ["sub/a.py", "sub/gen.py"]
        (tree.root / ".git" / "info").mkdir(parents=True)
        assert tree.names("sub") == ["sub/a.py"]
        (tree.root / ".git" / "info" / "exclude").write_text("a.py\n")
        assert tree.names("sub") == []

    def test_a_given_path_that_is_ignored(self, tree):
        (tree.root / ".git").mkdir()
        tree.make("out/x.py", "out/deep/y.py", "out/z/w.py")
        tree.make(".gitignore", text="out/\n")
        tree.make("out/.gitignore", text="z\n")
        assert tree.names() == []
        assert tree.names("out") == ["out/deep/y.py", "out/x.py"]
        assert tree.names("out/deep") == ["out/deep/y.py"]
        assert tree.names("out/x.py") == ["out/x.py"]

    def test_bad_patterns_and_bytes(self, tree):
        tree.make("a.py", "b.py")
        (tree.root / ".gitignore").write_bytes(b"\xff\xfe\n!\n/\n***[\nb.py\r\n")
        assert tree.names() == ["a.py"]

    def test_as_git_does(self, tree):
        """Compare with git itself, where there is one."""
        try:
            subprocess.run(["git", "init", "-q", "."], cwd=tree.root, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("needs git")
        tree.make(
            "a.py",
            "b1.py",
            "b2.py",
            "x/a.py",
            "x/keep.py",
            "x/y/gen.py",
            "docs/d.py",
            "docs/e/f.py",
            "tmp/t.py",
            "t t.py",
        )
        tree.make(".gitignore", text="b?.py\n!b2.py\nx/*\n!x/keep.py\n**/gen.py\ndocs/**/f.py\ntmp\nt\\ t.py\n")
        listed = subprocess.run(
            ["git", "ls-files", "--others", "--exclude-standard", "*.py"],
            cwd=tree.root,
            check=True,
            capture_output=True,
            text=True,
        )
        assert tree.names() == sorted(listed.stdout.split("\n"))[1:]
