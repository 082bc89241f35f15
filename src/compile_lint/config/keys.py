"""Every setting that can be configured: its name, the shape of its value, its default and what it does.

The option of that name, the validation of configuration files and the file that `init` writes all come from this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compile_lint.findings import CONFIDENCES, KINDS

Shape = Literal[
    "codes",
    "globs",
    "paths",
    "strings",
    "flag",
    "choice",
    "kinds",
    "score",
    "count",
    "version",
    "path",
    "ignores",
    "torch",
    "targets",
    "outputs",
    "business",
]

FORMATS = (
    "text", "concise", "grouped", "json", "github", "gitlab", "sarif", "rdjson", "rdjsonl", "junit", "markdown",
)  # fmt: skip
TOOL_FORMATS = ("json", "gitlab", "sarif", "rdjson", "rdjsonl", "junit")
"""Those that a program reads whole, so that nothing else may stand beside one."""
COUNTED_FORMATS = ("text", "concise", "grouped", "json")
"""Those that `statistics` has."""
COLORS = ("auto", "always", "never")
NO_KIND = "none"

CACHE = ".compile_lint_cache"

DEFAULT_EXCLUDE = (
    ".bzr", CACHE, ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox",
    ".pants.d",
    ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pycache__",
    "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip
"""Folders that hold other people's code or no source at all; ruff's list, and the cache."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting. `default` is what TOML would hold; `example`, where there is one, stands in the file of `init`."""

    name: str
    shape: Shape
    default: object
    help: str
    choices: tuple[str, ...] = ()
    example: object = None
    adds_up: bool = False
    """Given in the configuration and as an option, both count; else the option replaces the configuration."""


KEYS: tuple[Key, ...] = (
    Key("select", "codes", ["ALL"], "Rules to show: codes, prefixes such as CL1, names, or ALL."),
    Key("extend-select", "codes", [], "Rules to show besides `select`.", adds_up=True),
    Key("ignore", "codes", [], "Rules to leave out; the longer prefix wins over `select`.", adds_up=True),
    Key("extend-ignore", "codes", [], "Rules to leave out besides `ignore`.", adds_up=True),
    Key(
        "per-file-ignores",
        "ignores",
        {},
        "Rules to leave out in the files that match a glob.",
        example={"tests/**": ["CL6"]},
    ),
    Key(
        "exclude",
        "globs",
        list(DEFAULT_EXCLUDE),
        "Files and folders that are not looked at. Replaces the default list.",
    ),
    Key("extend-exclude", "globs", [], "Files and folders that are not looked at, besides `exclude`.", adds_up=True),
    Key("respect-gitignore", "flag", True, "Leave out what .gitignore files leave out."),
    Key("force-exclude", "flag", False, "Leave out what is excluded even where it is named."),
    Key("follow-imports", "flag", False, "Read the files that those named import, and follow calls into them."),
    Key(
        "target-torch",
        "version",
        "",
        "The torch release to predict for. Default: the one installed beside the tool, else the newest known.",
        example="2.13",
    ),
    Key(
        "entry-points",
        "strings",
        [],
        "Globs on qualified names of compiled functions. Default: what is compiled, and every nn.Module.forward.",
        example=["*.forward"],
    ),
    Key("min-confidence", "choice", "likely", "Show findings of at least this confidence.", choices=CONFIDENCES[::-1]),
    Key("format", "choice", "text", "Form of the report.", choices=FORMATS),
    Key("output-file", "path", "", "Write the report here, not to the terminal.", example="compile-lint.txt"),
    Key(
        "output",
        "outputs",
        [],
        "More reports of the same run: a form, printed, or FORM=FILE.",
        choices=FORMATS,
        example=["github", "sarif=out.sarif"],
    ),
    Key("statistics", "flag", False, "Count findings by rule, and show the counts only."),
    Key("baseline", "path", "", "Findings that are known, and not shown.", example="compile-lint-baseline.json"),
    Key(
        "diff-scope",
        "choice",
        "line",
        "Show findings on changed lines, or in changed functions too.",
        choices=("line", "function"),
    ),
    Key("exit-zero", "flag", False, "Exit with 0 in spite of findings."),
    Key(
        "fail-on",
        "kinds",
        ["error", "wrong", "break"],
        "Kinds of findings that make the exit code 1; none for no kind.",
        choices=(*KINDS, NO_KIND),
    ),
    Key("fail-under", "score", 0, "Exit with 1 if the score of the run is lower, 0 to 100."),
    Key("color", "choice", "auto", "Colour the report.", choices=COLORS),
    Key(
        "extend-rules",
        "paths",
        [],
        "Your own rule files, or folders of them.",
        adds_up=True,
        example=["lint/rules.toml"],
    ),
    Key("cache", "flag", True, "Remember the results of files that have not changed."),
    Key(
        "cache-dir",
        "path",
        "",
        "Where results are remembered. Default: .compile_lint_cache beside the configuration, else here.",
        example=".compile_lint_cache",
    ),
    Key("jobs", "count", 0, "How many processes share the work. Default: as many as the CPUs and the files warrant."),
    Key("torch-config", "torch", {}, "Settings of torch._dynamo.config that your code runs with."),
    Key("target", "targets", [], "What `compile-lint confirm` runs: a table each, see target_keys.py."),
    Key("business", "business", {}, "Money and traffic that `compile-lint decide` reckons with, see business_keys.py."),
)

