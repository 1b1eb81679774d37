"""Shared test code that is neither an oracle nor a sample."""
