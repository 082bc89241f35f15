"""The values that calls are made with, by the name under which their source text refers to them."""

from __future__ import annotations

PRELUDE = (
    "import abc, array, ast, asyncio, atexit, base64, bisect, builtins, calendar, cmath, codecs, collections",
    "import collections.abc, concurrent.futures, contextlib, contextvars, copy, csv, ctypes, dataclasses",
    "import datetime, decimal, enum, fractions, functools, gc, glob, hashlib, heapq, importlib",
    "import importlib.util, inspect, io, itertools, json, locale, logging, math, multiprocessing, numbers",
    "import operator, os, os.path, pathlib, pickle, platform, pprint, queue, random, re, secrets, shutil",
    "import signal, socket, statistics, string, struct, subprocess, sys, tempfile, textwrap, threading, time",
    "import traceback, types, typing, uuid, warnings, weakref, zlib",
    "import torch, torch.nn.functional as F",
    "import torch.distributions, torch.utils.data, torch.utils.checkpoint",
    "from compile_lint.confirm.probe.helpers import *",
)
"""Modules that a snippet may name; what is not here is added by `catalogue` as the line that imports it."""

INSIDE = {
    "y2": "y * 0.75",
    "v": "y.sum(0)",
    "v2": "v * 0.75",
    "s": "y.sum()",
    "one": "y.sum().reshape(1)",
    "d3": "torch.stack([y, y])",
    "seq": "y.reshape(1, 4, 4)",
    "img": "y.repeat(2, 2).reshape(1, 1, 8, 8)",
    "vol": "y.repeat(4, 8).reshape(1, 1, 8, 8, 8)",
    "img4": "y.reshape(1, 4, 2, 2)",
    "big": "y.repeat(4, 4)",
    "long": "y.repeat(4, 4).reshape(256)",
    "batch": "y.reshape(4, 4, 1)",
    "spd": "y @ y.t() + 8 * torch.eye(4)",
    "tri": "spd.tril()",
    "spds": "torch.stack([spd, spd])",
    "p": "y.sigmoid()",
    "pv": "v.sigmoid()",
    "simplex": "y.softmax(-1)",
    "pos": "y.abs() + 0.5",
    "dbl": "y.double()",
    "half": "y.half()",
    "n": "(y * 3).to(torch.int64)",
    "nv": "(v * 3).to(torch.int64)",
    "count": "n.abs()",
    "i": "y.argmax(0)",
    "i32": "i.to(torch.int32)",
    "ii": "y.argsort(1)",
    "u8": "n.abs().to(torch.uint8)",
    "k": "(s * 0).to(torch.int64) + 2",
    "k0": "(s * 0).to(torch.int64)",
    "b": "y > 1",
    "bv": "v > 4",
    "bs": "s > 4",
    "sq": "b | b.t()",
    "c": "torch.complex(y, y2)",
    "cv": "torch.complex(v, v2)",
    "w2": "y.repeat(1, 3)[:, :9].reshape(4, 1, 3, 3)",
    "w1": "y[:, :3].reshape(4, 1, 3)",
    "a": "y.numpy()",
    "a2": "y2.numpy()",
    "av": "v.numpy()",
    "av2": "v2.numpy()",
    "a3": "d3.numpy()",
    "aimg": "big.numpy()",
    "an": "n.numpy()",
    "anv": "nv.numpy()",
    "ai": "i.numpy()",
    "ab": "b.numpy()",
    "abv": "bv.numpy()",
    "aspd": "spd.numpy()",
    "ap": "p.numpy()",
    "apv": "pv.numpy()",
    "apos": "pos.numpy()",
    "ac": "c.numpy()",
    "along": "long.numpy()",
    "a0": "s.numpy()",
    "shape": "y.shape",
    "rows": "y.shape[0]",
}
"""Made inside the compiled function from `y`, float32 [4, 4], in this order. None of these lines breaks the graph."""

OUTER = "y = torch.arange(4.0 * ROWS).reshape(ROWS, 4) * 0.1"
"""What `y` is in lines outside the compiled function."""

OUTSIDE = {
    "path": "new_file()",
    "folder": "new_folder()",
    "buf": "io.StringIO('a b')",
    "raw": "io.BytesIO(b'a b')",
    "linear": "torch.nn.Linear(4, 4)",
    "mlp": "torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())",
    "weight": "torch.nn.Parameter(torch.ones(4, 4))",
    "weights": "[with_grad(torch.nn.Parameter(torch.ones(4, 4)))]",
    "leaf": "torch.ones(4, 4, requires_grad=True)",
    "outer": "torch.full((ROWS, 4), 2.0)",
    "gen": "torch.Generator()",
    "logger": "logging.getLogger('probe')",
    "point": "Point(1, 2)",
    "sgd": "torch.optim.SGD([with_grad(torch.nn.Parameter(torch.ones(4, 4)))], lr=0.1)",
    "dataset": "torch.utils.data.TensorDataset(torch.ones(4, 4), torch.ones(4))",
    "table": "{'a': 1, 'b': 2}",
    "flat": "[3, 1, 2]",
}
"""Made before the function is compiled; the function finds them in its closure. Made anew for each run."""


def number_as_tensor(value: int | float) -> str:
    """Source text of a 0-d tensor that holds `value` and is computed inside the compiled function."""
    if isinstance(value, int):
        return f"(y.sum() * 0).to(torch.int64) + {value}"
    return f"y.sum() * 0 + {value}"
