"""Makes `tests/` a place to import shared tables and oracles from."""
