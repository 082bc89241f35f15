"""Whether torch.compile pays: money, time and risk from measurements and business figures. Needs no torch."""
