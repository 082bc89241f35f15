"""Custom operators: what a project declares of them, and what that means for a compiled call."""
