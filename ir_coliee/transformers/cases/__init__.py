"""Retrieval of noticed cases by single families of evidence."""
