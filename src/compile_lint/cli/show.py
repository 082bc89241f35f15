"""`--show-settings`: what is in force, spelt out."""

from __future__ import annotations

from compile_lint.config.file import shown
from compile_lint.config.options import Options
from compile_lint.report import safe


def settings_in_force(options: Options) -> str:
    """The merged settings, a line each, named as the configuration names them."""
    settings = options.settings
    rows: list[tuple[str, object]] = [
        ("configuration", shown(options.config_file) if options.config_file else "none"),
        ("rules", list(settings.select) or ("all" if not settings.ignore else "none")),
        ("left out", list(settings.ignore)),
        ("per-file-ignores", {glob: list(codes) for glob, codes in settings.per_file_ignores}),
        ("exclude", list(options.exclude)),
        ("respect-gitignore", options.respect_gitignore),
        ("force-exclude", options.force_exclude),
        ("follow-imports", options.follow_imports),
        ("target-torch", settings.target_torch),
        ("entry-points", list(settings.entry_points) or "compiled functions and every nn.Module.forward"),
        ("min-confidence", settings.min_confidence),
        ("format", options.format),
        ("output-file", str(options.output_file or "")),
        ("output", [form if path is None else f"{form}={path}" for form, path in options.outputs]),
        ("statistics", options.statistics),
        ("baseline", str(options.baseline or "")),
        ("diff-scope", options.diff_scope),
        ("exit-zero", options.exit_zero),
        ("fail-on", list(settings.fail_on) or "none"),
        ("fail-under", settings.fail_under or 0),
        ("color", options.color),
        ("cache", options.cache_dir is not None),
        ("cache-dir", str(options.cache_dir or "")),
        ("jobs", options.jobs or "as many as fit"),
        ("extend-rules", list(settings.extend_rules)),
        ("torch-config", dict(settings.torch_config)),
        ("target", list(options.targets)),
        ("business", dict(options.business)),
    ]
    return "".join(f"{name} = {safe(_value(value))}\n" for name, value in rows)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + "}"
    return str(value)
