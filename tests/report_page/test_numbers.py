"""Numbers as they are read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.bench.figures import Range
from compile_lint.report_page import numbers
from compile_lint.report_page.catalogue import Catalogue

EN, ZH = Catalogue("en"), Catalogue("zh")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.012345, "0.0123"),
        (1.5, "1.5"),
        (9.996, "10"),
        (12.34, "12.3"),
        (999.6, "1,000"),
        (20_167, "20,200"),
        (-3.14159, "-3.14"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
        (math.nan, "?"),
        (0.00000123456, "0.00000123"),
        (1e-15, "1e-15"),
        (1.5e300, "1.5e+300"),
    ],
)
def test_number(value, shown):
    assert numbers.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0 ms"),
        (0.0424, "42.4 µs"),
        (0.5, "0.5 ms"),
        (999, "999 ms"),
        (1500, "1.5 s"),
        (119_000, "119 s"),
        (120_000, "2 min"),
        (7_200_000, "2 h"),
        (-2000, "-2 s"),
    ],
)
def test_duration(value, shown):
    assert numbers.duration(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.3, "30%"), (0.052, "5.2%"), (0.05, "5%"), (-0.02, "-2%"), (-0.0001, "0%"), (1, "100%")]
)
def test_percent(value, shown):
    assert numbers.percent(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3000, "3,000 USD"), (12.5, "12.50 USD"), (1234.5, "1,234 USD"), (-0.001, "0 USD"), (0, "0 USD")],
)
def test_money(value, shown):
    assert numbers.money(value, "USD") == shown


def test_memory():
    assert [numbers.memory(size) for size in (12, 300 << 20, 5 << 40)] == ["12 B", "300 MiB", "5 TiB"]


def test_short():
    shown = [numbers.short(value) for value in (0, 999, 1500, 20_167, 5e7, -2.5e9)]
    assert shown == ["0", "999", "1.5k", "20.2k", "50M", "-2.5G"]


def test_ranges():
    assert numbers.share_range(Range(0.3, 0.28, 0.32), EN) == "30% (28% to 32%)"
    assert numbers.share_range(Range(0.3, 0.28, 0.32), ZH) == "30%（28% 至 32%）"  # noqa: RUF001
    assert numbers.share_range(Range(0.3, 0.3, 0.3), EN) == "30%"
    assert numbers.duration_range(Range(1500, 900, 2000), EN) == "1.5 s (900 ms to 2 s)"
    assert numbers.money_range(Range(3000, 3000.2, 3000.4), "USD", EN) == "3,000 USD"  # no two that read the same


@given(st.floats())
def test_no_number_fails(value):
    assert numbers.number(value) and numbers.percent(value) and numbers.money(value, "EUR") and numbers.duration(value)
