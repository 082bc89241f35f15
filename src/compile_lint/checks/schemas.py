"""Operators whose schema torch refuses where they are declared: the file cannot be imported."""

from __future__ import annotations

from compile_lint.customops.declared import Declared, Operator
from compile_lint.findings import Finding
from compile_lint.project.modules import ModuleInfo
from compile_lint.rulebook.lookup import Rulebook


def refused_schemas(module: ModuleInfo, declared: Declared, rules: Rulebook) -> list[Finding]:
    """One finding for each operator that the file defines so, at the line of its definition."""
    rule = rules.for_event("op-schema-refused") if declared.operators else None
    if rule is None:
        return []
    found = []
    for name, operator in declared.operators.items():
        reason = _refused(module, operator) if name and operator.line else ""
        if not reason:
            continue
        text = module.text.splitlines()[operator.line - 1]
        message = rule.message.replace("{callee}", f"`{name}`")
        found.append(
            Finding(
                code=rule.code,
                name=rule.name,
                kind=rule.kind,
                confidence="certain",
                path=module.path,
                line=operator.line,
                column=len(text) - len(text.lstrip()) + 1,
                end_line=operator.line,
                end_column=len(text) + 1,
                message=f"{message} ({reason})",
                why=rule.why.strip(),
                instead=rule.instead.strip(),
                function="<module>",
                entry="<module>",
                graph_break_ids=rule.graph_break_ids,
            )
        )
    return found


def _refused(module: ModuleInfo, operator: Operator) -> str:
    """Why torch raises; empty where it does not, or where that is not known."""
    from compile_lint.customops.inferred import NoSchemaError, inferred_schema
    from compile_lint.customops.signature import schema_error

    if operator.schema:
        return schema_error(operator.schema)
    if not operator.custom:
        return ""
    try:
        inferred_schema(module, operator)
    except NoSchemaError as error:
        return str(error)
    except LookupError:
        pass
    return ""
