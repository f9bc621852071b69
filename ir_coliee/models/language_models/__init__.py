"""Language models on a server, on this machine, and in offline batches, behind one interface."""
