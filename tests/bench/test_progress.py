from compile_lint.bench.options import Options
from compile_lint.bench.progress import Steps
from compile_lint.bench.traffic import of_vary


def test_what_is_left_follows_from_what_was_seen():
    said = []
    steps = Steps("model", Options(starts=3, artifacts=False), said.append)
    steps.expect("cold", 10.0)
    for part in ("eager", "steady", "confirm"):
        steps.drop(part)
    steps.done("warm", 2.0)
    steps.begin("cold", "cold start 2 of 3")
    assert said == ["measuring model: cold start 2 of 3; about 24 s left"], (
        "two cold starts of 10 s, two warm ones of 2 s"
    )
    steps.done("cold", 20.0)
    assert steps.seconds() == 20.0 + 2 * 2.0
    steps.drop("cold", "warm")
    assert steps.seconds() == 0


def test_remedies_are_steps_where_there_is_traffic():
    quiet = [].append
    alone = Steps("model", Options(), quiet)
    with_traffic = Steps("model", Options(traffic=of_vary(["x.0=1,2"])), quiet)
    assert with_traffic.seconds() > alone.seconds()
