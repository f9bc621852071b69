"""The version, where packaging can read it without importing anything."""

__version__ = "0.2.0"
