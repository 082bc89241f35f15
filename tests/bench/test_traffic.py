import pytest

from compile_lint.bench.record import Size
from compile_lint.bench.traffic import of_vary, parse, read_traffic
from compile_lint.config.errors import ConfigError


def read(text):
    return parse(iter(text.splitlines(keepends=True)), "t.csv")


def pairs(found):
    return [(size.values, size.requests) for size in found.sizes]


def test_a_row_a_request():
    found = read("x.0\n8\n# a remark\n\n 4\n8\n")
    assert (found.source, found.dimensions) == ("t.csv", ("x.0",))
    assert pairs(found) == [((8,), 2), ((4,), 1)]


def test_counts_of_several_dimensions():
    found = read("x.0 y.0, x.1 ,Count\n2,16,10\n4,16,5\n2,16,1\n9,9,0\n")
    assert found.dimensions == ("x.0 y.0", "x.1")
    assert pairs(found) == [((2, 16), 11), ((4, 16), 5)]


@pytest.mark.parametrize("text", ["8x128,3\n4X64\n", "shape,count\n8x128,3\n4x64,1\n"])
def test_shapes_of_the_first_tensor(text):
    found = read(text)
    assert found.dimensions == ("0.0", "0.1")
    assert pairs(found) == [((8, 128), 3), ((4, 64), 1)]


def test_an_int_alone_is_a_shape_of_one_dimension():
    assert (read("8\n4\n8\n").dimensions, pairs(read("8\n4\n8\n"))) == (("0.0",), [((8,), 2), ((4,), 1)])


def test_dimensions_by_position():
    assert read("0.1,count\n8,2\n").dimensions == ("0.1",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "t.csv: holds no request; write a line for each, such as 8x128, or shape,count"),
        ("# nothing\n\n", "t.csv: holds no request; write a line for each, such as 8x128, or shape,count"),
        ("x.0,count\n", "t.csv: holds no request below its header; write a line for each"),
        ("x.0,count\n8,0\n", "t.csv: holds no request below its header; write a line for each"),
        ("x.0\n8\neight\n", "t.csv:3: 'eight' is not a size: write a whole number that is not negative"),
        ("x.0,count\n8,-1\n", "t.csv:2: '-1' is not a count: write a whole number that is not negative"),
        ("x.0,count\n8,1.5\n", "t.csv:2: '1.5' is not a count: write a whole number that is not negative"),
        ("x.0,count\n\n8\n", "t.csv:3: 1 cells, and the header has 2"),
        ("x.0,x.0\n8,8\n", "t.csv:1: 'x.0' is named twice"),
        ("x.0,\n8,8\n", "t.csv:1: a column has no name; name a dimension, such as x.0, or count"),
        (
            "x-0\n8\n",
            "t.csv:1: 'x-0': at 1: expected an argument and a dimension, such as x.0 (or 0.0 by position), not 'x-0'",
        ),
        ("8x4\n8\n", "t.csv:2: 1 sizes, and 2 in the lines before"),
        ("8x4\n8xa\n", "t.csv:2: 'a' is not a size: write a whole number that is not negative"),
        ("8x4,1,2\n", "t.csv:1: expected a shape such as 8x128, or shape,count, not '8x4,1,2'"),
        ("shape\n8x\n", "t.csv:2: '' is not a size: write a whole number that is not negative"),
    ],
)
def test_what_is_no_traffic(text, words):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert str(caught.value) == words


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.csv: cannot be read: No such file or directory$"):
        read_traffic(tmp_path / "none.csv")
    (tmp_path / "odd.csv").write_bytes(b"x.0\n\xff\n")
    with pytest.raises(ConfigError, match=r"odd\.csv: cannot be read: 'utf-8' codec"):
        read_traffic(tmp_path / "odd.csv")


def test_the_mark_of_a_spreadsheet_is_no_part_of_the_name(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbfx.0,count\r\n8,2\r\n")
    assert read_traffic(tmp_path / "t.csv").sizes == (Size((8,), 2),)


def test_vary_gives_each_combination_once():
    found = of_vary(["x.0,y.0=1,2", "x.1=8,8"])
    assert (found.source, found.dimensions) == ("--vary x.0,y.0=1,2 --vary x.1=8,8", ("x.0 y.0", "x.1"))
    assert pairs(found) == [((1, 8), 1), ((2, 8), 1)]
    many = ",".join(map(str, range(200)))
    with pytest.raises(ConfigError, match="gives more than 10000 combinations"):
        of_vary([f"x.0={many}", f"x.1={many}"])
