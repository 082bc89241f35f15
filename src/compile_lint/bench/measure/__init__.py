"""The worker's side of a measurement: what touches torch."""
