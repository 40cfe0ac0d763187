"""What repeats: segments, counting, generalising, scoring (design 6). Pure functions over values."""
