"""From a `Target` to something that can be observed. This runs the user's code and, but for `errors`, imports torch.

`subject.load` is the way in; it runs in the worker process.
"""
