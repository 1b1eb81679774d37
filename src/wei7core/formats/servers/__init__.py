"""Formats of Go servers, which are only read: GIB (Tygem), NGF (wBaduk), UGF (PandaNet), JSON (OGS)."""
