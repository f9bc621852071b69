"""Writes the file of ids of this package's editions: ``python -m ir_coliee.editions``, after a change of an edition."""

from ir_coliee.editions.index import write_index

if __name__ == "__main__":
    write_index()
