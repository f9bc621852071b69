"""Write the file of ids of this package's editions; run ``python -m ir_coliee.editions`` after changing an edition."""

from ir_coliee.editions.catalogue import write_index

if __name__ == "__main__":
    write_index()
