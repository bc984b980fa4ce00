"""Real documents: four corpora of packages that nobody of this project wrote, and a hundred questions written blind."""
