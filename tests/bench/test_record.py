"""Writing a record and reading it back."""

import json

import pytest

pytest.importorskip("msgspec")

from compile_lint.bench.read import parse_record, read_record
from compile_lint.bench.write import document, json_schema, render, schema
from compile_lint.config.errors import ConfigError


@pytest.fixture
def record(records):
    return records.record(records.target(traffic=records.traffic()), records.target("other", status="timeout"))


def test_what_is_written_is_read(record, tmp_path):
    (tmp_path / "bench.json").write_text(render(record))
    assert read_record(tmp_path / "bench.json") == record


def test_half_a_surrogate_is_spelt_out(records):
    text = render(records.record(records.target(message="no \udc80")))
    assert text.isascii() and parse_record(text, "it").targets[0].message == r"no \udc80"


def test_the_shipped_schema_is_that_of_the_record(record):
    shipped = json.loads(json_schema().read_text())
    assert shipped == schema()
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(shipped)
    validator = jsonschema.Draft202012Validator(shipped)
    validator.validate(document(record))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**document(record), "version": 2})


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.json: cannot be read: No such file or directory$"):
        read_record(tmp_path / "none.json")


def test_a_file_of_other_bytes(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(ConfigError, match=r"a\.json: cannot be read: 'utf-8' codec"):
        read_record(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", r"^it: is not JSON: "),
        ("[" * 100_000, r"^it: is not JSON: "),
        ('{"version": NaN}', r"^it: is not JSON: NaN is no number of JSON$"),
        ("[]", r"^it: is no record of `compile-lint bench`; write one by --format json or --save$"),
        ('{"version": 1, "targets": [], "figures": {}}', r"^it: is no record of `compile-lint bench`"),
        (
            '{"version": 7, "targets": [], "machine": {}}',
            r"^it: is a record of version 7; this compile-lint reads version 1$",
        ),
        (
            '{"version": 1, "machine": {}, "targets": [{"name": "a", "seed": "0"}]}',
            r"^it: targets\[0\]\.seed: expected `int`, got `str`$",
        ),
        ('{"version": 1, "machine": {}, "targets": [{}]}', r"^it: targets\[0\]: object missing required field `name`$"),
        (
            '{"version": 1, "machine": {}, "targets": [{"name": "a", "eager": {"repeats": [[1, "x"]]}}]}',
            r"^it: targets\[0\]\.eager\.repeats\[0\]\[1\]: expected `float`, got `str`$",
        ),
    ],
)
def test_what_is_no_record(text, words):
    with pytest.raises(ConfigError, match=words):
        parse_record(text, "it")
