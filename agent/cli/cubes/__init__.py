"""`multicube cube`: look into the cubes, export them, and correct what they say."""
