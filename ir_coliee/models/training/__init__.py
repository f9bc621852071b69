"""Fine-tuning: options, adapters, and the state of a training that can be continued."""
