"""The command line: parses arguments, calls the library, prints.

May import every other room; nothing imports it. Start with `main.py`; one module a command, and `arguments.py` for the
arguments.
"""
