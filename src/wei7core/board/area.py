"""The color that each point belongs to when stones count."""

from .board import Area, count_area, count_areas

__all__ = ["Area", "count_area", "count_areas"]
