"""What to confirm, from texts: names of targets, inputs, settings. Nothing here imports torch or the target's code.

`resolve.resolve` is the way in; the worker parses the inputs of a `Target` with `grammar` and `vary`.
"""
