"""Every COLIEE edition as ir_datasets entries, read from the user's local releases."""
