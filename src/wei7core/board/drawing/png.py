"""Pictures as PNG, by the extra `png`.

The renderer is resvg: one wheel without libraries of the system, and the same picture on every platform. CairoSVG needs
Cairo to be installed.
"""

from __future__ import annotations


def png_of(svg: str) -> bytes:
    """Return the PNG of an SVG picture, at its own size. Raises `ImportError`, which names the extra, without it."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ImportError("a PNG needs the extra png: pip install 'wei7core[png]'") from None
    return bytes(svg_to_bytes(svg_string=svg))
