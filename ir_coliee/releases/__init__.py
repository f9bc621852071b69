"""The user's local releases: files found by name, read by layout and label format, listed, audited and cached.

`ir_coliee.releases.release.LocalRelease` is the entry point: it finds the files of a split once and returns
documents, queries, gold labels and candidates. A file is read on the way

* ``search`` (the listing of a data folder, accepted names, which of several files it is, the error when there is none);
* ``files`` and ``zips`` (a common interface to folders and archives; text, JSON and XML; the cache);
* ``cases``, ``statutes``, ``civil_code``, ``torts`` (the readers of each task);
* ``release`` (`LocalRelease`, the table of readers, ``status``).

``audit`` reports findings on a local copy and seals it; ``article_references`` reads the graph of references between
articles.
"""
