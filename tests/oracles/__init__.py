"""Slow, obvious implementations written from the definitions, which tests compare the package with."""
