"""What every expression is while TorchDynamo traces it, across functions and files."""