BY_NAME: dict[str, Key] = {key.name: key for key in KEYS}

ALIASES: dict[str, str] = {"entry": "entry-points"}
"""Configuration keys that are spelt like an option of another name."""

ONLY_OPTIONS = (
    "config", "isolated", "quiet", "verbose", "show-files", "show-settings", "stdin-filename", "diff", "diff-base",
    "write-baseline", "prune-baseline", "add-ignore", "reason",
)  # fmt: skip
"""What belongs to one call, so that a configuration file may not hold it."""


@dataclass(frozen=True, slots=True)
class TorchKey:
    """One setting of torch._dynamo.config that changes what breaks or compiles again."""

    name: str
    default: bool | int
    help: str


TORCH_KEYS: tuple[TorchKey, ...] = (
    TorchKey("capture_scalar_outputs", False, "item(), int(), float() and tolist() stay in the graph."),
    TorchKey("capture_dynamic_output_shape_ops", False, "nonzero, unique and masks stay in the graph."),
    TorchKey("allow_rnn", False, "nn.RNN, nn.LSTM and nn.GRU are traced."),
    TorchKey("allow_unspec_int_on_nn_module", False, "An int attribute of a module becomes dynamic."),
    TorchKey("assume_static_by_default", True, "Sizes are static until they change."),
    TorchKey("automatic_dynamic_shapes", True, "A size that has changed becomes dynamic."),
    TorchKey("capture_autograd_function", True, "autograd.Function is traced."),
    TorchKey("capture_func_transforms", True, "torch.func is traced."),
    TorchKey("capture_sparse_compute", True, "Sparse tensors are traced."),
    TorchKey("compiled_autograd", False, "The backward pass is captured too."),
    TorchKey("enable_trace_contextlib", True, "contextlib's context managers are traced."),
    TorchKey("error_on_recompile", False, "Compiling again is an error."),
    TorchKey("fail_on_recompile_limit_hit", False, "Reaching the recompile limit is an error."),
    TorchKey("force_parameter_static_shapes", True, "Shapes of parameters are static."),
    TorchKey("graph_break_on_nn_param_ctor", True, "nn.Parameter made inside breaks the graph."),
    TorchKey("inline_inbuilt_nn_modules", True, "Modules are inlined."),
    TorchKey("nested_graph_breaks", False, "A break in a nested function resumes in it."),
    TorchKey("recompile_limit", 8, "How often one function is compiled again."),
    TorchKey("rewrite_assert_with_torch_assert", True, "assert on a tensor becomes an assertion in the graph."),
    TorchKey("specialize_float", False, "A float is a constant of the graph."),
    TorchKey("specialize_int", False, "An int is a constant of the graph."),
    TorchKey("suppress_errors", False, "What fails to compile runs eagerly."),
    TorchKey("trace_autograd_ops", False, "autograd.grad is traced."),
    TorchKey("trace_numpy", True, "numpy calls are traced."),
)

TORCH_BY_NAME: dict[str, TorchKey] = {key.name: key for key in TORCH_KEYS}
