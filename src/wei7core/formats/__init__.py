"""The formats of game records: bytes to records and documents, and back. Nothing here knows a board."""
