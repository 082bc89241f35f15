"""The table of money and traffic."""

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import read


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def values(text):
        (tmp_path / "pyproject.toml").write_text(text)
        return read(tmp_path / "pyproject.toml").values["business"]

    return values


def test_values_are_of_one_kind(table):
    assert table(
        '[tool.compile-lint.business]\ngpu-cost-per-month = 10_000\nrequests-per-day = "1,000,000"\nreplicas = 2.5\n'
        'first-request-slo = "2m"\ncurrency = "EUR"\n[tool.compile-lint.business.target.detr]\nrestarts-per-day = 3\n'
    ) == {
        "gpu-cost-per-month": 10_000.0,
        "requests-per-day": 1_000_000.0,
        "replicas": 2.5,
        "first-request-slo": 120.0,
        "currency": "EUR",
        "target": {"detr": {"restarts-per-day": 3.0}},
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gpu-cost-per-moth = 1", ".gpu-cost-per-moth: unknown key; did you mean 'gpu-cost-per-month'?"),
        ("gpu-cost-per-month = -1", ".gpu-cost-per-month: must be 0 or more, not -1"),
        ("gpu-cost-per-month = nan", ".gpu-cost-per-month: must be a number, not nan"),
        ("gpu-cost-per-month = inf", ".gpu-cost-per-month: must be a number up to 1e+15, not inf"),
        ("gpu-cost-per-month = true", ".gpu-cost-per-month: must be a number, not true"),
        ('gpu-cost-per-month = "1,0"', ".gpu-cost-per-month: must be a number such as 10000 or 10,000, not '1,0'"),
        ("replicas = 0", ".replicas: must be above 0, not 0"),
        ("first-request-slo = 0", ".first-request-slo: must be a number of seconds above 0"),
        ('currency = ""', ".currency: must be a currency of at most 8 letters, such as USD, not ''"),
        ("engineering-cost = 1\nengineering-weeks = 1", ": has engineering-cost and engineering-weeks"),
        ("target = 3", ".target: must be tables by the name of a target, not 3"),
        ("target.detr = 3", ".target.detr: must be a table such as { requests-per-day = 1000 }, not 3"),
        ("target.detr.target = 3", ".target.detr.target: unknown key"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(table, line, words):
    with pytest.raises(ConfigError) as raised:
        table(f"[tool.compile-lint.business]\n{line}\n")
    assert str(raised.value).startswith(f"pyproject.toml: tool.compile-lint.business{words}")


def test_it_is_a_table(table):
    with pytest.raises(ConfigError, match=r"business: must be a table such as \{ gpu-cost-per-month = 10000 \}, not 3"):
        table("[tool.compile-lint]\nbusiness = 3\n")
