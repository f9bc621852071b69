"""The user's local releases: files found by name, read by layout and label format, listed, audited and cached.

`ir_coliee.releases.release.LocalRelease` is the entry point: it finds the files of a split once and returns
documents, queries, gold labels and candidates. It uses

* the search: ``listing`` (files by name), ``search`` (accepted names), ``matching`` (whether a file can be that of a
  split), ``disambiguation`` (which of several it is), ``missing_files`` (the error when there is none);
* files: ``folders`` and ``zip_folders`` (a common interface), ``encrypted_zips``, ``reading`` (text, JSON, XML),
  ``file_numbering`` (names that are missing, doubled or irregular);
* readers: ``readers`` (the table by task), ``layouts``, ``cases``, ``case_gold``, ``case_labels``, ``case_records``,
  ``statutes``, ``answer_files``, ``answer_labels``, ``civil_code``, ``civil_code_text``, ``civil_code_xml``, ``torts``,
  ``text_files`` (records read on access), ``memory`` (cached results of readers).

It is used by

* ``inventory`` (``ir_coliee status``);
* ``audit``, the findings on a local copy, and its seal, by which it tells what has changed;
* ``article_references``, the graph of references between articles;
* the cache: ``cache``, ``source_files`` (keys that change with the files), ``unpacked`` (texts of ZIP archives).
"""
