"""Models beyond single items: explained difficulties, shrunk items, item families, testlets."""
