"""Branches that an object enters once: what breaks in them is paid for once, and is no more than possible."""

import textwrap

import pytest

ONCE = {
    "not there yet": ("if self.table is None:", "self.table = x.new_ones(2)"),
    "a flag set": ("if not self.ready:", "self.ready = True"),
    "a flag cleared": ("if self.fresh:", "self.fresh = False"),
    "the longest so far": ("if x.shape[0] > self.longest:", "self.longest = x.shape[0]"),
    "another kind": ('if self.kind == "sparse" and x.shape[0] < 9:', 'self.kind = "full"'),
    "attribute missing": ('if not hasattr(self, "cache"):', "self.cache = x"),
    "by a method": ('if self.kind == "sparse":', 'self.change("full")'),
}
AGAIN = {
    "what is there is renewed": ("if self.table is not None:", "self.table = x.new_ones(2)"),
    "counted": ("if self.steps != 3:", "self.steps = self.steps + 1"),
    "another attribute": ("if not self.ready:", "self.fresh = False"),
    "another object": ("if not self.ready:", "x.ready = True"),
    "the method sets another": ("if not self.ready:", 'self.change("full")'),
}


def model(test: str, change: str) -> str:
    return textwrap.dedent(
        """
        from torch import nn

        class Net(nn.Module):
            def __init__(self, ready, kind, steps, table, fresh):
                super().__init__()
                self.table, self.ready, self.longest, self.kind, self.steps = table, ready, 0, kind, steps
                self.fresh = fresh

            def change(self, kind):
                self.kind = kind

            def forward(self, x):
                y = x * 2
                {test}
                    print("first")
                    {change}
                return y + 1
        """
    ).format(test=test, change=change)


@pytest.mark.parametrize(("test", "change"), ONCE.values(), ids=ONCE)
def test_what_runs_once_is_only_possible(lint, test, change):
    assert [f for f in lint(model(test, change)).findings if f.code == "CL501"] == []


@pytest.mark.parametrize(("test", "change"), AGAIN.values(), ids=AGAIN)
def test_what_may_run_again_is_shown(lint, test, change):
    assert lint(model(test, change)).one("CL501").line == 16


def test_recompilations_are_told_all_the_same(lint):
    source = model("if x.shape[0] > self.longest:", "self.longest = x.shape[0]")
    assert "CL601" in {finding.code for finding in lint(source).findings}
