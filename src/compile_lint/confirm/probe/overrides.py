"""Calls written by hand, for callables whose arguments cannot be guessed: several for one name are tried in turn.

Names such as `y` or `flat` are those of `values`; a call may also be statements that assign `r`. An empty entry says
that the callable is not to be run.
"""

from __future__ import annotations

from compile_lint.confirm.probe.calls_arrays import ARRAYS
from compile_lint.confirm.probe.calls_modules import DISTRIBUTIONS, MODULE_METHODS, NN, OTHERS
from compile_lint.confirm.probe.calls_python import BUILTINS, STDLIB
from compile_lint.confirm.probe.calls_torch import FUNCTIONAL, TORCH
from compile_lint.confirm.probe.snippet import Snippet

CALLS: dict[str, tuple[str | Snippet, ...]] = {
    **TORCH,
    **{f"torch.nn.functional.{name}": calls for name, calls in FUNCTIONAL.items()},
    **BUILTINS,
    **STDLIB,
    **{f"torch.nn.{name}": (f"torch.nn.{name}({made})",) for name, (made, _) in NN.items()},
    **{f"torch.nn.{name}()": (f"o({called})",) for name, (_, called) in NN.items() if called},
    **{f"torch.nn.Module.{name}": calls for name, calls in MODULE_METHODS.items()},
    **{f"torch.distributions.{name}": (f"torch.distributions.{name}({made})",) for name, made in DISTRIBUTIONS.items()},
    "torch.distributions.kl_divergence": (
        "torch.distributions.kl_divergence(torch.distributions.Normal(y, pos), torch.distributions.Normal(y2, pos))",
    ),
    **OTHERS,
    **ARRAYS,
}
EXTRA = {
    "data": ["torch.utils.data.DataLoader.__iter__"],
    "builtins": [name for name in BUILTINS if "[" in name and not name.startswith("builtins.")],
    "stdlib": ["copy.copy[module]", "copy.deepcopy[module]", *(n for n in STDLIB if n.startswith("os.environ.__"))],
}
"""Rows that no enumeration yields, by table: they exist because a call is written for them here."""
RECEIVER_CALLS: dict[str, Snippet] = {
    "torch.UntypedStorage": Snippet("", inside=("o = y.untyped_storage()",)),
    "torch.Generator": Snippet("", outside=("o = torch.Generator()",)),
    "torch.dtype": Snippet("", outside=("o = torch.float32",)),
    "logging.Logger": Snippet("", outside=("o = logging.getLogger('probe')",)),
    "re.Pattern": Snippet("", outside=("o = re.compile('a')",)),
    "re.Match": Snippet("", outside=("o = re.match('(?P<n>a)', 'a b')",)),
    "io.TextIOWrapper": Snippet("", outside=("o = open(path, 'r+')",)),
    "io.BufferedReader": Snippet("", outside=("o = open(path, 'rb')",)),
    "io.BufferedWriter": Snippet("", outside=("o = open(path, 'wb')",)),
    "pathlib.Path": Snippet("", outside=("o = pathlib.Path(path)",)),
    "pathlib.PosixPath": Snippet("", outside=("o = pathlib.PosixPath(path)",)),
    "types.GeneratorType": Snippet("", inside=("o = (q for q in range(9))",)),
    "datetime.datetime": Snippet("", inside=("o = datetime.datetime(2020, 2, 2)",)),
    "enum.Enum": Snippet("", outside=("o = Color.RED",)),
    "inspect.Signature": Snippet("", outside=("o = inspect.signature(add)",)),
    "inspect.Parameter": Snippet("", outside=("o = inspect.signature(add).parameters['a']",)),
    "threading.Thread": Snippet("", outside=("o = threading.Thread(target=nothing)",)),
    "subprocess.Popen": Snippet("", outside=("o = subprocess.Popen(['true'])",)),
    "contextvars.ContextVar": Snippet("", outside=("o = contextvars.ContextVar('a', default=1)",)),
    "socket.socket": Snippet("", outside=("o = socket.socket()",)),
}
"""Lines that make the instance `o` of a class, where constructing it by guessed arguments would not do."""

FORMS: dict[str, tuple[tuple[str, str], ...]] = {
    "torch.repeat_interleave": (
        ("1:repeats=tensor & :output_size=present", "torch.repeat_interleave(y, i * 0 + 2, dim=0, output_size=8)"),
        ("1:repeats=tensor", "torch.repeat_interleave(y, i * 0 + 2, dim=0)"),
        ("1:repeats=absent", "torch.repeat_interleave(i)"),
    ),
    "torch.Tensor.repeat_interleave": (
        ("0:repeats=tensor & :output_size=present", "y.repeat_interleave(i * 0 + 2, dim=0, output_size=8)"),
        ("0:repeats=tensor", "y.repeat_interleave(i * 0 + 2, dim=0)"),
    ),
    "torch.tensor_split": (("1:indices_or_sections=tensor", "torch.tensor_split(y, torch.tensor([1, 2]))"),),
    "torch.tensor": (("0:data=tensor", "torch.tensor(y)"),),
    "torch.as_tensor": (("0:data=tensor", "torch.as_tensor(y)"),),
    "torch.Tensor.new_tensor": (("0:data=tensor", "y.new_tensor(v)"),),
    "torch.nn.functional.ctc_loss": (
        (
            "2:input_lengths=tensor & 3:target_lengths=tensor",
            "F.ctc_loss(d3.log_softmax(-1).transpose(0, 1), ii[:2, :2].clamp(min=1), i[:2] * 0 + 4, i[:2] * 0 + 2)",
        ),
    ),
    "torch.utils.checkpoint.checkpoint": (
        (":use_reentrant=True", "torch.utils.checkpoint.checkpoint(double, y, use_reentrant=True)"),
        (":use_reentrant=absent", "torch.utils.checkpoint.checkpoint(double, y)"),
    ),
}
"""Forms of a call that no change of a single argument yields: the condition, and the call that stands for it."""
