import pytest

from compile_lint.report.paths import named, repository, uri


def test_the_repository_is_where_git_is(tmp_path):
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert repository(str(below), {}) == str(below)
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")  # of a worktree: a file
    assert repository(str(below), {}) == str(tmp_path)


@pytest.mark.parametrize("name", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_ci_says_where_the_repository_is(tmp_path, name):
    (tmp_path / "a" / ".git").mkdir(parents=True)
    assert repository(str(tmp_path / "a"), {name: str(tmp_path)}) == str(tmp_path)
    assert repository(str(tmp_path / "a"), {name: str(tmp_path / "other")}) == str(tmp_path / "a")
    assert repository(str(tmp_path / "a"), {name: ""}) == str(tmp_path / "a")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "sub/a.py"),
        ("../a.py", "a.py"),
        ("./x/../a.py", "sub/a.py"),
        ("../../a.py", "/a.py"),
        ("/r/sub/a.py", "sub/a.py"),
        ("/else/a.py", "/else/a.py"),
        ("..a.py", "sub/..a.py"),
        ("<stdin>", "<stdin>"),
    ],
)
def test_names(path, name):
    assert named(path, "/r/sub", "/r") == name


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("a/b.py", "a/b.py"),
        ("a b%.py", "a%20b%25.py"),
        ("a:b?c#d.py", "a%3Ab%3Fc%23d.py"),
        ("é.py", "%C3%A9.py"),
        ("\udcff.py", "%FF.py"),
        ("/a b/c.py", "file:///a%20b/c.py"),
    ],
)
def test_addresses(path, address):
    assert uri(path) == address
