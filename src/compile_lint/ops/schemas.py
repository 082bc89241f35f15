"""The schema of an operator, from a text or from a function's annotations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compile_lint.customops.declared import Operator
from compile_lint.customops.inferred import NoSchemaError, inferred_schema
from compile_lint.customops.schema import Schema, SchemaError, parse_schema
from compile_lint.project.modules import ModuleInfo


@dataclass(frozen=True, slots=True)
class Read:
    """A schema, or why torch refuses the one that is written; neither where it cannot be told."""

    schema: Schema | None = None
    refused: str = ""


def schema_of(operator: Operator, module: ModuleInfo | None) -> Read:
    """The schema of an operator, named as it is registered. `module` holds the function of a custom_op."""
    try:
        if operator.schema:
            return Read(_named(operator))
        if operator.custom and module is not None:
            return Read(parse_schema(inferred_schema(module, operator)))
    except NoSchemaError as error:
        return Read(refused=f"{error}: torch infers no schema and raises where it is declared; annotate the function")
    except SchemaError as error:
        return Read(refused=f"its schema is none, and torch raises where it is declared: {error}")
    except LookupError:
        pass
    return Read()


def _named(operator: Operator) -> Schema:
    """The text may have the name with or without its namespace, or begin with the arguments."""
    namespace, _, rest = operator.name.partition("::")
    name, _, overload = rest.partition(".")
    text = operator.schema.strip()
    if text.startswith("("):
        return replace(parse_schema(f"f{text}"), namespace=namespace, name=name, overload=overload)
    return replace(parse_schema(text), namespace=namespace)
