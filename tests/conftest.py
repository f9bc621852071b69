"""Having this file here puts the folder on the path, so that tests of every folder can `import strategies`."""
