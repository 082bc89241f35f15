"""What is wrong with a configuration or an option."""

from __future__ import annotations


class ConfigError(ValueError):
    """A setting that cannot be used. The text is whole and fit to show: it names the place, the key and a way on."""
