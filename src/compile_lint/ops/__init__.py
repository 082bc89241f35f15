"""The inventory of a project's custom operators: `compile-lint ops`."""
