"""Findings and breaks that are known today, in a file, so that only new ones fail."""

from __future__ import annotations
