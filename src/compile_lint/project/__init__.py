"""The linted tree: files, names, classes, functions, and where compile regions begin."""
