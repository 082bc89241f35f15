"""Finds what will break, recompile or go wrong under torch.compile, before anything runs."""

__version__ = "0.1.0"
