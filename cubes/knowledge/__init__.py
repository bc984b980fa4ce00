"""A knowledge base opened: its folder, the generation that is read, its status, and its SMART trees."""
