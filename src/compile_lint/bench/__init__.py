"""What torch.compile costs and gains on the user's own model and traffic, measured on this machine."""
