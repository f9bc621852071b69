"""Write the file of ids of this package's editions; run ``python -m ir_coliee.editions`` after changing an edition."""

from ir_coliee.editions import BUILT_IN_FOLDER, built_in_editions
from ir_coliee.storage import write_file

if __name__ == "__main__":
    ids = [dataset_id for edition in built_in_editions() for dataset_id in edition.dataset_ids]
    content = "".join(f"{dataset_id}\n" for dataset_id in ids).encode("ascii")
    write_file(BUILT_IN_FOLDER / "ids.txt", content, overwrite=True)
