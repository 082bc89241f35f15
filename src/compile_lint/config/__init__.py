"""Configuration: the file that is nearest, the options laid over it, and clear words when something is wrong.

Nothing is imported here: the command line takes the table of keys alone before it knows what it is asked for.
"""
