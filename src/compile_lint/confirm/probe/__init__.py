"""Measures what TorchDynamo does with public callables and writes the tables of facts (`rules/facts/*.tsv`).

    python -m compile_lint.confirm.probe --out rules/facts                 measure all tables with the installed torch
    python -m compile_lint.confirm.probe --out new --only stdlib           one table
    python -m compile_lint.confirm.probe --merge old new --out rules/facts join tables of two torch versions

How a fact comes about: `catalogue` lists names as targets, `arguments` proposes source text of arguments until a call
works eagerly, `snippet` puts that call into a small function, `dynamo` compiles the function and says what happened,
and `measure` puts the answers together. `pool` runs all this in forked children that may hang or die.
"""
